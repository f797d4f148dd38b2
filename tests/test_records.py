"""The nouns lose nothing on their way through JSON and Parquet."""

from __future__ import annotations

import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import Reading, Reply, Score, Scored, Usage
from gumption.running import read_scores, scores_table, write_scores

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
REPLIES = st.builds(
    Reply,
    item_id=TEXT,
    epoch=st.integers(0, 99),
    call=TEXT,
    model=TEXT,
    status=st.sampled_from(["ok", "refused", "truncated", "infra_error"]),
    text=TEXT,
    reasoning=TEXT,
    finish_reason=st.none() | TEXT,
    usage=st.none() | st.builds(Usage, input_tokens=st.none() | st.integers(0, 10**9)),
    latency_s=st.none() | st.floats(0, 1e6),
    media_sha256=st.lists(TEXT, max_size=2).map(tuple),
    params=st.dictionaries(TEXT, JSON, max_size=3),
    error=TEXT,
)
UNIT = st.floats(0, 1)
ROWS = st.builds(
    Scored,
    item_id=TEXT,
    epoch=st.integers(0, 99),
    benchmark=TEXT,
    category=TEXT,
    dimension=TEXT,
    cluster=TEXT,
    kind=TEXT,
    value=st.none() | UNIT,
    status=st.sampled_from(["ok", "refused", "truncated", "infra_error", "diverged", "unscored"]),
    outcome=st.sampled_from(["answered", "unanswered", "ambiguous", "refused", ""]),
    chance=UNIT,
    rule=TEXT,
    answer=TEXT,
    repairs=st.lists(TEXT, max_size=2).map(tuple),
    errors=st.lists(TEXT, max_size=2).map(tuple),
    parts=st.dictionaries(TEXT, UNIT, max_size=2),
)


@given(REPLIES)
def test_a_reply_survives_json(reply: Reply) -> None:
    assert msgspec.json.decode(msgspec.json.encode(reply), type=Reply) == reply


@given(st.lists(ROWS, max_size=5))
def test_scores_survive_parquet(tmp_path_factory: pytest.TempPathFactory, rows: list[Scored]) -> None:
    path = tmp_path_factory.mktemp("scores") / "scores.parquet"
    write_scores(path, rows)
    table = read_scores(path)
    assert table.equals(scores_table(rows))
    back = [msgspec.convert({**row, "parts": dict(row["parts"])}, Scored) for row in table.to_pylist()]
    assert back == rows


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_score_is_a_share(value: float) -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        Score(value)


def test_records_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Reading("answered", "A").value = "B"  # type: ignore[misc]


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = {"numpy", "scipy", "pyarrow", "PIL", "rich", "typer"}
    code = "import sys, gumption, gumption.records; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert not heavy & set(loaded.split())
