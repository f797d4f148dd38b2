"""Scoring what the ViPlan release logged: its plans in place of ours, and for Household its gold as well.

Blocksworld's simulator is rebuilt exactly, so its logs go through the same episodes as any model, with the
recorded plans. Nobody has Household's scenes, so its logs are followed step by step: what is true, what could
be done and whether the goal was reached are as logged, and the replies are read and scored anew.
`gumption.exchange.viplan` makes the items.
"""

from __future__ import annotations

from pathlib import Path

from gumption.benchmarks.viplan import grounder, planner
from gumption.benchmarks.viplan._tally import Tally
from gumption.benchmarks.viplan.blocksworld import BLOCKSWORLD
from gumption.benchmarks.viplan.reading import read_plan, read_yes_no_reply
from gumption.grounding.enumeration import believe, label
from gumption.records import Answer, Episode, ErrorKind, GumptionError, Item, Mistake, Reading, Score
from gumption.suites import Suite

__all__ = ["episode", "load"]


def episode(item: Item) -> Episode:
    """As the log's domain and protocol, `item.meta["log"]`, want it."""
    match item.meta["log"]:
        case "blocksworld/grounder":
            return (yield from grounder.episode(item, BLOCKSWORLD))
        case "blocksworld/planner":
            return (yield from planner.episode(item, BLOCKSWORLD))
        case "household/grounder":
            return (yield from _grounded(item))
        case _:
            return (yield from _planned(item))


def load(_: Path | None) -> Suite:
    """There is no suite of this name by itself: raises GumptionError that says how to make one."""
    raise GumptionError(
        "recorded logs are no benchmark by themselves",
        where="viplan-recorded",
        remedy="gumption ground logs FILE --out DIR makes a suite of a log; run that folder",
    )


def _grounded(item: Item) -> Episode:
    """Ask what the log says was asked, with its gold.

    `item.meta["turns"]`, one after another: {"call", "gold": {atom: yes, no or null}}, with "planned" where
    all was asked again, and {"action_correct"} after each action. `left`: how many steps remained.
    `planned`: whether there was a plan at first. `goal_reached`.
    """
    tally = Tally(static=())
    tally.planned = item.meta["planned"]
    for turn in item.meta["turns"]:
        gold: dict[str, str] = turn.get("gold", {})
        if gold:
            atoms = {_atom(name): value for name, value in gold.items()}
            call = f"{item.id}/{turn['call']}"
            replies = yield tuple(
                Item(f"{call}/{label(atom)}", item.benchmark, (), Answer("yes_no", gold=value))
                for atom, value in atoms.items()
            )
            readings = [read_yes_no_reply(reply, item.meta["yes_no"]) for reply in replies]
            tally.read(readings)
            if turn["call"].startswith("enum/"):
                true = frozenset(atom for atom, value in atoms.items() if value == "yes")
                tally.enumerated(believe(atoms, readings), true, initial=False)
                tally.replans += turn["planned"]
        if "action_correct" in turn:
            tally.acted(right=turn["action_correct"])
    return tally.score(solved=item.meta["goal_reached"], left=item.meta["left"])


def _planned(item: Item) -> Episode:
    """Ask for each plan of the log, and take from it what became of the first action.

    `item.meta["outcomes"]`: for each plan whether its first action was executed; `budget`: how many replies
    the log knows of; `completed`.
    """
    outcomes: list[bool] = item.meta["outcomes"]
    unread: list[Reading] = []
    for number in range(item.meta["budget"]):
        (reply,) = yield (Item(f"{item.id}/step/{number}", item.benchmark, (), Answer("actions")),)
        reading = read_plan(reply, {})
        if reading.outcome != "answered":
            unread.append(reading)
    solved = item.meta["completed"]
    return Score(
        float(solved),
        {
            "asked": float(item.meta["budget"]),
            "unread": float(len(unread)),
            "actions": float(len(outcomes)),
            "action_correct": float(sum(outcomes)),
            "action_total": float(len(outcomes)),
        },
        (
            *(Mistake(ErrorKind.UNREADABLE) for _ in unread),
            *(Mistake(ErrorKind.GOAL_UNREACHED) for _ in range(not solved)),
        ),
        unread[0] if unread and not solved else Reading("answered", rule="recorded"),
    )


def _atom(name: str) -> tuple[str, ...]:
    predicate, _, arguments = name.partition(" ")
    return (predicate, *(arguments.split(",") if arguments else ()))
