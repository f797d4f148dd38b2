"""Small studies for tests, and raters who work through them."""

from __future__ import annotations

from typing import Any

from gumption.rating.forms import BETTER, label_dimensions
from gumption.rating.store import Store
from gumption.rating.study import Dimension, Material, Output, Scenario, Study, Task, Values
from gumption.records import Text

MARKS = (Dimension("order", "Order"), Dimension("goals", "Goals", low=0, high=10))
FORMS = {"rating": MARKS, "pairwise": BETTER, "labels": label_dimensions(["seeing", "planning", "counting"])}


def material(scenarios: int = 3, models: int = 3) -> Material:
    """Scenarios "place-0", ...; models "maker/brain-0", ..., each of which says something of its own."""
    made = tuple(
        Scenario(f"place-{place}", (Text(f"Tidy room {place}."),), ("find it", "put it away"), "seeing")
        for place in range(scenarios)
    )
    said = tuple(
        Output(scenario.id, f"maker/brain-{model}", f"Plan {model} of {scenario.id[-1]}", ("go", "take"))
        for scenario in made
        for model in range(models)
    )
    return Material(made, said)


def study(kind: Any = "rating", **options: Any) -> Study:
    return Study(name="a study", kind=kind, dimensions=FORMS[kind], **({"raters_wanted": 2} | options))


def new(store: Store, made: Study | None = None, what: Material | None = None) -> Study:
    """A stored study."""
    made = made or study()
    what = what or material()
    store.create(made, Material(what.scenarios, what.outputs if made.kind != "labels" else (), what.media))
    return made


def invite(store: Store, made: Study, count: int = 1) -> list[str]:
    """Ids of new raters."""
    return [invitation.rater for invitation in store.invite(made.id, [""] * count)]


def values(task: Task, mark: int = 1) -> Values:
    return {"rating": {"order": mark, "goals": mark}, "pairwise": {"better": mark}, "labels": {"seeing": 1}}[
        task.kind
    ]


def work(store: Store, rater: str, most: int = 1000) -> list[Task]:
    """Rate until nothing is left or `most` tasks are done; returns the tasks."""
    done: list[Task] = []
    while len(done) < most and (task := store.next_task(rater)) is not None:
        store.submit(rater, task.id, values(task))
        done.append(task)
    return done
