"""Examples never show the answer: not by path, not by bytes, not by name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gumption.grounding.pipeline import Candidate, choose

POOL = [Candidate(f"p{number}", f"/data/{number}.jpg", f"{number:064x}") for number in range(10)]


def test_the_same_picture_is_never_shown_under_another_name() -> None:
    target = POOL[3]
    copies = [
        Candidate("renamed", "/data/copy.jpg", target.sha256),
        Candidate("replaced", target.picture, "f" * 64),
        Candidate(target.name, "/elsewhere.jpg", "e" * 64),
    ]
    for seed in range(20):
        shown = choose(target, [*POOL, *copies], 99, seed)
        assert {one.name for one in shown} == {one.name for one in POOL} - {target.name}


def test_no_picture_is_shown_twice() -> None:
    twins = [Candidate("twin", "/data/twin.jpg", POOL[0].sha256), *POOL]
    for seed in range(20):
        shown = choose(POOL[3], twins, 99, seed)
        assert len({one.sha256 for one in shown}) == len(shown) == 9


@given(st.permutations(POOL), st.integers(0, 9), st.integers(0, 5))
def test_the_choice_is_by_seed_and_instance_and_nothing_else(
    pool: list[Candidate], shots: int, seed: int
) -> None:
    assert choose(POOL[0], pool, shots, seed) == choose(POOL[0], POOL, shots, seed)
    assert len(choose(POOL[0], pool, shots, seed)) == shots


def test_every_instance_has_examples_of_its_own() -> None:
    chosen = {tuple(one.name for one in choose(target, POOL, 5)) for target in POOL}
    assert len(chosen) > 5
