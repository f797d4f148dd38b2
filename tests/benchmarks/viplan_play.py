"""Episodes played in this process: a small world of two blocks, and a way to answer what is asked."""

from __future__ import annotations

from collections.abc import Callable

from gumption.benchmarks import episode_of
from gumption.records import Answer, Item, Reply, Score

DOMAIN = """
(define (domain columns)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality)
  (:types block column)
  (:predicates (on ?x ?y - block) (inColumn ?x - block ?c - column) (clear ?x - block)
               (rightOf ?c ?d - column) (leftOf ?c ?d - column))
  (:action moveBlock :parameters (?x - block ?c - column)
    :precondition (and (clear ?x) (not (inColumn ?x ?c)))
    :effect (and
      (forall (?y - block) (and
        (when (on ?x ?y) (and (not (on ?x ?y)) (clear ?y)))
        (when (and (inColumn ?y ?c) (clear ?y) (not (= ?y ?x))) (and (on ?x ?y) (not (clear ?y))))))
      (forall (?d - column) (when (inColumn ?x ?d) (not (inColumn ?x ?d))))
      (inColumn ?x ?c) (clear ?x))))
"""
PROBLEM = """
(define (problem two) (:domain columns) (:objects R B - block C1 C2 C3 - column)
  (:init (on R B) (clear R) (inColumn R C1) (inColumn B C1)
         (leftOf C1 C2) (leftOf C2 C3) (rightOf C2 C1) (rightOf C3 C2))
  (:goal (and (on B R) (inColumn R C2))))
"""
"""R stands on B in C1; the shortest plan is R to C2, B to C2."""
TRUE = {"on r,b", "clear r", "incolumn r,c1", "incolumn b,c1"} | {
    *("leftof c1,c2", "leftof c2,c3", "leftof c1,c3", "rightof c2,c1", "rightof c3,c2", "rightof c3,c1")
}
"""What is true at first, left and right of columns that are no neighbours included."""


def task(benchmark: str = "viplan-blocksworld", problem: str = PROBLEM, **meta: object) -> Item:
    """The small world as an item."""
    about = {"domain": DOMAIN, "problem": problem, "budget": 4, "yes_no": "strict", "style": "sprite"}
    return Item("two", benchmark, (), Answer("actions"), meta={**about, **meta})


def right(question: Item) -> str:
    """What is so."""
    return str(question.answer.gold)


def play(item: Item, answer: Callable[[Item], str]) -> tuple[Score, list[tuple[Item, ...]]]:
    """Its score, and the questions in the tuples that they were asked in."""
    episode = episode_of(item)(item)
    asked = []
    try:
        questions = next(episode)
        while True:
            asked.append(questions)
            questions = episode.send(
                tuple(Reply(item.id, call=call(item, one), text=answer(one)) for one in questions)
            )
    except StopIteration as stop:
        return stop.value, asked


def call(item: Item, question: Item) -> str:
    return question.id.removeprefix(f"{item.id}/")


def calls(item: Item, asked: list[tuple[Item, ...]]) -> list[list[str]]:
    return [[call(item, one) for one in questions] for questions in asked]
