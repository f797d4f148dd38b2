"""Blocks to stack: problems of any size, and plans for them of any length."""

from __future__ import annotations

__all__ = ["DOMAIN", "plan", "problem"]

DOMAIN = """(define (domain blocks) (:requirements :strips :typing) (:types block)
 (:predicates (on ?x ?y - block) (ontable ?x - block) (clear ?x - block) (holding ?x - block) (handempty))
 (:action pick-up :parameters (?x - block) :precondition (and (clear ?x) (ontable ?x) (handempty))
  :effect (and (not (ontable ?x)) (not (clear ?x)) (not (handempty)) (holding ?x)))
 (:action put-down :parameters (?x - block) :precondition (holding ?x)
  :effect (and (not (holding ?x)) (clear ?x) (handempty) (ontable ?x)))
 (:action stack :parameters (?x ?y - block) :precondition (and (holding ?x) (clear ?y))
  :effect (and (not (holding ?x)) (not (clear ?y)) (clear ?x) (handempty) (on ?x ?y)))
 (:action unstack :parameters (?x ?y - block) :precondition (and (on ?x ?y) (clear ?x) (handempty))
  :effect (and (holding ?x) (clear ?y) (not (clear ?x)) (not (handempty)) (not (on ?x ?y)))))
"""


def problem(blocks: int) -> str:
    """All on the table; the goal is what already is."""
    names = " ".join(f"b{number}" for number in range(blocks))
    facts = " ".join(f"(ontable b{number}) (clear b{number})" for number in range(blocks))
    return (
        f"(define (problem stack) (:domain blocks) (:objects {names} - block)\n"
        f"(:init (handempty) {facts})\n(:goal (and (ontable b0) (clear b1))))"
    )


def plan(steps: int, blocks: int) -> list[tuple[str, ...]]:
    """Valid, of an even number of steps: one block after another is lifted and put down."""
    return [(verb, f"b{number % blocks}") for number in range(steps // 2) for verb in ("pick-up", "put-down")]
