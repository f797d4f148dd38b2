"""The offline roles on real questions, beside what a reader made of them."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from roles_script import play, said
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score

from gumption.benchmarks import open_suite
from gumption.curation.dimensions import OTHER, Assignment, Example, example_of
from gumption.curation.induction import Induction, diverse, induce
from gumption.curation.offline import OfflineAssigner, OfflineProposer, OfflineReviewer
from gumption.models.encoder import Encoder

pytestmark = pytest.mark.data
SIZE = 160
"""Items: embedding the pool whole takes a minute."""


@pytest.fixture(scope="module")
def induced(public_data: Path) -> tuple[tuple[Example, ...], Induction, Assignment]:
    whole = [example_of(item) for item in open_suite("question-pool", public_data).items]
    examples = diverse(whole, SIZE, seed=0)
    known: dict[str, np.ndarray] = {}
    encoder = Encoder()

    def encode(texts: list[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, encoder.encode(new), strict=True))
        return np.array([known[text] for text in texts], dtype=np.float32).reshape(len(texts), -1)

    assigner = OfflineAssigner(examples, encode)
    talk = induce(examples, OfflineProposer(encode), OfflineReviewer(), assigner, encode, probe=SIZE)
    found, _ = play(talk, lambda _: said(""))
    assert found.dimensions is not None
    labelled, _ = play(assigner.assign(examples, found.dimensions), lambda _: said(""))
    return examples, found, labelled


def test_five_to_nine_dimensions_are_accepted_each_of_several_benchmarks(
    induced: tuple[tuple[Example, ...], Induction, Assignment],
) -> None:
    _, found, labelled = induced
    assert found.accepted
    assert 5 <= len(labelled.dimensions.all) <= 9
    sources = found.past[-1].balance.sources
    assert all(len(sources[name]) >= 2 for name in labelled.dimensions.names)
    assert found.past[-1].balance.other < 0.1


def test_dimensions_are_not_the_benchmarks_by_another_name(
    induced: tuple[tuple[Example, ...], Induction, Assignment],
) -> None:
    examples, _, labelled = induced
    assert normalized_mutual_info_score([one.benchmark for one in examples], labelled.label) <= 0.5


def test_at_least_half_of_the_cells_agree_with_a_reader(
    induced: tuple[tuple[Example, ...], Induction, Assignment], cases: Path
) -> None:
    examples, _, labelled = induced
    names = (*labelled.dimensions.names, OTHER)
    cells: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one, label in zip(examples, labelled.label, strict=True):
        cells[one.benchmark, one.category][names[label]] += 1
    with (cases / "capabilities.csv").open() as file:
        read = [row for row in csv.DictReader(file) if row["benchmark"] != "VSR"]
    pairs = Counter(
        (cells[row["benchmark"], row["category"]].most_common(1)[0][0], row["capability"]) for row in read
    )
    capabilities = sorted({row["capability"] for row in read})
    table = np.array([[pairs[name, one] for one in capabilities] for name in names])
    agreed = table[linear_sum_assignment(-table)].sum()
    assert agreed / len(read) >= 0.5
