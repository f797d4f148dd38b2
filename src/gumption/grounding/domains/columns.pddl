; Blocks in columns side by side; the top of one column can be moved to the top of another.
; leftof and rightof are stated of neighbours only.
(define (domain columns)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality)
  (:types block column)
  (:predicates
    (on ?upper - block ?lower - block)
    (clear ?block - block)
    (incolumn ?block - block ?column - column)
    (leftof ?left - column ?right - column)
    (rightof ?right - column ?left - column))

  (:action moveblock
    :parameters (?block - block ?to - column)
    :precondition (and (clear ?block) (not (incolumn ?block ?to)))
    :effect (and
      (incolumn ?block ?to)
      (forall (?from - column)
        (when (incolumn ?block ?from) (not (incolumn ?block ?from))))
      ; it leaves the block below it, and covers the one that was the top of its new column
      (forall (?other - block)
        (and
          (when (on ?block ?other)
            (and (clear ?other) (not (on ?block ?other))))
          (when (and (incolumn ?other ?to) (clear ?other))
            (and (on ?block ?other) (not (clear ?other)))))))))
