; Robot arms that carry vegetables and tools between places, and cut on a work space.
(define (domain cooking)
  (:requirements :strips :typing :negative-preconditions)
  (:types location robot vegetable tool - object)
  (:predicates
    (at ?thing - object ?place - location)
    (available ?thing - object)           ; no arm carries it
    (is-whole ?food - vegetable)
    (is-sliced ?food - vegetable)
    (free ?arm - robot)
    (carry ?arm - robot ?thing - object)
    (can-cut ?tool - tool)
    (is-workspace ?place - location))

  (:action pick
    :parameters (?arm - robot ?thing - object ?place - location)
    :precondition (and (free ?arm) (available ?thing) (at ?thing ?place))
    :effect (and (carry ?arm ?thing)
                 (not (free ?arm)) (not (available ?thing)) (not (at ?thing ?place))))

  (:action place
    :parameters (?arm - robot ?thing - object ?place - location)
    :precondition (carry ?arm ?thing)
    :effect (and (free ?arm) (available ?thing) (at ?thing ?place)
                 (not (carry ?arm ?thing))))

  (:action slice
    :parameters (?arm - robot ?food - vegetable ?tool - tool ?place - location)
    :precondition (and (carry ?arm ?tool) (can-cut ?tool)
                       (at ?food ?place) (is-workspace ?place) (is-whole ?food))
    :effect (and (is-sliced ?food) (not (is-whole ?food)))))
