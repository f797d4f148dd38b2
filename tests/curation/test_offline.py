"""The offline roles on an encoder of words, so that what is near is known beforehand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from roles_script import play, said
from word_encoder import encode

from gumption.curation.dimensions import ABSENT, Assignment, Dimension, Dimensions, Example
from gumption.curation.induction import Induction, diverse, induce
from gumption.curation.offline import OfflineAssigner, OfflineProposer, OfflineReviewer, read_taxonomy
from gumption.curation.offline._parts import parts, silhouette
from gumption.curation.offline._tally import majority, without_idle
from gumption.curation.offline._terms import Lexicon, distinctive, words_of
from gumption.curation.roles import Balance, Brief, Change, Past, Review
from gumption.records import GumptionError

COLOUR = Dimension("Colour", "Which colour a thing has.", ("colour", "red", "green", "what colour is it"))
COUNT = Dimension("Counting", "How many things there are.", ("how many", "number", "count them"))
PLACE = Dimension("Place", "Where a thing stands.", ("left of", "behind", "facing", "where is it"))
SET = Dimensions((COLOUR, COUNT, PLACE))


def ask(number: int, text: str, category: str = "", benchmark: str = "b") -> Example:
    return Example(f"{number}", benchmark, category, text, "text")


POOL = tuple(
    ask(n, text.format(thing=thing), benchmark=f"b{n % 4}")
    for n, (text, thing) in enumerate(
        product(
            [
                "what colour is the {thing}",
                "how many {thing} are there",
                "where is the {thing}, left of what",
            ],
            [
                f"{size} {name}"
                for size in ("small", "large", "old")
                for name in ("cup", "box", "lamp", "bag")
            ],
        )
    )
)


def assigned(
    examples: tuple[Example, ...], dimensions: Dimensions = SET, full: frozenset[str] = frozenset()
) -> Assignment:
    return play(OfflineAssigner(POOL, encode).assign(examples, dimensions, full), lambda _: said(""))[0]


def proposed(brief: Brief, taxonomy: Dimensions = SET) -> Dimensions | None:
    return play(OfflineProposer(encode, taxonomy).propose(brief), lambda _: said(""))[0]


def reviewed(dimensions: Dimensions, balance: Balance) -> Review:
    found = play(OfflineReviewer().review(dimensions, balance, ()), lambda _: said(""))[0]
    assert found is not None
    return found


def induced(pool: tuple[Example, ...], taxonomy: Dimensions | None = None) -> Induction:
    talk = induce(
        pool,
        OfflineProposer(encode, taxonomy),
        OfflineReviewer(),
        OfflineAssigner(diverse(pool, 800, 0), encode),
        encode,
    )
    return play(talk, lambda _: said(""))[0]


# ── votes ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_tie_goes_to_the_nearest_and_never_to_other() -> None:
    votes = np.array([[0, 0, 1, 1, 2], [0, 0, 2, 2, 1], [1, 1, 1, 0, 0]])
    nearness = np.array([[0.1, 0.9], [-5.0, 0.9], [0.9, 0.1]])
    label, tied = majority(votes, nearness)
    assert label.tolist() == [1, 0, 1]
    assert tied.tolist() == [True, True, False]


@given(arrays.arrays(np.int64, (20, 5), elements=st.integers(0, 3)))
def test_votes_that_are_left_out_change_no_label(votes: np.ndarray) -> None:
    nearness = np.tile([0.3, 0.2, 0.1], (20, 1))
    full = np.arange(20) % 2 == 0
    needed = without_idle(votes, 4, full)
    assert (needed[full] == votes[full]).all()
    assert (majority(needed, nearness)[0] == majority(votes, nearness)[0]).all()
    for row, kept in zip(votes[~full], needed[~full], strict=True):
        asked = int((kept != ABSENT).sum())
        assert (kept[:asked] == row[:asked]).all()
        # One vote fewer, and some other ending would have had another leader, or a tie.
        endings = product(range(4), repeat=5 - asked + 1)
        counts = [np.bincount([*row[: asked - 1], *end], minlength=4) for end in endings]
        leaders = {tuple(np.flatnonzero(one == one.max())) for one in counts}
        assert len(leaders) > 1


def test_three_equal_votes_of_five_are_enough() -> None:
    needed = without_idle(np.array([[1, 1, 1, 0, 0]]), 3, np.array([False]))
    assert needed.tolist() == [[1, 1, 1, ABSENT, ABSENT]]


# ── words ────────────────────────────────────────────────────────────────────────────────────────────


@given(
    arrays.arrays(np.float64, (12, 4), elements=st.floats(-1, 1)).filter(
        lambda x: (abs(x).sum(axis=1) > 0.1).all()
    ),
    arrays.arrays(np.int64, 12, elements=st.integers(0, 3)).filter(lambda x: len(set(x.tolist())) > 1),
)
def test_silhouettes_are_those_of_scikit_learn(points: np.ndarray, label: np.ndarray) -> None:
    from sklearn.metrics import silhouette_score

    unit = points / np.linalg.norm(points, axis=1, keepdims=True)
    label = np.unique(label, return_inverse=True)[1]
    assert silhouette(unit, label) == pytest.approx(silhouette_score(unit, label, metric="cosine"), abs=1e-5)


def test_items_that_are_not_apart_are_one_part() -> None:
    points = np.random.default_rng(0).standard_normal((60, 64)).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    assert not parts(points, 5, 0).any()
    assert not parts(points[:1], 5, 0).any()
    assert not parts(np.repeat(points[:1], 9, axis=0), 5, 0).any()
    corners = np.repeat(np.eye(3, dtype=np.float32), 5, axis=0)
    assert len(set(zip(parts(corners, 5, 0).tolist(), np.repeat([0, 1, 2], 5).tolist(), strict=True))) == 3


def test_words_of_categories_and_plurals() -> None:
    assert words_of("syntheticgeometry__Angles, Object/attribute") == (
        "syntheticgeometry",
        "angle",
        "object",
        "attribute",
    )
    assert words_of("glass bus is 12") == ("glass", "bus", "is", "12")


def test_the_longest_term_counts_at_its_place() -> None:
    away = Dimensions(
        (
            Dimension("Turn", "Where it faces.", ("facing away from",)),
            Dimension("Far", "How far.", ("away from", "far")),
        )
    )
    lexicon = Lexicon(away, [])
    assert lexicon.weights("The cat is facing away from the dog.").tolist() == [3, 0]
    assert lexicon.weights("The cat is away from the dog, away from all.").tolist() == [0, 2]
    assert lexicon.weights("").tolist() == [0, 0]


def test_a_term_of_every_text_weighs_next_to_nothing() -> None:
    known = ["the cup is left of it", "the bag is left of it, behind"]
    found = Lexicon(SET, known).weights("left of")[2], Lexicon(SET, known).weights("facing")[2]
    assert 0 < found[0] < 0.2 < 0.9 < found[1]


def test_words_that_tell_a_group_from_another() -> None:
    texts = [f"Which chord follows in bar {n}?" for n in range(30)] + [
        f"Which pawn moves in turn {n}?" for n in range(30)
    ]
    chords, pawns = distinctive(texts, np.repeat([0, 1], 30), 2, 3)
    assert set(chords) <= {"chord", "follow", "bar", "chord follow"}
    assert "pawn" in " ".join(pawns)
    assert distinctive(["same word"] * 4, np.array([0, 0, 1, 1]), 2, 3) == [(), ()]


# ── the assigner ─────────────────────────────────────────────────────────────────────────────────────


def test_items_fall_where_their_words_say() -> None:
    found = assigned(POOL, full=frozenset({"0"}))
    assert found.label.tolist() == [0] * 12 + [1] * 12 + [2] * 12
    assert found.evidence == "same embedding, not evidence"
    assert (found.votes[0] != ABSENT).all()
    assert found.asked == (found.votes != ABSENT).sum() < 5 * len(POOL)


def test_a_label_depends_on_no_other_item() -> None:
    whole = assigned(POOL)
    parts = [assigned(POOL[start : start + 7]) for start in range(0, len(POOL), 7)]
    assert np.concatenate([one.label for one in parts]).tolist() == whole.label.tolist()
    assert np.concatenate([one.votes for one in parts]).tolist() == whole.votes.tolist()
    assert len(assigned(()).label) == 0


def test_what_is_blank_or_foreign_is_other() -> None:
    found = assigned((ask(1, ""), ask(2, "  \n"), ask(3, "Übersetze dies"), ask(4, "", "colour")))
    assert found.label.tolist() == [3, 3, 3, 0]


def test_no_probe_is_an_error() -> None:
    with pytest.raises(GumptionError, match="no probe"):
        OfflineAssigner((), encode)


def test_vectors_that_are_no_numbers_are_an_error() -> None:
    with pytest.raises(GumptionError, match="not finite"):
        play(
            OfflineAssigner(POOL, lambda texts: encode(texts) * np.float32("nan")).assign(POOL, SET),
            lambda _: said(""),
        )


# ── the reviewer ─────────────────────────────────────────────────────────────────────────────────────


def balance(
    counts: dict[str, int],
    overlap: dict[str, float] | None = None,
    confusion: dict[str, float] | None = None,
    sources: tuple[str, ...] = ("w", "x", "y", "z"),
    narrow: str = "",
) -> Balance:
    share = {name: dict.fromkeys(sources[: 1 if name == narrow else 4], 1) for name in counts}
    total = sum(counts.values())
    return Balance(counts, share, counts["Other"] / total, 0.9, overlap or {}, confusion or {}, {})


EVEN = {"Colour": 100, "Counting": 100, "Place": 100, "Other": 5}
APART = {"Colour | Place": 0.3, "Colour | Counting": 0.2, "Counting | Place": 0.1}


def test_an_even_set_is_accepted_and_judged_in_words() -> None:
    found = reviewed(SET, balance(EVEN, APART))
    assert found.accepted
    assert not found.changes
    assert "Colour | Place" in found.redundancy
    assert "1.6%" in found.coverage


@pytest.mark.parametrize(
    ("found", "action", "names"),
    [
        (balance(EVEN, {**APART, "Colour | Place": 0.9}), "merge", ("Colour", "Place")),
        (
            balance(EVEN, {**APART, "Colour | Place": 0.6}, {"Colour | Place": 0.5}),
            "merge",
            ("Colour", "Place"),
        ),
        (balance({**EVEN, "Other": 200}, APART), "add", ()),
        (balance({**EVEN, "Place": 1}, APART), "drop", ("Place",)),
        (balance({**EVEN, "Place": 0}, APART), "drop", ("Place",)),
        (balance({**EVEN, "Place": 1}, {**APART, "Colour | Place": 0.6}), "merge", ("Colour", "Place")),
        (balance(EVEN, APART, narrow="Place"), "drop", ("Place",)),
        (balance({**EVEN, "Place": 900}, APART), "split", ("Place",)),
    ],
)
def test_what_is_wrong_is_asked_to_be_mended(found: Balance, action: str, names: tuple[str, ...]) -> None:
    review = reviewed(SET, found)
    assert not review.accepted
    assert [(change.action, change.dimensions) for change in review.changes] == [(action, names)]


def test_a_small_probe_and_a_pool_of_one_benchmark_are_no_reason() -> None:
    assert reviewed(SET, balance({"Colour": 30, "Counting": 1, "Place": 1, "Other": 0}, APART)).accepted
    assert reviewed(SET, balance({**EVEN, "Place": 900}, APART, sources=("w",))).accepted


def test_a_bar_in_a_name_is_part_of_it() -> None:
    odd = Dimensions((Dimension("A | B", "One."), Dimension("C", "Two.")))
    found = reviewed(odd, balance({"A | B": 90, "C": 100, "Other": 0}, {"A | B | C": 0.9}))
    assert found.changes[0].dimensions == ("C", "A | B")


def test_no_dimension_is_changed_twice_at_once() -> None:
    review = reviewed(SET, balance({**EVEN, "Place": 0}, dict.fromkeys(APART, 0.9)))
    touched = [name for change in review.changes for name in change.dimensions]
    assert len(touched) == len(set(touched))


# ── the proposer ─────────────────────────────────────────────────────────────────────────────────────


def brief(*past: Past, probe: tuple[Example, ...] = POOL, wanted: tuple[int, int] = (2, 9)) -> Brief:
    return Brief({}, probe, past, wanted)


def after(dimensions: Dimensions, *changes: Change, number: int = 1) -> Past:
    counts = dict.fromkeys((*dimensions.names, "Other"), 12)
    return Past(number, dimensions, balance(counts, APART), Review(not changes, changes=changes), 0.5)


def test_dimensions_without_support_are_not_proposed() -> None:
    opera = Dimension("Opera", "Who sings which aria.", ("aria", "soprano"))
    found = proposed(brief(), Dimensions((*SET.all, opera)))
    assert found is not None
    assert found.names == SET.names


def test_items_that_fit_nothing_get_a_dimension_named_by_their_words() -> None:
    music = tuple(ask(100 + n, f"soprano sings aria opera{n} act{n * n}") for n in range(20))
    found = proposed(brief(probe=(*POOL, *music)))
    assert found is not None
    assert found.names[:3] == SET.names
    assert len(found.names) == 4
    assert set(found.names[3].lower().replace(" and", "").split()) & {"soprano", "aria", "sing"}


def test_too_many_are_merged_and_keep_all_terms() -> None:
    found = proposed(brief(wanted=(1, 2)))
    assert found is not None
    assert len(found.all) == 2
    assert {term for one in found.all for term in one.terms} == {
        term for one in SET.all for term in one.terms
    }


def test_an_accepted_set_is_proposed_again() -> None:
    assert proposed(brief(after(SET))) == SET


def test_changes_are_made() -> None:
    dropped = proposed(brief(after(SET, Change("drop", ("Place",), ""))))
    assert dropped is not None
    assert dropped.names == ("Colour", "Counting")
    merged = proposed(brief(after(SET, Change("merge", ("Colour", "Place"), ""))))
    assert merged is not None
    assert merged.names == ("Colour / Place", "Counting")
    sharper = proposed(brief(after(SET, Change("sharpen", ("Place",), ""))))
    assert sharper is not None
    assert sharper.all[:2] == SET.all[:2]
    assert sharper.all[2].definition.startswith(PLACE.definition)
    assert sharper.sha256 != SET.sha256


def test_a_dimension_of_two_kinds_is_split() -> None:
    whole = Dimensions((Dimension("Anything", "All there is.", ("colour", "how many")),))
    found = proposed(brief(after(whole, Change("split", ("Anything",), "")), probe=POOL[:24]))
    assert found is not None
    assert len(found.all) == 2
    assert all(name.startswith("Anything: ") for name in found.names)


def test_nothing_rejected_is_proposed_again() -> None:
    drop, merge = Change("drop", ("Place",), ""), Change("merge", ("Colour", "Counting"), "")
    first = after(SET, drop, merge)
    both = proposed(brief(first))
    assert both is not None
    one = proposed(brief(after(both, drop, number=2), after(SET, drop, merge, number=3)))
    assert one is not None
    assert one.sha256 not in {SET.sha256, both.sha256}
    assert proposed(brief(first, after(SET, Change("sharpen", ("Nothing",), ""), number=2))) is None


# ── the whole loop ───────────────────────────────────────────────────────────────────────────────────


def test_the_loop_ends_with_the_dimensions_that_are_there() -> None:
    found = induced(POOL, SET)
    assert found.accepted
    assert found.dimensions is not None
    assert set(found.dimensions.names) == set(SET.names)
    assert found == induced(POOL, SET)


@pytest.mark.parametrize(
    "pool",
    [
        (ask(0, "how many cups"),),
        tuple(ask(n, "how many cups") for n in range(300)),
        tuple(ask(n, "", "how many") for n in range(60)),
        tuple(ask(n, "?", "") for n in range(60)),
        tuple(ask(n, "如图 直线 平行", "几何") for n in range(60)),
    ],
    ids=["one item", "all identical", "categories alone", "no words", "another script"],
)
def test_odd_pools_end_well(pool: tuple[Example, ...]) -> None:
    found = induced(pool)
    assert found.stopped_because
    if found.dimensions is not None:
        assert sum(found.past[-1].balance.counts.values()) == len(pool)


def test_items_without_text_or_category_give_no_dimension() -> None:
    found = induced(tuple(ask(n, " ") for n in range(60)))
    assert found.dimensions is None
    assert found.stopped_because == "the Proposer had no proposal"


# ── the taxonomy ─────────────────────────────────────────────────────────────────────────────────────


def test_the_taxonomy_gives_every_dimension_terms_of_its_own() -> None:
    found = read_taxonomy()
    assert 5 <= len(found.all) <= 12
    terms = [term for one in found.all for term in one.terms]
    assert len(terms) == len(set(terms))


@pytest.mark.parametrize(
    "text", ["", "version = 1", 'version = "1"\n[[dimension]]\nname = "x"', "\xff", "[[["]
)
def test_a_file_that_is_no_taxonomy(tmp_path, text: str) -> None:
    (tmp_path / "t.toml").write_text(text, "latin-1")
    with pytest.raises(GumptionError):
        read_taxonomy(tmp_path / "t.toml")
    with pytest.raises(GumptionError):
        read_taxonomy(tmp_path / "missing.toml")
