"""L2 and L4: names, and what is like them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gumption.planning.resolve import name, read_phrase, spelling
from gumption.planning.resolve._broad import BROAD, NO_TYPE, STAND_INS
from gumption.planning.resolve._names import NAMES
from gumption.planning.resolve.similarity import THRESHOLD, nearest
from gumption.planning.resolve.static import spoken


def types(text: str) -> tuple[str, ...]:
    found = name(read_phrase(text))
    return found.tiers[0] if found.tiers else ()


@pytest.mark.parametrize(
    ("phrase", "kinds"),
    [
        ("creditcard", ("CreditCard",)),
        ("CREDIT CARD", ("CreditCard",)),
        ("the apples", ("Apple",)),
        ("knives", ("Knife",)),
        ("Red Sofa", ("Sofa",)),
        ("white ceramic cup", ("Cup",)),
        ("Drawer Interior", ("Drawer",)),
        ("Bed Right Wall Side", ("Bed",)),
        ("slice of bread", ("BreadSliced",)),
        ("Tomato Piece", ("TomatoSliced",)),
        ("sliced potatoes", ("PotatoSliced",)),
        ("piece of soap", ("SoapBar",)),
        ("Round Table", ("DiningTable", "CoffeeTable", "SideTable")),
        ("T.V.", ("Television",)),
        ("chest of drawers", ("Dresser",)),
        ("Trash", ("GarbageCan",)),
        ("Cutting Board", ()),
        ("Flux Capacitor", ()),
    ],
)
def test_names(phrase: str, kinds: tuple[str, ...]) -> None:
    assert types(phrase) == kinds


@pytest.mark.data
def test_every_type_of_ithor_has_names_and_its_own_is_one(public_data: Path) -> None:
    lines = (public_data / "ithor" / "affordances.csv").read_text().splitlines()[1:]
    kinds = [line.split(",")[0] for line in lines]
    assert len(kinds) == 118
    assert set(NAMES) == set(kinds)
    for kind in kinds:
        assert kind in types(kind), kind


def test_the_tables_name_types_only_and_no_name_twice() -> None:
    meant = {kind for tiers in BROAD.values() for kind in tiers.replace("/", " ").split()}
    assert meant | set(STAND_INS) | set(STAND_INS.values()) <= set(NAMES)
    every = [one.strip() for names in NAMES.values() for one in names.split(",")]
    twice = {one for one, count in Counter(every).items() if count > 1} - set(BROAD)
    assert not twice
    assert not set(every) & {one.strip() for one in NO_TYPE.replace("\n", " ").split(",")}


@pytest.mark.parametrize(
    ("slip", "word"),
    [
        ("refridgerator", "refrigerator"),
        ("micowave", "microwave"),
        ("tomatto", "tomato"),
        ("cabniet", "cabinet"),
    ],
)
def test_slips_of_spelling_are_near(slip: str, word: str) -> None:
    assert spelling(slip, [word])[0] >= THRESHOLD


@pytest.mark.parametrize(
    ("other", "word"), [("burger", "burner"), ("handle", "candle"), ("chain", "chair"), ("pastry", "pantry")]
)
def test_other_words_are_not(other: str, word: str) -> None:
    assert spelling(other, [word])[0] < THRESHOLD


def test_a_misspelt_thing_without_a_type_is_not_taken_for_another() -> None:
    assert nearest("cuting board", spoken(), set(NAMES)).namings[0].no_type


def test_another_measure_of_likeness_can_be_given() -> None:
    found = nearest(
        "davenport", spoken(), {"Sofa"}, lambda _, names: [float(one == "couch") for one in names]
    )
    assert (found.namings[0].types, found.likeness) == (("Sofa",), 1.0)
