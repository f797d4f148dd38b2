; The towers of Hanoi. (smaller ?x ?y) says that ?y is the smaller one: it fits on ?x.
(define (domain hanoi)
  (:requirements :strips)
  (:predicates
    (on ?disc ?below)
    (clear ?x)
    (smaller ?x ?y))

  (:action move
    :parameters (?disc ?from ?to)
    :precondition (and (on ?disc ?from) (clear ?disc) (clear ?to) (smaller ?to ?disc))
    :effect (and (on ?disc ?to) (clear ?from)
                 (not (on ?disc ?from)) (not (clear ?to)))))
