"""What two suites ask differently, named item by item and field by field."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import Answer, GumptionError, Image, Item, Text, Video
from gumption.suites import Suite, diff

PICTURE = Image("1" * 64, "image/png", 8, 6)
ITEM = Item(
    id="1",
    benchmark="quiz",
    parts=(PICTURE, Text("Which?")),
    answer=Answer("choice", "A", {"A": "x", "B": "y"}),
    cluster="room",
    category="place",
    dimension="space",
    meta={"n": 1},
)
SUITE = Suite("quiz", "1", (ITEM, msgspec.structs.replace(ITEM, id="2")), licences={"quiz": "MIT"})


def changed(**fields: Any) -> Suite:
    return replace(SUITE, items=(msgspec.structs.replace(ITEM, **fields), SUITE.items[1]))


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"parts": (PICTURE, Text("Which one?"))}, ("text",)),
        ({"parts": (Image("2" * 64, "image/png", 8, 6), Text("Which?"))}, ("media",)),
        ({"parts": (Text("Which?"), PICTURE)}, ("layout",)),
        ({"parts": (Text("Which?"),)}, ("media", "layout")),
        ({"parts": (Video("1" * 64), Text("Which?"))}, ("media",)),
        ({"answer": Answer("choice", "B", {"A": "x", "B": "y"})}, ("gold",)),
        ({"answer": Answer("choice", "A", {"A": "x", "B": "z"})}, ("options",)),
        ({"answer": Answer("choice", "A", {"B": "y", "A": "x"})}, ("options",)),
        ({"answer": Answer("yes_no", "yes")}, ("kind", "options", "gold")),
        ({"answer": Answer("choice", "A", {"A": "x", "B": "y"}, tolerance=1.0)}, ("convention",)),
        ({"category": "other"}, ("category",)),
        ({"dimension": "other"}, ("dimension",)),
        ({"cluster": "other"}, ("cluster",)),
        ({"benchmark": "other"}, ("benchmark",)),
        ({"meta": {"n": 2}}, ("meta",)),
        ({"meta": {"n": 1.0}}, ("meta",)),
        ({"dimension": "other", "cluster": ""}, ("dimension", "cluster")),
    ],
    ids=str,
)
def test_the_fields_that_differ_are_named(change: dict[str, Any], fields: tuple[str, ...]) -> None:
    found = diff(SUITE, changed(**change))
    assert [(one.id, one.fields) for one in found.changed] == [("1", fields)]
    assert (found.unchanged, found.only_a, found.only_b, found.same) == (1, (), (), False)


def test_order_name_version_and_provenance_do_not_count_but_are_told() -> None:
    other = Suite("else", "2", SUITE.items[::-1], provenance={"from": "x"}, licences={"quiz": "MIT"})
    found = diff(SUITE, other)
    assert found.same
    assert (found.a.name, found.b.name, found.b.version) == ("quiz", "else", "2")
    assert [(told.key, told.a, told.b) for told in found.provenance] == [("from", None, "x")]


def test_licences_count() -> None:
    found = diff(SUITE, replace(SUITE, licences={"quiz": "GPL-3.0", "more": "MIT"}))
    assert [(told.key, told.a, told.b) for told in found.licences] == [
        ("quiz", "MIT", "GPL-3.0"),
        ("more", None, "MIT"),
    ]
    assert not found.same
    assert found.changed == ()


def test_provenance_differs_where_it_differs() -> None:
    a = replace(SUITE, provenance={"pool": {"name": "p", "seeds": [1, 2]}, "k": 3, "same": [0]})
    b = replace(SUITE, provenance={"pool": {"name": "q", "seeds": [1, 5, 6]}, "k": {"x": 1}, "same": [0]})
    assert [(told.key, told.a, told.b) for told in diff(a, b).provenance] == [
        ("pool.name", "p", "q"),
        ("pool.seeds.1", 2, 5),
        ("pool.seeds.2", None, 6),
        ("k", 3, {"x": 1}),
    ]


def test_counts_by_hand() -> None:
    more = Item("3", "b", (Text("?"),), Answer("number", 2))
    found = diff(SUITE, replace(SUITE, items=(SUITE.items[1], more)))
    assert (found.only_a, found.only_b) == (("1",), ("3",))
    assert [(one.name, one.a, one.b) for one in found.counts["benchmark"]] == [("quiz", 2, 1), ("b", 0, 1)]
    assert [(one.name, one.a, one.b) for one in found.counts["kind"]] == [("choice", 2, 1), ("number", 0, 1)]
    assert [(one.name, one.a, one.b) for one in found.counts["dimension"]] == [("space", 2, 1), ("", 0, 1)]


def test_an_empty_suite() -> None:
    empty = Suite("empty", "1", (), licences={"quiz": "MIT"})
    assert diff(empty, empty).same
    assert diff(SUITE, empty).only_a == ("1", "2")


# ── properties ───────────────────────────────────────────────────────────────────────────────────────

few = st.sampled_from
items = st.builds(
    Item,
    id=few("abcdef"),
    benchmark=few(["x", "y"]),
    parts=few([(Text("p"),), (Text("q"),), (PICTURE, Text("p")), (Text("p"), PICTURE)]),
    answer=few(
        [
            Answer("choice", "A", {"A": "1", "B": "2"}),
            Answer("choice", "A", {"B": "2", "A": "1"}),
            Answer("number", 1),
            Answer("number", 1.0),
            Answer("text", ["s"]),
            Answer("yes_no", "no"),
        ]
    ),
    dimension=few(["", "d"]),
    meta=few([{}, {"k": [1]}, {"k": [True]}]),
)
suites = st.lists(items, max_size=6, unique_by=lambda item: item.id).map(
    lambda some: Suite("s", "1", tuple(some))
)


@given(suites, suites, st.randoms(use_true_random=False))
def test_a_difference_accounts_for_every_item_and_agrees_with_the_checksum(
    a: Suite, b: Suite, chance: random.Random
) -> None:
    found = diff(a, b)
    assert found.same == (a.checksum == b.checksum)
    assert found.unchanged + len(found.changed) + len(found.only_a) == len(a.items)
    assert found.unchanged + len(found.changed) + len(found.only_b) == len(b.items)
    assert all(one.fields for one in found.changed)
    back = diff(b, a)
    assert (back.only_a, back.only_b) == (found.only_b, found.only_a)
    assert {one.id: one.fields for one in back.changed} == {one.id: one.fields for one in found.changed}
    mixed = list(a.items)
    chance.shuffle(mixed)
    assert diff(a, replace(a, items=tuple(mixed))).same


def test_two_of_one_id_never_get_here() -> None:
    with pytest.raises(GumptionError):
        Suite("twice", "1", (ITEM, ITEM))
