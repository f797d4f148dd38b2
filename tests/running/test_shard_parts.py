"""The part of a shard whose worker does not see the run's folder: it comes to the run's address."""

from __future__ import annotations

from pathlib import Path

import pytest

from gumption.records import GumptionError
from gumption.running import _shard_parts
from gumption.running._shard_parts import There
from gumption.running.storage import Storage

LINE = b'{"id": "q"}\n'


class Away(Storage):
    """A store that does not answer for the first `fails` files."""

    def __init__(self, address: str, fails: int) -> None:
        super().__init__(address)
        self.fails = fails

    def put(self, path: Path, name: str) -> None:
        self.fails -= 1
        if self.fails >= 0:
            raise GumptionError("the store does not answer")
        super().put(path, name)


def test_a_store_that_is_away_for_a_while_delays_the_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_shard_parts, "_COPY_S", 0.01)
    place = There(Path("0003.jsonl"), Away(f"file://{tmp_path}/run", 5))
    with place.of(7) as (before, part):
        part.write_bytes(LINE)
    assert before == []
    assert (tmp_path / "run" / "parts" / "0003-00007-0.jsonl").read_bytes() == LINE
    assert not part.parent.exists()
    with place.of(7) as (before, part):
        assert [path.read_bytes() for path in before] == [LINE]
        assert part.name == "0003-00007-1.jsonl"


def test_a_store_that_stays_away_costs_no_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shard_parts, "_COPY_S", 0.01)
    monkeypatch.setattr(_shard_parts, "_PATIENCE_S", 0.05)
    place = There(Path("0003.jsonl"), Away(f"file://{tmp_path}/run", 10**6))
    with pytest.raises(GumptionError, match="stay in") as told, place.of(7) as (_, part):
        part.write_bytes(LINE)
    assert str(part.parent) in str(told.value)
    assert part.read_bytes() == LINE
