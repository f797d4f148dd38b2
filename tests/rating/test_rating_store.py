"""The store on both databases: tasks, leases, drafts, revisions, deletion."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from places import Place
from studies import invite, material, new, study, values, work

from gumption.rating.errors import ClosedError, LinkError, NotThereError, RatingError, StaleError
from gumption.rating.store import Store
from gumption.rating.study import LEFT, RIGHT, Material, Study
from gumption.records import GumptionError


def submitted(store: Store, made: Study) -> Counter[tuple[str, tuple[str, ...]]]:
    """How many people judged each unit."""
    records = store.records(made.id)
    return Counter(record.unit for record in records if record.revision and not record.repeat)


@pytest.mark.parametrize(("kind", "units"), [("rating", 9), ("pairwise", 9), ("labels", 3)])
def test_as_many_people_as_wanted_judge_everything_and_nobody_twice(
    store: Store, kind: str, units: int
) -> None:
    made = new(store, study(kind, raters_wanted=2))
    for rater in invite(store, made, 3):
        work(store, rater)
    counts = submitted(store, made)
    assert len(counts) == len(store.units(made.id)) == units
    assert set(counts.values()) == {2}
    pairs = Counter((record.rater, record.unit) for record in store.records(made.id))
    assert set(pairs.values()) == {1}


def test_a_task_is_taken_up_again_on_another_device(place: Place) -> None:
    store = place.open()
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None and not task.draft and task.revision == 0
    store.save_draft(rater, task.id, {"order": 4}, "half way", 12.5)
    again = place.open().next_task(rater)
    assert again is not None and again.id == task.id
    assert (again.draft, again.values, again.comment, again.seconds) == (True, {"order": 4}, "half way", 12.5)


def test_a_revision_replaces_the_rating_and_the_history_is_kept(store: Store) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    assert store.submit(rater, task.id, {"order": 1, "goals": 1}, "first").revision == 1
    store.save_draft(rater, task.id, {"order": 5})
    assert store.submit(rater, task.id, {"order": 5, "goals": 9}, "second").revision == 2
    seen = store.task(rater, task.id)
    assert (seen.revision, seen.draft, seen.comment) == (2, False, "second")
    (record,) = store.records(made.id)
    assert (record.revision, record.values) == (2, {"order": 5, "goals": 9})
    assert [(one.revision, one.comment) for one in store.records(made.id, history=True)] == [
        (1, "first"),
        (2, "second"),
    ]


def test_the_same_rating_sent_twice_is_one_rating(store: Store) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    once = store.submit(rater, task.id, values(task), "same", 3, base_revision=0)
    assert store.submit(rater, task.id, values(task), "same", 3, base_revision=0) == once
    assert len(store.records(made.id, history=True)) == 1


def test_a_page_that_another_device_overtook_overwrites_nothing(store: Store) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    store.submit(rater, task.id, values(task, 1), base_revision=0)
    store.save_draft(rater, task.id, {"order": 3})
    with pytest.raises(StaleError, match="revision 1"):
        store.submit(rater, task.id, values(task, 2), base_revision=0)
    seen = store.task(rater, task.id)
    assert (seen.revision, seen.draft, seen.values) == (1, True, {"order": 3})


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"order": 1},
        {"order": 1, "goals": 11},
        {"order": 0, "goals": 1},
        {"order": 1, "goals": True},
        {"order": 1, "goals": 1.0},
        {"order": 1, "goals": "1"},
        {"order": 1, "goals": None},
        {"order": 1, "goals": 1, "model": 1},
        [1, 1],
        None,
    ],
)
def test_a_form_that_is_not_the_studys_is_refused_and_nothing_is_saved(store: Store, bad: object) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    with pytest.raises(RatingError):
        store.submit(rater, task.id, bad)
    assert store.task(rater, task.id).revision == 0


@pytest.mark.parametrize(
    "bad", [{"seeing": 1, "planning": 1}, {"seeing": 2}, {"seeing": 0}, {"smelling": 1}, {}]
)
def test_a_label_study_wants_one_main_label(store: Store, bad: object) -> None:
    made = new(store, study("labels"))
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    with pytest.raises(RatingError):
        store.submit(rater, task.id, bad)
    assert store.submit(rater, task.id, {"planning": 1, "seeing": 2}).revision == 1


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    marks=st.dictionaries(st.sampled_from(["order", "goals", "x"]), json | st.integers(0, 10), max_size=3)
    | json,
    comment=json | st.text(alphabet=st.characters()),
    seconds=json,
)
def test_whatever_a_browser_sends_is_saved_or_refused(
    store: Store, marks: object, comment: object, seconds: object
) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    try:
        store.save_draft(rater, task.id, marks, comment, seconds)
    except RatingError:
        assert not store.task(rater, task.id).draft
    else:
        seen = store.task(rater, task.id)
        assert (seen.values, seen.comment) == (marks, comment)


def test_a_rater_has_no_way_to_the_tasks_of_others(store: Store) -> None:
    made = new(store)
    mine, other = invite(store, made, 2)
    task = store.next_task(other)
    assert task is not None
    for call in (
        lambda: store.task(mine, task.id),
        lambda: store.submit(mine, task.id, values(task)),
        lambda: store.save_draft(mine, task.id, {}),
        lambda: store.task(mine, "0"),
        lambda: store.next_task("nobody"),
    ):
        with pytest.raises(NotThereError):
            call()


@pytest.mark.parametrize("id", ["", "\0", "\ud800", "x" * 10_000, "' OR 1=1 --", "%", "../x", "\n"])
def test_no_text_in_the_place_of_an_id_finds_anything(store: Store, id: str) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    for call in (
        lambda: store.study(id),
        lambda: store.next_task(id),
        lambda: store.task(rater, id),
        lambda: store.submit(rater, id, {}),
        lambda: store.media(id, "0" * 64),
        lambda: store.delete_rater(id),
        lambda: store.revoke(id),
        lambda: store.records(id),
    ):
        with pytest.raises(NotThereError):
            call()


@pytest.mark.parametrize("kind", ["rating", "pairwise", "labels"])
def test_what_a_rater_is_sent_names_no_model_item_check_or_repeat(store: Store, kind: str) -> None:
    made = new(store, study(kind, attention_share=0.2, duplicate_share=0.2))
    (rater,) = invite(store, made)
    tasks = work(store, rater)
    records = {record.task: record for record in store.records(made.id)}
    assert any(record.expected for record in records.values())
    for task in tasks:
        sent = msgspec.json.encode(store.task(rater, task.id)).decode()
        for word in ("brain", "maker", "place-", "expected", "repeat", "swapped", "attention"):
            assert word not in sent
    fields = {frozenset(msgspec.to_builtins(task)) for task in tasks}
    assert len(fields) == 1


def test_a_task_left_alone_goes_to_others_and_a_late_answer_still_counts(place: Place) -> None:
    store = place.open()
    made = new(store, study(raters_wanted=1, lease_s=600), material(1, 1))
    late, prompt = invite(store, made, 2)
    task = store.next_task(late)
    assert task is not None
    assert store.next_task(prompt) is None
    place.clock.now += 601
    assert len(work(store, prompt)) == 1
    store.submit(late, task.id, values(task))
    assert submitted(store, made).total() == 2
    assert store.next_task(late) is None


def test_a_task_left_alone_without_a_draft_is_given_up_once_its_place_is_taken(place: Place) -> None:
    store = place.open()
    made = new(store, study(raters_wanted=1, lease_s=600), material(1, 1))
    late, prompt = invite(store, made, 2)
    task = store.next_task(late)
    place.clock.now += 601
    work(store, prompt)
    assert task is not None and store.next_task(late) is None
    with pytest.raises(NotThereError):
        store.submit(late, task.id, values(task))


def test_who_is_still_writing_keeps_the_task(place: Place) -> None:
    store = place.open()
    made = new(store, study(raters_wanted=1, lease_s=600), material(1, 1))
    slow, other = invite(store, made, 2)
    task = store.next_task(slow)
    assert task is not None
    for _ in range(4):
        place.clock.now += 400
        store.save_draft(slow, task.id, {"order": 2})
        assert store.next_task(other) is None
    place.clock.now += 601
    assert store.next_task(other) is not None


def test_a_draft_is_not_lost_when_its_place_is_taken(place: Place) -> None:
    store = place.open()
    made = new(store, study(raters_wanted=1, lease_s=600), material(1, 1))
    late, prompt = invite(store, made, 2)
    task = store.next_task(late)
    assert task is not None
    store.save_draft(late, task.id, {"order": 2})
    place.clock.now += 601
    work(store, prompt)
    again = store.next_task(late)
    assert again is not None and (again.id, again.values) == (task.id, {"order": 2})


def test_a_block_is_as_long_as_the_study_says(store: Store) -> None:
    made = new(store, study(tasks_per_rater=4, attention_share=0.25, duplicate_share=0.25), material(4, 4))
    (rater,) = invite(store, made)
    work(store, rater)
    records = store.records(made.id)
    assert sum(record.expected is None and not record.repeat for record in records) == 4


def test_checks_and_repeats_come_at_about_their_shares(store: Store) -> None:
    made = new(store, study(attention_share=0.1, duplicate_share=0.2, raters_wanted=1), material(8, 8))
    (rater,) = invite(store, made)
    work(store, rater)
    records = store.records(made.id)
    checks = [record for record in records if record.expected is not None]
    repeats = [record for record in records if record.repeat]
    assert abs(len(checks) - 0.1 * len(records)) <= 1
    assert abs(len(repeats) - 0.2 * len(records)) <= 2
    number = {record.unit: record.number for record in records if not record.repeat}
    assert all(record.number - number[record.unit] >= 5 for record in repeats)
    assert len({record.unit for record in repeats}) == len(repeats)


def test_who_does_as_a_check_says_passes_it(store: Store) -> None:
    made = new(store, study(attention_share=0.3), material(3, 4))
    for rater, careful in zip(invite(store, made, 2), (True, False), strict=True):
        while (task := store.next_task(rater)) is not None:
            said = task.outputs[0].text
            marks = {"order": 3, "goals": 3}
            if careful and "lowest" in said:
                marks = {"order": 1, "goals": 0}
            elif careful and "highest" in said:
                marks = {"order": 5, "goals": 10}
            store.submit(rater, task.id, marks)
        mine = [record.passed for record in store.records(made.id) if record.rater == rater]
        assert mine.count(careful) >= 3 and mine.count(not careful) == 0


def test_sides_are_even_and_a_preference_is_kept_whichever_side_it_was_on(store: Store) -> None:
    made = new(store, study("pairwise", raters_wanted=4), material(3, 4))
    left: Counter[tuple[str, ...]] = Counter()
    for rater in invite(store, made, 4):
        while (task := store.next_task(rater)) is not None:
            first, second = (output.text for output in task.outputs)
            better = LEFT if first < second else RIGHT  # "Plan 0 ..." before "Plan 1 ..."
            left[(min(first, second),)] += better == LEFT
            store.submit(rater, task.id, {"better": better})
    records = store.records(made.id)
    assert {record.values["better"] for record in records} == {LEFT}
    shown = Counter(
        (record.unit, store.task(record.rater, record.task).outputs[0].id == record.outputs[0])
        for record in records
    )
    assert set(shown.values()) == {2}


def test_a_closed_study_takes_nothing_until_it_is_opened_again(store: Store) -> None:
    made = new(store)
    (rater,) = invite(store, made)
    task = store.next_task(rater)
    assert task is not None
    store.close_study(made.id)
    assert store.study(made.id).closed
    for call in (
        lambda: store.next_task(rater),
        lambda: store.submit(rater, task.id, values(task)),
        lambda: store.save_draft(rater, task.id, {}),
    ):
        with pytest.raises(ClosedError):
            call()
    store.close_study(made.id, closed=False)
    assert store.submit(rater, task.id, values(task)).revision == 1


def test_links_open_what_they_should_and_end(place: Place) -> None:
    store = place.open()
    made = study()
    organiser = store.create(made, material())
    (invitation,) = store.invite(made.id, ["Ada"], days=2)
    assert len(invitation.token) == 43  # 32 bytes in base64
    assert store.access(organiser).role == "organiser"
    opened = store.access(invitation.token)
    assert (opened.role, opened.study, opened.rater) == ("rater", made.id, invitation.rater)
    renewed = store.renew(invitation.rater)
    for wrong in (invitation.token, renewed + "x", renewed[:-1], "", "\0", "x" * 10_000, "\ud800"):
        with pytest.raises(LinkError, match="not valid"):
            store.access(wrong)
    assert store.access(renewed).rater == invitation.rater
    place.clock.now += 30 * 86_400
    with pytest.raises(LinkError, match="expired"):
        store.access(renewed)
    store.revoke(invitation.rater)
    with pytest.raises(LinkError, match="not valid"):
        store.access(renewed)


def test_a_deleted_rater_leaves_a_count_and_nothing_else(store: Store) -> None:
    made = new(store)
    leaving, staying = store.invite(made.id, ["Grace H.", "other"])
    for rater in (leaving.rater, staying.rater):
        work(store, rater, 3)
    task = store.next_task(leaving.rater)
    assert task is not None
    store.save_draft(leaving.rater, task.id, {"order": 1}, "a draft")
    before = [record for record in store.records(made.id) if record.rater == staying.rater]
    store.delete_rater(leaving.rater)
    assert list(store.records(made.id, history=True)) == before
    assert [rater.note for rater in store.raters(made.id)] == ["other"]
    assert store.raters_deleted(made.id) == 1
    with pytest.raises(LinkError):
        store.access(leaving.token)
    with pytest.raises(NotThereError):
        store.next_task(leaving.rater)
    newcomer = store.invite(made.id)[0].rater
    work(store, newcomer)
    work(store, staying.rater)
    assert set(submitted(store, made).values()) == {2}


def test_the_number_of_a_deleted_rater_is_not_given_again(store: Store) -> None:
    made = new(store)
    _, second = invite(store, made, 2)
    store.delete_rater(second)
    invite(store, made)
    assert [rater.number for rater in store.raters(made.id)] == [1, 3]


def test_two_studies_in_one_store_do_not_mix(store: Store) -> None:
    one, other = new(store), new(store)
    (rater,) = invite(store, one)
    work(store, rater)
    assert [made.id for made in store.studies()] == [one.id, other.id]
    assert store.records(other.id) == () and len(store.records(one.id)) == 9


@pytest.mark.parametrize(
    "asked", ["", "..", "../ratings.sqlite", "0" * 64, "A" * 64, "0" * 63 + "\n", "%2e%2e/x", "\0", "\ud800"]
)
def test_no_text_leads_to_a_file_that_is_not_of_the_study(store: Store, asked: str) -> None:
    made = new(store)
    with pytest.raises(NotThereError):
        store.media(made.id, asked)


def test_a_study_with_nothing_to_judge_is_refused_and_not_stored(store: Store) -> None:
    with pytest.raises(GumptionError, match="nothing to judge"):
        store.create(study("pairwise"), material(3, 1))
    with pytest.raises(GumptionError, match="nothing to judge"):
        store.create(study(), Material((), ()))
    assert store.studies() == ()


def test_a_simulated_study_can_be_played_again(tmp_path: Path) -> None:
    seen = []
    for name in "ab":
        with Store.open(tmp_path / name, create=True) as store:
            made = new(store, study(seed=7, attention_share=0.1, duplicate_share=0.1), material(4, 4))
            for rater in invite(store, made, 3):
                work(store, rater, 9)
            seen.append(
                [(one.number, one.scenario, one.models, one.repeat) for one in store.records(made.id)]
            )
    assert seen[0] == seen[1]
