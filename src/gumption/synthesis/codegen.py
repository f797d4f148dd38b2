"""From a protocol record to a pipeline: one file of Python that a person can read and change."""

from __future__ import annotations

import json
import pprint
from collections.abc import Mapping
from typing import Any

import msgspec

from gumption.records import GumptionError
from gumption.synthesis.spec import Scoring, Spec

__all__ = ["METRICS", "write_pipeline"]

_COMMON = ("rest",)
_READING: dict[str, tuple[str, ...]] = {
    "choice": ("letters", "texts", "several", "whole", "positions", "bracketed", "occurs"),
    "yes_no": ("words", "several", "whole", "occurs"),
    "number": ("several", "words", "ranges", "whole", "decimal", "units", "accepts"),
    "point": ("order", "every", "several"),
    "text": ("whole", "labels"),
}
"""What `recipes.reading` takes for each kind."""
METRICS: dict[str, dict[str, tuple[str, ...]]] = {
    "choice": {"exact": ("open_credit", "open_most"), "exact_set": (), "share_of_set": ()},
    "yes_no": {"exact": ()},
    "number": {
        "exact": ("decimals",),
        "tolerance": ("absolute", "relative", "inclusive", "decimals"),
        "mra": ("thresholds", "inclusive"),
        "bands": ("steps", "relative", "inclusive"),
        "linear": ("zero", "relative"),
    },
    "point": {"share_on_target": ("scale", "size", "radius", "reduce")},
    "text": {"exact": ("contained",), "contains": ("how", "words"), "f1": (), "label": ()},
}
"""The metrics of each kind with the parameters that they take."""
_WIDTH = 100


def write_pipeline(spec: Spec) -> str:
    """The pipeline's text: `load`, `build` and `score` as `contract` says, made of calls of the recipes.

    The same record gives the same text. Raises GumptionError for a metric or a parameter that no recipe has.
    """
    _check(spec.scoring)
    head = [
        f'"""The pipeline of {_printed(spec.name)}, written from the protocol record {spec.sha256[:16]}."""',
        "",
        "from gumption.synthesis import recipes",
        "from gumption.synthesis.recipes import metrics, reading, scoring",
        "",
        f"LOADING = {_literal(spec.loading)}",
        f"ASKING = {_literal(spec.asking)}",
    ]
    if spec.scoring.kind == "text":
        head.append(f"STEPS = {_literal(spec.scoring.normalise)}")
    body = [
        *_said("What the README says of scoring:", spec.scoring.evidence),
        *_said("What is doubtful:", spec.doubts),
        "",
        "",
        "def load(folder):",
        *_indented(_load(spec)),
        "",
        "",
        "def build(row):",
        *_indented(["return recipes.request(row, ASKING)"]),
        "",
        "",
        "def score(row, reply):",
        *_indented(_score(spec)),
    ]
    return "\n".join([*head, *body]) + "\n"


def _check(scoring: Scoring) -> None:
    metrics = METRICS[scoring.kind]
    if scoring.metric not in metrics:
        raise GumptionError(
            f"{scoring.kind} has no metric {scoring.metric!r}", where="codegen", remedy=f"one of {[*metrics]}"
        )
    known = (*_COMMON, *_READING[scoring.kind], *metrics[scoring.metric])
    unknown = [name for name in scoring.parameters if name not in known]
    if unknown:
        raise GumptionError(
            f"{scoring.metric} takes no {unknown[0]!r}", where="codegen", remedy=f"one of {[*known]}"
        )


def _load(spec: Spec) -> list[str]:
    lines = ["rows = recipes.load(folder, LOADING)"]
    gold = spec.scoring.gold
    if gold.form == "mask":
        told = _arguments(
            {"prefix": gold.folder, "threshold": gold.threshold, "dark": gold.dark},
            {"prefix": "", "threshold": 0.5, "dark": False},
        )
        lines.append(f"rows = scoring.with_masks(folder, rows, {gold.column!r}{told})")
    if spec.scoring.parameters.get("size") == "picture":
        lines.append("rows = scoring.with_sizes(folder, rows, ASKING)")
    return [*lines, "return rows"]


def _score(spec: Spec) -> list[str]:
    scoring = spec.scoring
    given = scoring.parameters
    reader = {"point": "points"}.get(scoring.kind, scoring.kind)
    if scoring.metric in ("exact_set", "share_of_set"):
        reader = "choices"
    elif scoring.metric == "label":
        reader = "label"
    rest = given.get("rest", scoring.kind == "point" or reader == "choices")
    told = _arguments(
        {
            name: given[name]
            for name in _READING[scoring.kind]
            if name in given and name not in ("units", "accepts")
        }
    )
    if "accepts" in given:
        told += f", accepts=scoring.accepted_units(row, {_plain(given['accepts'])!r})"
    if "units" in given:
        column = scoring.gold.unit or scoring.gold.column
        told += (
            f", unit={given['units']!r}" if given["units"] else f", unit=scoring.gold_unit(row[{column!r}])"
        )
    choices = ", choices" if scoring.kind == "choice" else ""
    return [
        *(["choices = recipes.options(row, ASKING)"] if choices else []),
        f"part = reading.region(reply, {tuple(scoring.region)!r}{', rest=True' if rest else ''})",
        f"read = reading.{reader}(part{choices}{told})",
        *(_left_open(scoring, told) if "open_credit" in given else []),
        'if read.outcome != "answered":',
        "    return scoring.verdict(read, 0.0)",
        *_GOLDS[scoring.kind](scoring),
        f"return scoring.verdict(read, {_worth(scoring)})",
    ]


def _left_open(scoring: Scoring, told: str) -> list[str]:
    """Credit for a reply that leaves options open with the right one among them."""
    given = scoring.parameters
    limits = f"most={given.get('open_most', 2)!r}, credit={given['open_credit']!r}"
    return [
        'if read.outcome == "ambiguous":',
        f"    named = reading.choices(part, choices{told})",
        *(f"    {line}" for line in _gold_choice(scoring)),
        f"    return scoring.verdict(named, metrics.among(named.value, gold, {limits}))",
    ]


def _gold_choice(scoring: Scoring) -> list[str]:
    gold = scoring.gold
    if scoring.metric in ("exact_set", "share_of_set"):
        told = _arguments({"separator": gold.separator}, {"separator": ""})
        return [f"gold = scoring.gold_letters(row[{gold.column!r}], choices, {gold.form!r}{told})"]
    return [f"gold = scoring.gold_letter(row[{gold.column!r}], choices, {gold.form!r})"]


def _gold_yes_no(scoring: Scoring) -> list[str]:
    return [f"gold = scoring.gold_yes_no(row[{scoring.gold.column!r}], {tuple(scoring.gold.yes)!r})"]


def _gold_number(scoring: Scoring) -> list[str]:
    return [f"gold = scoring.gold_number(row[{scoring.gold.column!r}])"]


def _gold_point(scoring: Scoring) -> list[str]:
    gold = scoring.gold
    column = "@mask" if gold.form == "mask" else gold.column
    lines = [f"target = scoring.gold_region(row[{column!r}], {gold.form!r})"]
    given = scoring.parameters
    arguments = _arguments({"scale": given["scale"]} if "scale" in given else {})
    radius = given.get("radius")
    if isinstance(radius, str):  # each row's own
        arguments += f", radius=scoring.gold_number(row[{radius!r}])"
    elif radius is not None:
        arguments += f", radius={radius!r}"
    size = given.get("size")
    if size == "picture":
        arguments += ", size=row['@size']"
    elif isinstance(size, str):
        arguments += f", size=row[{size!r}]"
    elif size is not None:
        sides = [f"float(row[{side!r}])" if isinstance(side, str) else repr(side) for side in size]
        arguments += f", size=({', '.join(sides)})"
    return [*lines, f"marks = metrics.hits(read.value, target{arguments})"]


def _gold_text(scoring: Scoring) -> list[str]:
    told = _arguments({"separator": scoring.gold.separator}, {"separator": ""})
    return [f"accepted = scoring.gold_texts(row[{scoring.gold.column!r}]{told})"]


_GOLDS = {
    "choice": _gold_choice,
    "yes_no": _gold_yes_no,
    "number": _gold_number,
    "point": _gold_point,
    "text": _gold_text,
}


def _worth(scoring: Scoring) -> str:
    given = scoring.parameters
    told = _arguments({name: given[name] for name in METRICS[scoring.kind][scoring.metric] if name in given})
    if scoring.kind == "number":
        name = "within" if scoring.metric in ("exact", "tolerance") else scoring.metric
        own = given.get("absolute")
        if isinstance(own, str):  # each row's own tolerance
            rest = _arguments({name: given[name] for name in ("inclusive", "decimals") if name in given})
            told = f", absolute=scoring.gold_number(row[{own!r}]){rest}"
        return f"metrics.{name}(read.value, gold{told})"
    if scoring.kind == "point":
        return f"metrics.reduce(marks, {given.get('reduce', 'share')!r})"
    if scoring.kind == "text":
        if scoring.metric == "label":
            return "metrics.matches(read.value, accepted, ('lower',))"
        if scoring.metric == "exact":
            exact = "metrics.matches(read.value, accepted, STEPS)"
            contained = given.get("contained")
            partly = f"{contained!r} * metrics.mentioned(read.value, accepted, STEPS)"
            return exact if contained is None else f"max({exact}, {partly})"
        name = "mentioned" if scoring.metric == "contains" else "f1"
        return f"metrics.{name}(read.value, accepted, STEPS{told})"
    return f"metrics.{'overlap' if scoring.metric == 'share_of_set' else 'equal'}(read.value, gold)"


def _arguments(given: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> str:
    """Keyword arguments behind others, less those that say what is so anyway."""
    without = defaults or {}
    kept = {name: value for name, value in given.items() if name not in without or without[name] != value}
    return "".join(f", {name}={_plain(value)!r}" for name, value in kept.items())


def _plain(value: Any) -> Any:
    return tuple(_plain(one) for one in value) if isinstance(value, list | tuple) else value


def _literal(value: Any) -> str:
    return pprint.pformat(msgspec.to_builtins(value), width=_WIDTH, sort_dicts=False)


def _printed(text: str) -> str:
    """A text of others on one line, so that it can neither end a comment nor a string."""
    line = " ".join(text.split())
    return json.dumps(line)[1:-1].replace('\\"', "'").replace("\\", "/")


def _said(title: str, sentences: tuple[str, ...]) -> list[str]:
    return ["", f"# {title}", *(f"#   {_printed(one)[:300]}" for one in sentences)] if sentences else []


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]
