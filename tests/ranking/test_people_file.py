"""people.json and the rating form: there and back, and files that are neither."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gumption.ranking.people import PeopleRanking, Ratings, rank_by_people
from gumption.ranking.people_file import people_file, read_people, write_people
from gumption.ranking.rating_form import own_form, read_form
from gumption.records import GumptionError


@pytest.fixture(scope="module")
def people() -> PeopleRanking:
    lines = [
        (rater, model, scenario, dimension, mark)
        for rater in ("ann", "bob")
        for model, scenario, mark in (("a", "home", 5), ("a", "shop", 4), ("b", "home", 2))
        for dimension in ("goals", "order")
    ]
    return rank_by_people(Ratings(*zip(*lines, strict=True)), resamples=20)


def test_there_and_back(people: PeopleRanking, tmp_path: Path) -> None:
    write_people(tmp_path / "people.json", people)
    found = read_people(tmp_path / "people.json")
    assert found == people_file(people)
    assert found.matrix().tolist()[0] == [1.0, 0.75]
    assert found.agreement.overall == people.agreement


def test_the_file_is_as_it_is_described(people: PeopleRanking, tmp_path: Path) -> None:
    write_people(tmp_path / "people.json", people)
    plain = json.loads((tmp_path / "people.json").read_text())
    agreement = plain.pop("agreement")
    assert plain == {
        "format": "gumption-people-1",
        "models": ["a", "b"],
        "units": ["home", "shop"],
        "dimensions": ["goals", "order"],
        "scores": [[1.0, 0.75], [0.25, None]],
        "raters": 2,
    }
    assert agreement["overall"]["alpha"]["mean"] == 1.0 and set(agreement["dimensions"]) == {"goals", "order"}


def test_agreement_may_be_left_out(tmp_path: Path) -> None:
    """Scores of people from elsewhere: no more than models, units, dimensions and scores."""
    (tmp_path / "people.json").write_text(
        '{"format": "gumption-people-1", "models": ["a"], "units": ["u"], "dimensions": ["d"],'
        ' "scores": [[0.5]], "raters": 3}'
    )
    assert read_people(tmp_path / "people.json").agreement.overall is None


def edited(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], bytes]:
    def edit(plain: dict[str, Any]) -> bytes:
        change(plain)
        return json.dumps(plain).encode()

    return edit


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        (lambda _: b"{", "truncated"),
        (lambda _: b"[" * 100_000, "no ratings of people"),
        (lambda _: b"\xff\xfe", "no ratings of people"),
        (lambda _: b" " * (64 * 2**20 + 1), "over 64 MiB"),
        (edited(lambda plain: plain.update(format="gumption-people-2")), "format"),
        (edited(lambda plain: plain.pop("format") and plain.pop("models")), "missing required field"),
        (edited(lambda plain: plain["scores"][0].__setitem__(0, 1.5)), r"at `\$\.scores\[0\]\[0\]`"),
        (edited(lambda plain: plain["scores"][0].__setitem__(0, "1")), r"\$\.scores"),
        (edited(lambda plain: plain["scores"][0].__setitem__(0, float("nan"))), "no ratings of people"),
        (edited(lambda plain: plain["scores"].pop()), "1 rows of scores for 2 models"),
        (edited(lambda plain: plain["scores"][1].pop()), "1 scores of 'b' for 2 units"),
        (edited(lambda plain: plain.update(models=["a", "a"])), "models has 'a' twice"),
        (edited(lambda plain: plain.update(units=["home", "home"])), "units has 'home' twice"),
        (edited(lambda plain: plain.update(dimensions=["goals"] * 2)), "dimensions has 'goals' twice"),
        (edited(lambda plain: plain.update(raters=-1)), "raters"),
        (edited(lambda plain: plain.update(models=["a", ""])), "models"),
        (edited(lambda plain: plain.update(ratings=[])), "unknown field"),
        (edited(lambda plain: plain.update(scores=[[None, None]] * 2)), "no score in it"),
        (edited(lambda plain: plain["agreement"]["dimensions"].update(x=None)), "agreement on x"),
    ],
)
def test_files_that_are_none(people: PeopleRanking, tmp_path: Path, broken: Any, problem: str) -> None:
    file = tmp_path / "people.json"
    write_people(file, people)
    file.write_bytes(broken(json.loads(file.read_text())))
    with pytest.raises(GumptionError, match=problem) as caught:
        read_people(file)
    assert caught.value.where == str(file) and caught.value.remedy


def test_files_that_cannot_be_had(people: PeopleRanking, tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="cannot be read") as caught:
        read_people(tmp_path / "gone.json")
    assert caught.value.where == str(tmp_path / "gone.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(GumptionError, match="cannot be written"):
        write_people(tmp_path / "file" / "people.json", people)


# ── the form ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_form_has_eight_dimensions_with_words_for_every_step() -> None:
    """Eight of equal weight, as in the paper's study."""
    form = own_form()
    assert (form.low, form.high, len(form.dimensions)) == (1, 5, 8)
    assert all(one.question.endswith("?") and len(set(one.anchors)) == 5 for one in form.dimensions)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"gumption-rating-form-1"', '"form"', "format"),
        ('id = "goals"', 'id = "scene"', "the same id"),
        ('id = "goals"', 'id = "the goals"', "id"),
        ("high = 5", "high = 7", "has 5 anchors for 1 to 7"),
        ("high = 5", 'high = "five"', "high"),
        ("high = 5", "high = 5\nweight = 2", "unknown field"),
        ("format = ", "format ", "no rating form"),
    ],
)
def test_a_form_of_ones_own_and_forms_that_are_none(tmp_path: Path, old: str, new: str, problem: str) -> None:
    import gumption.ranking

    ours = Path(gumption.ranking.__file__).with_name("rating_form.toml").read_text()
    file = tmp_path / "form.toml"
    file.write_text(ours)
    assert read_form(file) == own_form()
    assert old in ours
    file.write_text(ours.replace(old, new))
    with pytest.raises(GumptionError, match=problem) as caught:
        read_form(file)
    assert caught.value.where == str(file) and caught.value.remedy


def test_a_form_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="cannot be read"):
        read_form(tmp_path / "form.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(GumptionError, match="over 1 MiB"):
        read_form(tmp_path / "large.toml")
