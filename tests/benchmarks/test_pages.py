"""The benchmark pages: those in the repository are what the benchmark files say, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gumption.benchmarks import get, names
from gumption.benchmarks._hub import Source
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.pages import MADE, main, page, pages
from gumption.records import Aggregate
from gumption.suites import Suite

DOCS = Path(__file__).parents[2] / "docs" / "benchmarks"


def test_the_pages_in_the_repository_are_up_to_date() -> None:
    stale = [name for name, text in pages(DOCS).items() if text != _text(DOCS / name)]
    assert not stale, "run: python -m gumption.benchmarks.pages"


def test_every_benchmark_has_a_page_that_the_table_links_to() -> None:
    links = re.findall(r"\| \[([\w-]+)\]\(([\w-]+\.md)\)", _text(DOCS / "README.md"))
    assert [name for name, _ in links] == list(names())
    assert all((DOCS / file).is_file() for _, file in links)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _load(data: Path | None) -> Suite:
    raise NotImplementedError


MADE_UP = Benchmark(
    name="made-up",
    title="Made up (test)",
    homepage="https://example.org",
    licence="CC0-1.0",
    rule="right | wrong",
    official=Aggregate("macro over the tasks", by="category", weights={"a": 0.5, "b": 1}, part="official"),
    further=(Aggregate("micro"),),
    load=_load,
    source=Source(repo="owner/set", files=("test-*.parquet",), licence="CC0-1.0"),
    n="test 3 = 1 + 2",
    formula="1/2 * (a + b)",
    chance="25 % (four options)",
    quirks=("An article is a letter.", "Blanks count."),
    kits=(("a kit", "drops | loses items"),),
    checked="by hand",
)


def test_a_page_says_everything_that_the_file_says() -> None:
    text = page(MADE_UP)
    assert text.startswith(MADE)
    for said in (
        "# Made up (test)",
        "[owner/set](https://huggingface.co/datasets/owner/set), `test-*.parquet`",
        "| questions | test 3 = 1 + 2 |",
        "| licence | CC0-1.0 |",
        r"| official rule | right \| wrong |",
        "| official score | 1/2 * (a + b) |",
        "of the part `official`",
        "weighted a 0.5, b 1",
        "| also | micro |",
        "| chance | 25 % (four options) |",
        "`gumption-v1`",
        "gumption run made-up --model",
        "- An article is a letter.\n- Blanks count.",
        r"| a kit | drops \| loses items |",
        "## How it was checked\n\nby hand",
        "official scoring rule, never the official number",
    ):
        assert said in text
    # Every row of a table has as many cells as its head.
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_pages_by_hand_stay_and_leftovers_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "viplan.md").write_text("# By hand\n")
    (tmp_path / "blink.md").write_text("# By hand too\n")
    (tmp_path / "gone.md").write_text(f"{MADE}\n\n# Of a benchmark that is no more\n")
    monkeypatch.setattr("sys.argv", ["pages", str(tmp_path)])
    main()
    assert (
        _text(tmp_path / "viplan.md") == "# By hand\n" and _text(tmp_path / "blink.md") == "# By hand too\n"
    )
    assert not (tmp_path / "gone.md").exists()
    assert not list(tmp_path.glob("viplan-*.md"))
    assert _text(tmp_path / "erqa.md") == page(get("erqa"))
    assert "[viplan-recorded](viplan.md)" in _text(tmp_path / "README.md")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    main()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
