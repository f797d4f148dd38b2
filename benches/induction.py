"""Capability dimensions of the question pool by the offline roles: what they are, and how far to trust them.

Agreement is the share of benchmark x category cells whose commonest dimension is the one that a reader's
capability is matched with, one to one (the reader's labels are half of the cells, tests/cases). Without
category names the roles see the questions alone; without terms the taxonomy gives names and definitions
alone. `python -m benches induction [--examples]` prints ten items of each dimension as well.
"""

from __future__ import annotations

import csv
import os
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from benches._table import show
from gumption.benchmarks import open_suite
from gumption.curation.dimensions import OTHER, Assignment, Dimension, Dimensions, Example, example_of
from gumption.curation.induction import Induction, diverse, induce
from gumption.curation.offline import OfflineAssigner, OfflineProposer, OfflineReviewer, read_taxonomy
from gumption.models.encoder import Encoder
from gumption.running.talks import Talk

T = TypeVar("T")
DATA = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or "../shared/data")
CELLS = Path("tests/cases/capabilities.csv")
SEEDS = range(5)
PROBE, FULL, SHOWN = 800, 500, 10
MIXED = (
    ("SpatialScore-Hard", "Others"),
    ("SpatialScore-Hard", "3D Positional Relation"),
    ("SpatialScore-Hard", "Object Properties"),
    ("EgoThink", "Reasoning/comparing"),
    ("EgoThink", "Reasoning/situated"),
    ("MathVista", "visual question answering"),
    ("LogicVista", "spatial"),
)
"""Cells that the reader found to hold several capabilities."""


class Vectors:
    """An encoder that remembers."""

    def __init__(self) -> None:
        self._encoder, self._known = Encoder(), dict[str, NDArray[np.float32]]()

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.float32).reshape(len(texts), -1)


def main() -> None:
    if not (DATA / "question_pool").is_dir() or not CELLS.is_file():
        print(f"Skipped: no {DATA / 'question_pool'} or no {CELLS}")
        return
    examples = [example_of(item) for item in open_suite("question-pool", DATA).items]
    encode, start = Vectors(), perf_counter()
    encode([one.text for one in examples])
    embedding, start = perf_counter() - start, perf_counter()
    found, labelled = _made(examples, encode, 0)
    seconds = perf_counter() - start
    _show_dimensions(examples, labelled)
    again = [labelled.label, *(_made(examples, encode, seed)[1].label for seed in SEEDS[1:])]
    bare = Dimensions(tuple(Dimension(one.name, one.definition) for one in read_taxonomy().all))
    blank = [msgspec.structs.replace(one, category="") for one in examples]
    variants = {
        "as it is": (found, labelled),
        "questions alone, no category names": _made(blank, encode, 0),
        "taxonomy of names and definitions alone": _made(examples, encode, 0, bare),
    }
    rows = [
        _figures(name, examples, induction, assignment) for name, (induction, assignment) in variants.items()
    ]
    header = (
        "",
        "dimensions",
        "accepted",
        "NMI with the source",
        "agreement without VSR",
        "VSR",
        "all cells",
    )
    show("Agreement with a reader", header, rows)
    rand = [_adjusted_rand(one, other) for one, other in combinations(again, 2)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"\nAdjusted Rand index over {len(SEEDS)} seeds: mean {np.mean(rand):.3f}, least {min(rand):.3f}.")
    print(f"Votes asked: {labelled.asked:,} of {labelled.votes.size:,}.")
    print(f"Embedding {embedding:.0f} s; induction and labels {seconds:.1f} s; peak {peak:.2f} GB.\n")
    _show_mixed(examples, labelled)
    if "--examples" in sys.argv:
        _show_examples(examples, labelled)


def _made(
    examples: Sequence[Example], encode: Vectors, seed: int, taxonomy: Dimensions | None = None
) -> tuple[Induction, Assignment]:
    assigner = OfflineAssigner(diverse(examples, PROBE, seed), encode)
    proposer = OfflineProposer(encode, taxonomy, seed)
    found = _end(induce(examples, proposer, OfflineReviewer(), assigner, encode, probe=PROBE, seed=seed))
    if found.dimensions is None:
        raise SystemExit(found.stopped_because)
    drawn = np.random.default_rng(seed).choice(len(examples), min(FULL, len(examples)), replace=False)
    full = frozenset(examples[row].id for row in drawn.tolist())
    return found, _end(assigner.assign(examples, found.dimensions, full))


def _end(talk: Talk[T]) -> T:
    try:
        next(talk)
    except StopIteration as stop:
        ended: T = stop.value
        return ended
    raise SystemExit("an offline role asked something")


def _show_dimensions(examples: Sequence[Example], labelled: Assignment) -> None:
    names = (*labelled.dimensions.names, OTHER)
    sources: dict[str, Counter[str]] = {name: Counter() for name in names}
    for one, label in zip(examples, labelled.label, strict=True):
        sources[names[label]][one.benchmark] += 1
    rows = [
        (
            name,
            f"{inside.total():,}",
            str(len(inside)),
            ", ".join(f"{source} {count:,}" for source, count in inside.most_common()),
        )
        for name, inside in sources.items()
    ]
    show(f"Dimensions of {len(examples):,} items", ("dimension", "items", "sources", "of which"), rows)
    print()


def _figures(
    name: str, examples: Sequence[Example], found: Induction, labelled: Assignment
) -> tuple[str, ...]:
    benchmarks = np.unique([one.benchmark for one in examples], return_inverse=True)[1]
    commonest = {cell: counts.most_common(1)[0][0] for cell, counts in _cells(examples, labelled).items()}
    with CELLS.open() as file:
        read = [((row["benchmark"], row["category"]), row["capability"]) for row in csv.DictReader(file)]
    parts = (
        [row for row in read if row[0][0] != "VSR"],
        [row for row in read if row[0][0] == "VSR"],
        read,
    )
    agreed = [_matched([(commonest[cell], capability) for cell, capability in part]) for part in parts]
    return (
        name,
        str(len(labelled.dimensions.all)),
        "yes" if found.accepted else "no",
        f"{_information(benchmarks, labelled.label):.2f}",
        *(f"{hits / len(part):.2f} of {len(part)}" for hits, part in zip(agreed, parts, strict=True)),
    )


def _cells(examples: Sequence[Example], labelled: Assignment) -> dict[tuple[str, str], Counter[str]]:
    names = (*labelled.dimensions.names, OTHER)
    cells: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one, label in zip(examples, labelled.label, strict=True):
        cells[one.benchmark, one.category][names[label]] += 1
    return cells


def _matched(pairs: Sequence[tuple[str, str]]) -> int:
    """Pairs that the best one-to-one matching of names to capabilities holds."""
    names, capabilities = sorted({name for name, _ in pairs}), sorted({one for _, one in pairs})
    counts = Counter(pairs)
    table = np.array([[counts[name, one] for one in capabilities] for name in names])
    return int(table[linear_sum_assignment(-table)].sum())


def _table(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
    table = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(table, (one, other), 1)
    return table


def _information(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """Mutual information over the mean of the two entropies."""
    shares = _table(one, other) / len(one)
    entropy = [_entropy(part) for part in (shares.sum(axis=1), shares.sum(axis=0), shares)]
    return (entropy[0] + entropy[1] - entropy[2]) / ((entropy[0] + entropy[1]) / 2)


def _entropy(shares: NDArray[np.float64]) -> float:
    told = shares[shares > 0]
    return float(-(told * np.log(told)).sum())


def _adjusted_rand(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    table = _table(one, other)
    both, rows, columns, every = (
        float((part * (part - 1) / 2).sum())
        for part in (table, table.sum(axis=1), table.sum(axis=0), np.array([len(one)]))
    )
    chance = rows * columns / every
    return (both - chance) / ((rows + columns) / 2 - chance)


def _show_mixed(examples: Sequence[Example], labelled: Assignment) -> None:
    cells = _cells(examples, labelled)
    rows = [
        (*cell, ", ".join(f"{name} {count}" for name, count in cells[cell].most_common(4))) for cell in MIXED
    ]
    show("Cells of several capabilities", ("benchmark", "category", "where its items went"), rows)


def _show_examples(examples: Sequence[Example], labelled: Assignment) -> None:
    """At random, each benchmark as likely as the next."""
    rng = np.random.default_rng(0)
    for number, name in enumerate((*labelled.dimensions.names, OTHER)):
        print(f"\n{name}")
        rows = np.flatnonzero(labelled.label == number)
        counts = Counter(examples[row].benchmark for row in rows.tolist())
        chance = np.array([1 / counts[examples[row].benchmark] for row in rows.tolist()])
        if len(rows):
            drawn = rng.choice(rows, min(SHOWN, len(rows)), replace=False, p=chance / chance.sum())
            for row in drawn.tolist():
                one = examples[row]
                print(f"- {one.benchmark}, {one.category}: {' '.join(one.text.split())[-160:]}")
