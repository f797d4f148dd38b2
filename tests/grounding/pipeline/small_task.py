"""A task small enough to be worked out by hand: three cups in a kitchen, one of them to be put on a tray."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gumption.grounding.pipeline import Task, task_of
from gumption.records import Answer, Episode, Image, Item, Reply, Score, Text

DOMAIN = """
(define (domain kitchen) (:requirements :strips :typing :negative-preconditions)
  (:types cup plate - dish dish tray - object)
  (:constants shelf - tray)
  (:predicates (on ?d - dish ?t - tray) (wet ?d - dish) (lit) (move ?d - dish ?t - tray) (in ?p - plate))
  (:action move :parameters (?d - dish ?a - tray ?b - tray)
    :precondition (and (on ?d ?a) (not (wet ?d))) :effect (and (not (on ?d ?a)) (on ?d ?b)))
  (:action dry :parameters (?d - dish) :precondition (wet ?d) :effect (not (wet ?d))))
"""
PROBLEM = """
(define (problem serve) (:domain kitchen) (:objects red blue - cup oak - tray)
  (:init (on red shelf) (on blue shelf) (wet red) (lit)) (:goal (and (on red oak) (not (wet red)))))
"""
OTHER = """
(define (problem clear) (:domain kitchen) (:objects white - cup oak - tray)
  (:init (on white oak)) (:goal (and (on white shelf))))
"""
PHOTO, EXAMPLE = Image("a" * 64), Image("b" * 64)


def small_task(*, shots: int = 0, **options: Any) -> Task:
    pictures = [EXAMPLE] * shots + [PHOTO]
    return task_of(
        Item(
            id="serve",
            benchmark="small",
            parts=(*pictures, Text("Put the red cup on the oak tray, dry.")),
            answer=Answer("problem", PROBLEM),
            meta={
                "domain": DOMAIN,
                "examples": [{"instruction": "Clear the tray.", "problem": OTHER}] * shots,
                "options": options,
            },
        )
    )


def atom(predicate: str, *names: str, **more: Any) -> dict[str, Any]:
    """An entry of a reply."""
    arguments = {key: {"name": name} for key, name in zip("xyz", names, strict=False)}
    return {"predicate_type": predicate, **more, **arguments}


def said(**lists: Any) -> str:
    return json.dumps(lists)


RIGHT = {
    "objects": said(
        objects=[
            {"name": "red", "type": "cup"},
            {"name": "blue", "type": "cup"},
            {"name": "oak", "type": "tray"},
        ]
    ),
    "predicates": said(
        grounded_predicates=[
            atom("On", "red", "shelf"),
            atom("On", "blue", "shelf"),
            atom("Wet", "red"),
            atom("Lit"),
        ]
    ),
    "goal": said(
        grounded_predicates=[
            atom("On", "red", "oak", is_negated=False),
            atom("Wet", "red", is_negated=True),
        ]
    ),
}
"""What each call of the staged episode is rightly answered with."""


def answered(episode: Episode, replies: Mapping[str, str | Reply]) -> tuple[Score, dict[str, Item]]:
    """Drive an episode with a reply for each call; the score and the questions by call."""
    asked: dict[str, Item] = {}
    questions = next(episode)
    try:
        while True:
            given = []
            for question in questions:
                call = question.id.removeprefix("serve/")
                assert call not in asked
                asked[call] = question
                reply = replies[call]
                given.append(reply if isinstance(reply, Reply) else Reply("serve", call=call, text=reply))
            questions = episode.send(tuple(given))
    except StopIteration as stop:
        score: Score = stop.value
        return score, asked
