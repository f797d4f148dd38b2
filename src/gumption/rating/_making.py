"""Writing a new study: its scenarios, outputs, what is judged at once, and the attention checks."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import combinations

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gumption.rating._tables import media, outputs, scenarios, studies, units
from gumption.rating.study import LEFT, MAIN, Material, Output, Scenario, Study, Values
from gumption.records import GumptionError, Text

__all__ = ["write_study"]

_MOST_CHECKS = 40


def write_study(connection: Connection, study: Study, material: Material, now: float) -> int:
    """Key of the new study. Raises GumptionError where there is nothing to judge, or the id is there."""
    if connection.execute(sa.select(studies.c.key).where(studies.c.id == study.id)).first():
        raise GumptionError("this study is stored already", where=study.name, remedy="make a new one")
    form = msgspec.json.encode(study)
    key = _insert(connection, studies, id=study.id, form=form, closed=False, created=now)
    scenario_keys = {scenario.id: _scenario(connection, key, scenario) for scenario in material.scenarios}
    by_scenario: dict[str, list[tuple[int, Output]]] = {scenario.id: [] for scenario in material.scenarios}
    for output in sorted(material.outputs, key=lambda output: (output.scenario, output.model)):
        inserted = _output(connection, scenario_keys[output.scenario], output)
        by_scenario[output.scenario].append((inserted, output))
    judged = 0
    for name, theirs in by_scenario.items():
        for keys in _judged_at_once(study, [key for key, _ in theirs]):
            first, second = (*keys, None, None)[:2]
            _insert(connection, units, study=key, scenario=scenario_keys[name], first=first, second=second)
            judged += 1
    if not judged:
        raise GumptionError(
            "there is nothing to judge",
            where=study.name,
            remedy="give runs with replies; a comparison needs two models that answered the same item",
        )
    _write_checks(connection, study, key, material, scenario_keys, by_scenario, judged)
    for file in material.media:
        connection.execute(media.insert().values(study=key, sha256=file.sha256, media_type=file.media_type))
    return key


def _judged_at_once(study: Study, keys: Sequence[int]) -> Sequence[tuple[int, ...]]:
    if study.kind == "labels":
        return [()]
    return [(key,) for key in keys] if study.kind == "rating" else list(combinations(keys, 2))


def _write_checks(
    connection: Connection,
    study: Study,
    key: int,
    material: Material,
    scenario_keys: dict[str, int],
    by_scenario: dict[str, list[tuple[int, Output]]],
    judged: int,
) -> None:
    """Made items that look like the others and say which answer they want (instructed responses, as surveys
    use them)."""
    if not study.attention_share:
        return
    block = min(study.tasks_per_rater or judged, judged)
    count = min(math.ceil(block * study.attention_share / (1 - study.attention_share)), _MOST_CHECKS)
    rng = random.Random(f"{study.seed}/checks")
    places = [
        scenario for scenario in material.scenarios if by_scenario[scenario.id] or study.kind == "labels"
    ]
    for number in range(count):
        scenario = rng.choice(places)
        place = scenario_keys[scenario.id]
        expected, asks = _instructed(study, rng)
        first = second = None
        if study.kind == "labels":
            place = _scenario(connection, key, Scenario(f"check {number + 1}", (Text(asks),)))
        else:
            first = _output(connection, place, Output(scenario.id, "", asks))
        if study.kind == "pairwise":
            other = rng.choice(by_scenario[scenario.id])[1]
            copy = msgspec.structs.replace(other, id=Output(scenario.id, "", "").id, model="")
            second = _output(connection, place, copy)
        _insert(connection, units, study=key, scenario=place, first=first, second=second, expected=expected)


def _instructed(study: Study, rng: random.Random) -> tuple[Values, str]:
    """The right answer of a check, and the words that ask for it."""
    says = "This one checks that the page is being read: do not judge it."
    if study.kind == "pairwise":
        return {
            dimension.id: LEFT for dimension in study.dimensions
        }, f"{says} Choose this side on every line."
    if study.kind == "labels":
        label = rng.choice(study.dimensions)
        return {label.id: MAIN}, f"{says} Choose the label \u201c{label.title}\u201d and no other."
    lowest = rng.random() < 0.5
    values = {dimension.id: dimension.low if lowest else dimension.high for dimension in study.dimensions}
    return values, f"{says} Choose the {'lowest' if lowest else 'highest'} mark on every line."


def _scenario(connection: Connection, study: int, scenario: Scenario) -> int:
    content = msgspec.json.encode(scenario)
    return _insert(
        connection, scenarios, study=study, name=scenario.id, label=scenario.label, content=content
    )


def _output(connection: Connection, scenario: int, output: Output) -> int:
    content = msgspec.json.encode(output)
    return _insert(connection, outputs, id=output.id, scenario=scenario, model=output.model, content=content)


def _insert(connection: Connection, table: sa.Table, **values: object) -> int:
    inserted = connection.execute(table.insert().values(**values)).inserted_primary_key
    assert inserted is not None
    return int(inserted[0])
