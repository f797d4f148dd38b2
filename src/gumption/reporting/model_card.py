"""A run's results in the words of the Hugging Face Hub: `model-index` for a model card, and the
`.eval_results` of a registered benchmark.

Formats: huggingface/hub-docs, `modelcard.md` and `eval_results.yaml`; their readers are
`huggingface_hub.model_index_to_eval_results` and `parse_eval_result_entries`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gumption import __version__
from gumption.ranking._runs import OF_THE_MODEL
from gumption.records import GumptionError, Interval, Scorecard, Slice
from gumption.reporting._yaml import Yaml, yaml

__all__ = ["community_results", "model_card", "protocol_hash", "write_model_cards"]

_DIGITS = 4
"""A hundredth of a per cent."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def model_card(
    card: Scorecard,
    *,
    model: str = "",
    task: str = "image-text-to-text",
    dataset: str = "",
    source: tuple[str, str] | None = None,
) -> str:
    """The head of a model card: YAML between lines of three hyphens, to paste into a README.md.

    Values are shares in [0, 1]: the official aggregate, the mean over items, macro, the chance-adjusted mean,
    and each category and dimension. The `args` of each have its 95 % interval, the items scored and planned,
    coverage, unread rate, the version of gumption and the hash of the protocol.

    model: its name, else the scorecard's. task: a task of the Hub. dataset: its id on the Hub, else the
    suite's name. source: name and address of a page that has the evidence. An aggregate that has no mean is
    left out; a run without any raises GumptionError.
    """
    metrics = [_metric(card, part, interval, name) for name, interval, part in _numbers(card)]
    if not metrics:
        raise GumptionError(
            "nothing was scored", where=model or card.model, remedy="leave the model out, or run it again"
        )
    result: dict[str, Yaml] = {
        "task": {"type": task},
        "dataset": {
            "type": dataset or card.benchmark,
            "name": card.benchmark,
            "args": {"suite_checksum": str(card.protocol.get("suite", ""))},
        },
        "metrics": metrics,
    }
    if source is not None:
        result["source"] = {"name": source[0], "url": source[1]}
    return f"---\n{yaml({'model-index': [{'name': model or card.model, 'results': [result]}]})}---\n"


def community_results(
    card: Scorecard, dataset: str, task_id: str, *, source: tuple[str, str] | None = None
) -> str:
    """The official aggregate as a file of `.eval_results/`, for a benchmark that is registered on the Hub.

    dataset: its id there; task_id: as its eval.yaml names it. The interval, items, coverage, version and
    hash stand in the notes, the one place there is. Raises GumptionError where nothing was scored.
    """
    official, total = card.official, card.total
    if official.mean is None:
        raise GumptionError("nothing was scored", where=card.model, remedy="run the model again")
    notes = [
        official.name,
        *(
            [f"95 % interval {official.low:.{_DIGITS}f} to {official.high:.{_DIGITS}f}"]
            if official.low is not None and official.high is not None
            else []
        ),
        f"{total.n} of {total.planned} items scored",
        f"coverage {total.coverage:.{_DIGITS}f}",
        f"gumption {__version__}",
        f"protocol {protocol_hash(card.protocol)}",
    ]
    entry: dict[str, Yaml] = {
        "dataset": {"id": dataset, "task_id": task_id},
        "value": round(official.mean, _DIGITS),
    }
    if source is not None:
        entry["source"] = {"url": source[1], "name": source[0]}
    return yaml([{**entry, "notes": "; ".join(notes)}])


def write_model_cards(
    cards: Sequence[Scorecard],
    folder: Path,
    *,
    names: Sequence[str] = (),
    source: tuple[str, str] | None = None,
    benchmark: tuple[str, str] | None = None,
) -> tuple[Path, ...]:
    """Write MODEL.md for each scorecard, and MODEL.eval_results.yaml too where `benchmark` says the id and
    task of a registered benchmark. names: of the models, where they differ from the scorecards'."""
    folder.mkdir(parents=True, exist_ok=True)
    written, taken = [], set[str]()
    for card, name in zip(cards, names or [card.model for card in cards], strict=True):
        stem = _UNSAFE.sub("-", name).strip("-.")[:80] or "model"
        number = 1
        while (free := stem if number == 1 else f"{stem}-{number}").lower() in taken:
            number += 1
        taken.add(free.lower())
        texts = {f"{free}.md": model_card(card, model=name, dataset=(benchmark or ("",))[0], source=source)}
        if benchmark is not None:
            texts[f"{free}.eval_results.yaml"] = community_results(card, *benchmark, source=source)
        for file, text in texts.items():
            (folder / file).write_text(text, encoding="utf-8")
            written.append(folder / file)
    return tuple(written)


def protocol_hash(protocol: Mapping[str, Any]) -> str:
    """SHA-256 of a protocol as JSON with sorted keys, without what says which model was asked and where: two
    models asked and scored alike have one hash."""
    shared = {key: value for key, value in protocol.items() if key not in OF_THE_MODEL}
    return hashlib.sha256(msgspec.json.encode(shared, order="sorted")).hexdigest()


def _numbers(card: Scorecard) -> list[tuple[str, Interval, Slice]]:
    """Name, interval and the items behind it of all that has a mean, the official aggregate first; one that
    is official and macro stands once."""
    total = card.total
    found = {one.name: (one.name, one, total) for one in (card.official, card.micro, card.macro)}
    parts = [
        (f"{kind}: {part.name}", part.score, part)
        for kind, slices in (("category", card.categories), ("dimension", card.dimensions))
        for part in slices
    ]
    every = [*found.values(), ("chance-adjusted (0 is guessing, 1 all right)", total.adjusted, total), *parts]
    return [one for one in every if one[1].mean is not None]


def _metric(card: Scorecard, part: Slice, interval: Interval, name: str) -> dict[str, Yaml]:
    args: dict[str, Yaml] = {}
    if interval.low is not None and interval.high is not None:
        args = {
            "low": round(interval.low, _DIGITS),
            "high": round(interval.high, _DIGITS),
            "confidence": 0.95,
            "interval": interval.method,
        }
    args |= {
        "scored": part.n,
        "planned": part.planned,
        "coverage": round(part.coverage, _DIGITS),
        "unread": round(part.unread, _DIGITS),
        "gumption": __version__,
        "protocol_sha256": protocol_hash(card.protocol),
    }
    mean = interval.mean
    assert mean is not None  # as _numbers leaves out what has none
    return {"type": "score", "value": round(mean, _DIGITS), "name": name, "args": args}
