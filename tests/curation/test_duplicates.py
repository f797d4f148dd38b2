"""Near-duplicates: never across media, never where the media are unknown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from gumption.benchmarks import open_suite
from gumption.curation.duplicates import duplicates, measured_threshold, near_duplicates, similarities
from gumption.curation.embedding import embed
from gumption.records import Answer, GumptionError, Item, Text
from gumption.suites import Media


def angles(*degrees: float) -> np.ndarray:
    turn = np.radians(degrees)
    return np.c_[np.cos(turn), np.sin(turn)].astype(np.float32)


def test_the_first_is_kept_and_the_nearest_kept_one_stands() -> None:
    # cos 10 degrees is .985: 8 belongs to 0, 17 is kept (8 is not), 10 is nearer to 17 than to 0.
    stands = near_duplicates(angles(0, 8, 17, 10, 90), ["x"] * 5, 0.984)
    assert stands.tolist() == [0, 0, 2, 2, 4]


def test_equal_questions_on_other_or_unknown_media_are_none() -> None:
    same = angles(0, 0, 0, 0, 0, 0)
    assert near_duplicates(same, ["a", "b", "a", "", "", "b"], 0.9).tolist() == [0, 1, 0, 3, 4, 1]


def test_length_does_not_count_and_equal_vectors_meet_a_threshold_of_one() -> None:
    points = np.random.default_rng(0).standard_normal((300, 384)).astype(np.float32)
    doubled = np.concatenate([points, 7 * points])
    assert near_duplicates(doubled, ["x"] * 600, 1.0).tolist() == [*range(300), *range(300)]


def test_many_items_are_the_same_as_all_pairs() -> None:
    rng = np.random.default_rng(1)
    points = np.repeat(rng.standard_normal((400, 16)), 3, axis=0) + rng.normal(0, 0.01, (1200, 16))
    points = points[rng.permutation(1200)]
    stands = near_duplicates(points, ["x"] * 1200, 0.98)
    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    kept: list[int] = []
    for row in range(1200):
        if not any(unit[row] @ unit[other] >= 0.98 for other in kept):
            kept.append(row)
    assert np.flatnonzero(stands == np.arange(1200)).tolist() == kept
    assert len(kept) == 400


def test_a_very_large_pool_of_one_media_is_split_into_cells() -> None:
    rng = np.random.default_rng(2)
    points = rng.standard_normal((17_000, 24)).astype(np.float32)
    stands = near_duplicates(np.concatenate([points, points]), ["x"] * 34_000, 0.9999)
    assert (stands[17_000:] == np.arange(17_000)).all()


def test_the_threshold_is_measured() -> None:
    found = measured_threshold([0.99, 0.97, 0.80], np.linspace(0, 0.9, 91), most_false=0.05)
    # Four of 91 are allowed: .87 to .90; so just above .86.
    assert found.similarity == pytest.approx(0.86, abs=1e-6)
    assert found.found == pytest.approx(2 / 3) and found.false == pytest.approx(4 / 91)
    assert measured_threshold([0.95], [0.5, 0.9], most_false=0.0).similarity > 0.9
    for same, different in (([], [0.1]), ([0.1], []), ([1.0], [1.1])):
        with pytest.raises(GumptionError):
            measured_threshold(same, different)


def test_similarities_of_pairs() -> None:
    assert similarities(angles(0, 60, 180), [[0, 1], [0, 2]]) == pytest.approx([0.5, -1.0])


@pytest.mark.parametrize("threshold", [0.0, 1.2, float("nan")])
def test_a_threshold_that_is_no_cosine_is_refused(threshold: float) -> None:
    with pytest.raises(GumptionError):
        near_duplicates(angles(0), ["x"], threshold)


class _Still:
    """Every text has the same vector: only words, media and answers can tell items apart."""

    id = "still@1"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.ones((len(texts), 1), dtype=np.float32)


def _item(id: str, text: str, image: str = "", **answer: object) -> Item:
    told = Answer(**({"kind": "yes_no", "gold": "yes"} | answer))
    return Item(id, "pool", (Text(text),), told, meta={"image": image} if image else {})


def _stands(*items: Item, text_alone: tuple[str, ...] = ()) -> list[int]:
    embedded = embed(items, Media(), encoder=_Still(), text_alone=text_alone)
    return duplicates(items, embedded).stands.tolist()


def test_equal_texts_are_duplicates_only_where_the_media_are_known_to_be_the_same() -> None:
    text = "Where is the cup?"
    items = [_item("1", text), _item("2", text), _item("3", text, "a.jpg"), _item("4", text, "b.jpg"),
             _item("5", text.upper(), "a.jpg")]  # fmt: skip
    assert _stands(*items) == [0, 1, 2, 3, 2]
    assert _stands(*items, text_alone=("pool",)) == [0, 0, 2, 3, 2]


def test_what_has_another_answer_or_other_options_is_another_question() -> None:
    def choice(id: str, gold: str, **options: str) -> Item:
        return _item(id, "Which is red?", "a.jpg", kind="choice", gold=gold, choices=options)

    items = [
        choice("1", "A", A="cup", B="bowl"),
        choice("2", "B", A="bowl", B="cup"),
        choice("3", "B", A="cup", B="bowl"),
        choice("4", "A", A="cup", B="plate"),
    ]
    assert _stands(*items) == [0, 0, 2, 3]


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("The dog is left of the cat.", False),
        ("The cat is right of the dog.", False),
        ("the cat is, left of the dog", True),
        ("The cat is left of dog", True),
        ("The cat is just left of the dog.", True),
        ("The cat is left of the dog B.", False),
        ("The cat is of the dog.", False),
        ("The cat is not left of the dog.", False),
        ("The cat is left of the 2 dogs.", False),
    ],
)
def test_words_tell_apart_what_vectors_do_not(other: str, same: bool) -> None:
    found = _stands(_item("1", "The cat is left of the dog.", "a.jpg"), _item("2", other, "a.jpg"))
    assert found == [0, 0 if same else 1]


def test_all_items_identical_are_one_that_weighs_all() -> None:
    items = [_item(str(n), "Is it red?", "a.jpg") for n in range(500)]
    found = duplicates(items, embed(items, Media(), encoder=_Still()))
    assert found.kept.tolist() == [0] and found.weights.tolist() == [500] and found.unknown == 0


def test_vectors_of_other_items_are_refused() -> None:
    items = [_item("1", "a"), _item("2", "b")]
    with pytest.raises(GumptionError, match="other items"):
        duplicates(items[::-1], embed(items, Media(), encoder=_Still()))


def test_vectors_that_are_not_finite_are_refused() -> None:
    with pytest.raises(GumptionError, match="row 1"):
        near_duplicates([[1.0, 0.0], [np.nan, 0.0]], ["x", "x"], 0.9)


@pytest.mark.data
def test_no_two_questions_of_the_pool_with_different_answers_are_one(public_data: Path) -> None:
    items = [one for one in open_suite("question-pool", public_data).items if one.benchmark == "ViewSpatial"]
    found = duplicates(items, embed(items, Media(), encoder=_Still()))
    for row, stand in enumerate(found.stands.tolist()):
        one, other = items[row], items[stand]
        assert one.meta["image"] == other.meta["image"]
        assert one.answer.choices[one.answer.gold] == other.answer.choices[other.answer.gold]
