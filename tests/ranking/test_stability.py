"""Orders without one part or model, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gumption.ranking import LeftOut, Move, leave_model_out, leave_part_out
from gumption.records import GumptionError

NAN = float("nan")


def test_a_part_by_hand() -> None:
    # Means .6, .5, .4. Without x: .25, .5, .75. Without y: .83, .5, .17 as before.
    matrix = [[1, 1, 0.5, 0.5, 0], [0.5] * 5, [0, 0, 0.5, 0.5, 1]]
    found = leave_part_out(matrix, ["x", "x", "y", "y", "x"], models=["a", "b", "c"])
    assert found.places == (1, 2, 3)
    without_x, without_y = found.without
    assert (without_x.name, without_x.items, without_x.tau) == ("x", 2, None)
    assert without_x.moves == (Move("b", 2, 1), Move("c", 3, 1))
    assert without_y == LeftOut("y", 3, 1.0, ())
    assert found.lowest == 1.0


def test_a_part_that_turns_the_order() -> None:
    found = leave_part_out([[1, 1, 0], [0, 0, 1.0]], [7, 7, 8])
    assert [(one.name, one.tau) for one in found.without] == [("7", -1.0), ("8", 1.0)]
    assert found.without[0].moves == (Move("0", 1, 2), Move("1", 2, 1))
    assert found.lowest == -1.0


@pytest.mark.parametrize("mean", ["micro", "macro"])
def test_taus_are_scipys(mean: str) -> None:
    rng = np.random.default_rng(1)
    matrix, parts = rng.random((8, 60)), rng.choice(["a", "b", "c", "d"], 60, p=[0.5, 0.3, 0.1, 0.1])
    found = leave_part_out(matrix, parts, mean=mean)

    def score(kept: list[str]) -> np.ndarray:
        if mean == "micro":
            return matrix[:, np.isin(parts, kept)].mean(axis=1)
        return np.mean([matrix[:, parts == part].mean(axis=1) for part in kept], axis=0)

    full = score(["a", "b", "c", "d"])
    for one in found.without:
        rest = score([part for part in "abcd" if part != one.name])
        assert one.tau == pytest.approx(stats.kendalltau(full, rest).statistic)
        assert one.items == (parts != one.name).sum()


def test_a_model_leaves_the_others_alone_where_nothing_is_missing() -> None:
    found = leave_model_out(np.random.default_rng(2).random((6, 40)))
    assert [one.tau for one in found.without] == [1.0] * 6
    assert not any(one.moves for one in found.without)


def test_a_model_with_gaps_decides_which_items_are_common() -> None:
    # c misses the last two items: with it a leads by the first two, without it b leads by all four.
    matrix = [[1, 1, 0, 0], [1, 0.5, 1, 1], [0, 0, NAN, NAN], [0.1, 0.1, 0.1, 0.1]]
    found = leave_model_out(matrix, models=["a", "b", "c", "d"])
    assert found.places == (1, 2, 4, 3)
    without_c = found.without[2]
    assert (without_c.items, without_c.tau) == (4, pytest.approx(1 / 3))
    assert without_c.moves == (Move("a", 1, 2), Move("b", 2, 1))
    assert [found.without[row].items for row in (0, 1, 3)] == [2, 2, 2]


def test_ties_everywhere() -> None:
    found = leave_part_out(np.full((3, 4), 0.5), [0, 0, 1, 1])
    assert (found.places, found.lowest) == ((1, 1, 1), None)
    assert [one.tau for one in found.without] == [None, None]


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(GumptionError, match="1 part"):
        leave_part_out(np.ones((2, 2)), ["x", "x"])
    with pytest.raises(GumptionError, match="labels of shape"):
        leave_part_out(np.ones((2, 2)), ["x"])
    with pytest.raises(GumptionError, match="2 models"):
        leave_model_out(np.ones((2, 2)))
    with pytest.raises(GumptionError, match="no item is scored by all"):
        leave_model_out([[1, NAN], [NAN, 1], [1, 1]])
    with pytest.raises(GumptionError, match="no item of it is scored"):
        leave_model_out(np.full((3, 2), NAN))
