; A robot with one hand that tidies up. It reaches what it went to, and what lies in an open container that
; it went to. The actions do what those of ViPlan's household domain do.
(define (domain household)
  (:requirements :adl :typing)
  (:types
    container movable - object
    sliceable slicer - movable)
  (:predicates
    (reachable ?thing - object)
    (holding ?thing - movable)
    (open ?container - container)
    (inside ?thing - object ?container - container)
    (ontop ?thing - object ?support - object)
    (nextto ?thing - object ?other - object)
    (sliced ?food - sliceable))

  (:action navigate-to
    :parameters (?goal - object)
    :precondition (and
      (not (reachable ?goal))
      (forall (?c - container) (imply (inside ?goal ?c) (open ?c))))
    :effect (and
      (forall (?other - object) (not (reachable ?other)))
      (reachable ?goal)
      (forall (?c - container ?content - object)
        (when (and (= ?c ?goal) (open ?c) (inside ?content ?c)) (reachable ?content)))))

  (:action grasp
    :parameters (?thing - movable)
    :precondition (and (reachable ?thing) (not (exists (?any - movable) (holding ?any))))
    :effect (and
      (holding ?thing)
      (forall (?c - container) (not (inside ?thing ?c)))
      (forall (?other - object) (and (not (ontop ?thing ?other)) (not (nextto ?thing ?other))))))

  (:action place-on
    :parameters (?thing - movable ?support - object)
    :precondition (and (holding ?thing) (reachable ?support))
    :effect (and (ontop ?thing ?support) (not (holding ?thing))))

  (:action place-next-to
    :parameters (?thing - movable ?other - object)
    :precondition (and (holding ?thing) (reachable ?other))
    :effect (and (nextto ?thing ?other) (not (holding ?thing))))

  (:action place-inside
    :parameters (?thing - movable ?container - container)
    :precondition (and (holding ?thing) (reachable ?container) (open ?container))
    :effect (and (inside ?thing ?container) (not (holding ?thing))))

  (:action open-container
    :parameters (?container - container)
    :precondition (and (reachable ?container) (not (open ?container))
                       (not (exists (?any - movable) (holding ?any))))
    :effect (and
      (open ?container)
      (forall (?content - object)
        (when (inside ?content ?container) (reachable ?content)))))

  (:action close-container
    :parameters (?container - container)
    :precondition (and (reachable ?container) (open ?container))
    :effect (and
      (not (open ?container))
      (forall (?content - object)
        (when (inside ?content ?container) (not (reachable ?content))))))

  (:action slice
    :parameters (?food - sliceable ?tool - slicer)
    :precondition (and (holding ?tool) (reachable ?food) (not (sliced ?food)))
    :effect (sliced ?food)))
