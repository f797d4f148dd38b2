"""The Data Agent whole, on pools that are made here: what comes out, and what odd pools get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roles_script import SET
from word_encoder import encode

from gumption.benchmarks.tabletop import draw_suite
from gumption.curation import agent
from gumption.curation.agent import Curation, Roles, curate, joined, offline_roles
from gumption.curation.artefact import OFFICIAL, selection_of
from gumption.curation.choice import check_rule, choose, per_dimension
from gumption.curation.dimensions import OTHER, Assignment, Dimensions, Example
from gumption.curation.roles import Balance, Brief, Past, Review
from gumption.models import Model
from gumption.records import Answer, GumptionError, Item, Text
from gumption.running import Talk
from gumption.suites import Suite


class Words:
    """Texts that share words are near."""

    id = "words@1"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.seen += texts
        return encode(texts)


class Broken(Words):
    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.full((len(texts), 4), np.nan, dtype=np.float32)


class Scripted:
    """Proposes three dimensions, accepts them, and labels every item alike."""

    name = "script"

    def __init__(self, label: int, dimensions: Dimensions = SET) -> None:
        self.label, self.dimensions = label, dimensions

    def propose(self, brief: Brief) -> Talk[Dimensions | None]:
        yield from ()
        return self.dimensions

    def review(self, dimensions: Dimensions, balance: Balance, past: Sequence[Past]) -> Talk[Review | None]:
        yield from ()
        return Review(True)

    def assign(
        self, examples: Sequence[Example], dimensions: Dimensions, full: frozenset[str] = frozenset()
    ) -> Talk[Assignment]:
        yield from ()
        return assignment([self.label] * len(examples))


def assignment(labels: Sequence[int]) -> Assignment:
    n = len(labels)
    label = np.array(labels, dtype=np.int64)
    votes = np.repeat(label[:, None], 5, axis=1)
    whole = np.ones(n, dtype=bool)
    return Assignment(SET, tuple(f"q{i}" for i in range(n)), label, votes, whole, ~whole, 5 * n, "")


def nobody(call: str) -> Model:
    raise AssertionError(f"{call} was asked")


def questions(*texts: str, benchmark: str = "bench") -> Suite:
    items = tuple(
        Item(f"q{number}", benchmark, (Text(text),), Answer("text", gold="so"), category="c")
        for number, text in enumerate(texts)
    )
    return Suite("questions", "1", items, licences={benchmark: "MIT"})


def made(pool: Suite, folder: Path, encoder: Words | None = None, **options: object) -> Curation:
    return curate(pool, "small", encoder or Words(), folder / "replies", **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """Drawn scenes, and questions of two kinds without pictures."""
    drawn = draw_suite(tmp_path_factory.mktemp("pictures"), scenes=16, seed=3)
    asked = [f"How many {thing} are on the {place}?" for thing in ("cups", "pens") for place in "abcdef"]
    asked += [f"What should the robot do next to {what}?" for what in ("cook", "clean", "leave", "sit")]
    told = tuple(
        Item(f"t{n}", f"text {n % 2}", (Text(text),), Answer("text", gold="x"))
        for n, text in enumerate(asked)
    )
    licences = {**drawn.licences, "text 0": "MIT", "text 1": "Apache-2.0"}
    return Suite("mixed", "1", (*drawn.items, *told), drawn.media, licences=licences)


@pytest.fixture(scope="module")
def whole(pool: Suite, tmp_path_factory: pytest.TempPathFactory) -> Curation:
    return made(pool, tmp_path_factory.mktemp("whole"), k=6)


def test_each_dimension_gets_k_items_or_all_it_has(whole: Curation) -> None:
    label, names = whole.assignment.label, (*whole.assignment.dimensions.names, OTHER)
    kept = whole.repeated.stands == np.arange(len(label))
    for number, name in enumerate(names[:-1]):
        inside = int((kept & (label == number)).sum())
        found = [item for item in whole.suite.items if item.dimension == name]
        assert len(found) == min(6, inside)
    assert OTHER not in {item.dimension for item in whole.suite.items}
    assert len(whole.pool.items) == whole.dossier.pool_items
    assert len(whole.suite.items) == whole.dossier.suite_items


def test_the_suite_is_scored_by_the_mean_over_dimensions_and_says_where_it_is_from(whole: Curation) -> None:
    assert whole.suite.official == OFFICIAL and OFFICIAL.by == "dimension"
    said = whole.suite.provenance
    assert said["pool"]["checksum"] == whole.pool.checksum and said["k"] == 6
    assert said["roles"] == {"proposer": "offline", "reviewer": "offline", "assigner": "offline"}
    used = {item.benchmark for item in whole.suite.items}
    assert set(whole.suite.licences) == {name for name in whole.pool.licences if name in used}
    originals = {item.id: item for item in whole.pool.items}
    for item in whole.suite.items:
        assert (item.parts, item.answer) == (originals[item.id].parts, originals[item.id].answer)
        for part in item.parts:
            if not isinstance(part, Text):
                assert whole.suite.media.read(part.sha256)


def test_every_item_has_its_votes_and_its_margin(whole: Curation) -> None:
    names = whole.assignment.dimensions.names
    lines = selection_of(whole.choice, whole.assignment, whole.pool)
    assert [one.id for one in lines] == [item.id for item in whole.suite.items]
    for one in lines:
        counts = sorted(one.votes.values(), reverse=True)
        assert one.votes[one.dimension] == counts[0] and sum(counts) <= 5
        rest = counts[1] if len(counts) > 1 else 0
        assert one.margin == pytest.approx((counts[0] - rest) / sum(counts))
        assert one.pool == whole.pool.checksum and one.dimension in names
    stood_for: Counter[str] = Counter()
    for one in lines:
        stood_for[one.dimension] += one.weight  # type: ignore[assignment]
    for number, name in enumerate(names):
        if name in stood_for:
            assert stood_for[name] == pytest.approx(int((whole.assignment.label == number).sum()))


def test_the_same_call_makes_the_same_suite_and_another_seed_another(
    whole: Curation, pool: Suite, tmp_path: Path
) -> None:
    again = made(pool, tmp_path, k=6)
    assert again.suite.checksum == whole.suite.checksum and again.dossier == whole.dossier
    assert made(pool, tmp_path / "other", k=6, seed=1).suite.checksum != whole.suite.checksum


def test_texts_are_embedded_once_with_a_cache(pool: Suite, tmp_path: Path) -> None:
    encoder = Words()
    made(pool, tmp_path, encoder, k=3, cache=tmp_path / "vectors")
    assert max(Counter(encoder.seen).values()) == 1
    again = Words()
    made(pool, tmp_path / "again", again, k=3, cache=tmp_path / "vectors")
    assert again.seen == []


def test_an_empty_pool_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match="empty"):
        made(Suite("none", "1", ()), tmp_path)


def test_one_item_is_a_suite_of_one(tmp_path: Path) -> None:
    found = made(questions("How many cups are on the table?"), tmp_path)
    assert [item.id for item in found.suite.items] == ["q0"]
    assert found.dossier.suite_items == 1


def test_a_k_larger_than_the_pool_keeps_all_that_has_a_dimension(pool: Suite, tmp_path: Path) -> None:
    found = made(pool, tmp_path, k=10_000, with_other=True, keep_duplicates=True)
    assert {item.id for item in found.suite.items} == {item.id for item in pool.items}
    assert set(found.choice.weight.tolist()) == {1.0}


def test_equal_items_without_known_pictures_are_not_called_duplicates(tmp_path: Path) -> None:
    found = made(questions(*["How many cups are there?"] * 40), tmp_path, k=7)
    assert len(found.suite.items) == 7 and found.repeated.unknown == 40


def test_equal_items_with_equal_pictures_leave_one(pool: Suite, tmp_path: Path) -> None:
    first = pool.items[0]
    copies = tuple(Item(f"c{n}", first.benchmark, first.parts, first.answer) for n in range(12))
    found = made(
        Suite("copies", "1", copies, pool.media, licences=pool.licences), tmp_path, k=5, with_other=True
    )
    assert [item.id for item in found.suite.items] == ["c0"]
    assert found.choice.duplicates == 11
    assert found.choice.weight.tolist() == [12.0]


def test_vectors_that_are_not_finite_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(GumptionError, match=r"finite|NaN"):
        made(questions("Where?", "How many?"), tmp_path, Broken())


def test_items_without_text_go_through(tmp_path: Path) -> None:
    found = made(questions("", "   ", "How many cups?", "How many pens?"), tmp_path, with_other=True)
    assert {item.id for item in found.suite.items} == {"q0", "q1", "q2", "q3"}
    assert not found.embedded.text[:2].any()


def roles(label: int) -> Roles:
    one = Scripted(label)
    return Roles(proposer=one, reviewer=one, assigner=one, ask_of=nobody)


def test_a_pool_that_is_all_other_is_refused_with_the_remedy_and_kept_on_request(tmp_path: Path) -> None:
    pool = questions("Where?", "How many?", "Why?")
    with pytest.raises(GumptionError, match="all are Other") as refused:
        made(pool, tmp_path, roles=lambda *_: roles(3))
    assert "--with-other" in refused.value.remedy
    found = made(pool, tmp_path / "kept", roles=lambda *_: roles(3), with_other=True)
    assert {item.dimension for item in found.suite.items} == {OTHER}


def test_an_induction_without_any_set_is_refused(tmp_path: Path) -> None:
    def silent(*_: object) -> Roles:
        found = roles(0)
        found.proposer.propose = lambda brief: _nothing()  # type: ignore[method-assign]
        return found

    with pytest.raises(GumptionError, match="no dimensions were found"):
        made(questions("Where?"), tmp_path, roles=silent)


def _nothing() -> Talk[None]:
    yield from ()


def test_dimensions_that_nobody_accepted_are_marked(tmp_path: Path) -> None:
    class Never(Scripted):
        def review(
            self, dimensions: Dimensions, balance: Balance, past: Sequence[Past]
        ) -> Talk[Review | None]:
            yield from ()
            return Review(False, coverage="Something is missing.")

    one = Never(0)
    found = made(
        questions("Where?", "How many?"),
        tmp_path,
        roles=lambda *_: Roles(proposer=one, reviewer=one, assigner=one, ask_of=nobody),
    )
    assert not found.induction.accepted and found.suite.provenance["accepted"] is False
    assert "no set was accepted" in found.dossier.missing[0]


def test_shards_joined_are_the_whole(whole: Curation) -> None:
    roles = offline_roles(whole.examples, encode)
    full = agent.full_sample(whole.examples)

    def labels(some: Sequence[Example]) -> Assignment:
        try:
            next(roles.assigner.assign(some, whole.assignment.dimensions, full))
        except StopIteration as stop:
            return stop.value
        raise AssertionError("it asks nothing")

    parts = [labels(whole.examples[start : start + 17]) for start in range(0, len(whole.examples), 17)]
    found, once = joined(parts), labels(whole.examples)
    assert found.ids == once.ids and found.asked == once.asked
    for name in ("label", "votes", "full", "adjudicated"):
        assert (getattr(found, name) == getattr(once, name)).all()


def test_shards_of_other_dimensions_are_not_joined() -> None:
    one = assignment([0])
    other = Assignment(
        Dimensions(SET.all[:2]), one.ids, one.label, one.votes, one.full, one.adjudicated, 5, ""
    )
    with pytest.raises(GumptionError, match="different dimensions"):
        joined([one, other])
    with pytest.raises(GumptionError):
        joined([])


@given(labels=st.lists(st.integers(0, 3), min_size=1, max_size=60), total=st.integers(1, 80))
@settings(max_examples=60)
def test_a_total_is_shared_out_and_no_larger_share_fits(labels: list[int], total: int) -> None:
    k = per_dimension(total, assignment(labels))
    sizes = [labels.count(number) for number in range(3)]
    assert k >= 1
    if k > 1:
        assert sum(min(size, k) for size in sizes) <= total
    if k < max(sizes, default=0):
        assert sum(min(size, k + 1) for size in sizes) > total


def test_places_are_shared_out_over_benchmarks_and_weights_say_for_how_many() -> None:
    """Of eight items of one benchmark and two of another, four places: two each, standing for 4 and 1."""
    examples = [Example(f"q{n}", "large" if n < 8 else "small", "c", "t", "text") for n in range(10)]
    found = choose(examples, assignment([0] * 10), 4, method="random")
    assert [examples[row].benchmark for row in found.rows] == ["large", "large", "small", "small"]
    assert found.weight.tolist() == [4.0, 4.0, 1.0, 1.0]
    assert not found.by_results


def test_past_results_have_a_part_only_where_they_are_asked_for() -> None:
    examples = [Example(f"q{n}", "b", "c", "t", "text") for n in range(40)]
    rng = np.random.default_rng(0)
    responses = (rng.random((10, 40)) < np.linspace(0.2, 0.8, 10)[:, None]).astype(float)
    labelled = assignment([0, 1] * 20)
    by_them = choose(examples, labelled, 5, method="item-total", responses=responses)
    without = choose(examples, labelled, 5, method="random", responses=responses)
    assert by_them.by_results and not without.by_results
    # The items whose score rises most with the model's mean, of each dimension.
    mean = responses.mean(axis=0)
    assert len(by_them.rows) == 10 and set(by_them.rows % 2) == {0, 1} and mean[by_them.rows].std() > 0
    # Where an item has no past result, auto takes none.
    responses[:, 3] = np.nan
    assert choose(examples, labelled, 5, responses=responses).selector == "random"


@pytest.mark.parametrize(
    ("method", "balance", "words"),
    [
        ("best", (), "no method"),
        ("random", ("colour",), "no balance"),
        ("item-total", (), "past results"),
        ("random", ("difficulty",), "past results"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_refused_before_any_work(
    method: str, balance: tuple[str, ...], words: str
) -> None:
    with pytest.raises(GumptionError, match=words):
        check_rule(method, balance, results=False)


def test_past_results_enter_the_certificate_with_each_dimension(tmp_path: Path) -> None:
    pool = questions(*(f"How many {n}?" if n % 2 else f"Where is the robot {n}?" for n in range(40)))
    rng = np.random.default_rng(1)
    responses = (rng.random((8, 40)) < np.linspace(0.2, 0.9, 8)[:, None]).astype(float)
    names = [f"m{n}" for n in range(8)]
    found = made(pool, tmp_path, k=8, method="random", responses=responses, models=names)
    assert found.dossier.fidelity is not None and found.dossier.orders is not None
    # Nothing was chosen by results, so all models are held out.
    assert found.dossier.fidelity.suite is not None and found.dossier.fidelity.suite.held_out
    label = found.assignment.label
    for one in found.dossier.orders.dimensions:
        number = (*found.assignment.dimensions.names, OTHER).index(one.name)
        rows = [row for row in found.choice.rows.tolist() if label[row] == number]
        assert one.suite == len(rows) and one.pool == int((label == number).sum())
        assert dict(one.order) == pytest.approx(
            dict(zip(names, responses[:, rows].mean(axis=1), strict=True))
        )
        assert [mean for _, mean in one.order] == sorted((mean for _, mean in one.order), reverse=True)


def test_public_names_are_there_and_modules_do_not_stand_for_functions() -> None:
    import gumption as g

    for name in g.curation.__all__:
        assert getattr(g.curation, name) is not None
    assert callable(g.curation.duplicates) and callable(g.curation.select) and callable(g.curation.certify)
    assert g.curation.curate is curate
    with pytest.raises(AttributeError):
        g.curation.nothing  # noqa: B018
