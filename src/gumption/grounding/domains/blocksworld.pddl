; Blocks on a table and one hand that takes them one at a time.
(define (domain blocksworld)
  (:requirements :strips :typing)
  (:types block robot)
  (:predicates
    (on ?upper - block ?lower - block)
    (ontable ?block - block)
    (clear ?block - block)      ; nothing stands on it and no hand holds it
    (holding ?block - block)
    (handempty ?robot - robot)
    (handfull ?robot - robot))

  (:action pick-up
    :parameters (?block - block ?robot - robot)
    :precondition (and (ontable ?block) (clear ?block) (handempty ?robot))
    :effect (and (holding ?block) (handfull ?robot)
                 (not (ontable ?block)) (not (clear ?block)) (not (handempty ?robot))))

  (:action put-down
    :parameters (?block - block ?robot - robot)
    :precondition (and (holding ?block) (handfull ?robot))
    :effect (and (ontable ?block) (clear ?block) (handempty ?robot)
                 (not (holding ?block)) (not (handfull ?robot))))

  (:action stack
    :parameters (?upper - block ?lower - block ?robot - robot)
    :precondition (and (holding ?upper) (clear ?lower) (handfull ?robot))
    :effect (and (on ?upper ?lower) (clear ?upper) (handempty ?robot)
                 (not (holding ?upper)) (not (clear ?lower)) (not (handfull ?robot))))

  (:action unstack
    :parameters (?upper - block ?lower - block ?robot - robot)
    :precondition (and (on ?upper ?lower) (clear ?upper) (handempty ?robot))
    :effect (and (holding ?upper) (clear ?lower) (handfull ?robot)
                 (not (on ?upper ?lower)) (not (clear ?upper)) (not (handempty ?robot)))))
