"""Figures: whole, the same every time, told apart without colour, nothing cut off whatever the names."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
import zlib
from pathlib import Path

import pytest

from gumption.ranking import RankedModel, Ranking
from gumption.records import Interval
from gumption.reporting import Leaderboard
from gumption.reporting._cost_figure import costs_of, frontier
from gumption.reporting._figure_sheet import LINES, named
from gumption.reporting._leaderboard_figure import draw_beats
from gumption.reporting._part_figures import draw_bars
from gumption.reporting.figures import write_figures

pytest.importorskip("matplotlib", reason="needs matplotlib: pip install 'gumption[figures]'")

LONG = "Qwen/Qwen3-VL-235B-A22B-Thinking-FP8-dynamic-with-a-very-long-name-{}-of-a-run-in-a-folder"
HOSTILE = "$x_1$ & <b>%\\ {\x07"


def cost(tokens: float | None, seconds: float | None = None) -> dict:
    return {"items": 9, "output": {"mean": tokens, "n": 9}, "seconds": {"mean": seconds, "n": 9}}


def make_board(made, models: int, parts: int) -> Leaderboard:
    """Models from .9 down to .2, the second of them with a hostile name, others with a long one."""
    names = [LONG.format(number) if number % 2 else f"{number} {'W' * 80}" for number in range(models)]
    names[1] = HOSTILE
    step = 0.7 / models
    places, cards = [], []
    for number, name in enumerate(names):
        mean = 0.9 - step * number
        interval = Interval(mean, mean - 0.05, mean + 0.05, "t", "micro")
        places.append(
            RankedModel(
                name, number, interval, number + 1, max(1, number), number + 2, 1 + number // 3, 9, 1.0, False
            )
        )
        slices = tuple(
            made.slice(f"spatial relations of many objects {part}", mean - 0.01 * part % 0.1, 20, 20)
            for part in range(parts)
        )
        cards.append(made.card(name, official=interval, categories=slices, dimensions=()))
    beats = tuple(tuple(0.5 if i == j else float(i < j) for j in range(models)) for i in range(models))
    return Leaderboard.of(
        Ranking(tuple(places), beats, "macro over category", 90, 90),
        cards,
        [cost(10.0 * 1.2**number) for number in range(models)],
    )  # fmt: skip


@pytest.fixture(scope="module")
def drawn(made, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("figures")
    write_figures(make_board(made, 7, 5), folder)
    return folder


def words(svg: Path) -> list[str]:
    return [text for element in ET.parse(svg).iter() if (text := element.text) and text.strip()]


def test_each_figure_is_there_as_svg_and_pdf(drawn: Path) -> None:
    names = ("bars", "beats", "cost", "leaderboard", "radar")
    assert sorted(file.name for file in drawn.iterdir()) == sorted(
        f"{name}.{suffix}" for name in names for suffix in ("pdf", "svg")
    )


def test_an_svg_is_xml_with_text_as_text_and_no_date(drawn: Path) -> None:
    for svg in drawn.glob("*.svg"):
        said = " ".join(words(svg))
        assert "$x_1$ & <b>%\\ {\N{REPLACEMENT CHARACTER}" in said
        assert "\x07" not in said and not re.search(r"20\d\d-\d\d-\d\d", said)


def test_the_leaderboard_says_scores_intervals_places_and_tiers(drawn: Path) -> None:
    said = words(drawn / "leaderboard.svg")
    # The second of seven: .9 - .1 = .8, interval .75 to .85, places 1 to 3, first tier.
    assert {"80.0 [75.0, 85.0]", "1–3", "macro over category, %"} <= set(said)
    assert [word for word in said if word in ("score [95 %]", "places", "tier")] == [
        "score [95 %]",
        "places",
        "tier",
    ]


def test_the_heat_map_numbers_each_pair_and_no_model_with_itself(drawn: Path) -> None:
    said = words(drawn / "beats.svg")
    # 21 pairs won for sure, 21 lost; the 100 and 0 of the key are two more.
    assert (said.count("100"), said.count("0")) == (22, 22)


def test_a_pdf_is_whole_and_has_its_fonts(drawn: Path) -> None:
    for pdf in drawn.glob("*.pdf"):
        data = pdf.read_bytes()
        assert data.startswith(b"%PDF-") and data.rstrip().endswith(b"%%EOF")
        table = int(re.search(rb"startxref\s+(\d+)", data)[1])
        assert data[table:].startswith(b"xref")
        # ISO 32000: each entry in use is the offset at which "N 0 obj" stands.
        first, count = map(int, data[table:].split(b"\n")[1].split())
        entries = data[table:].split(b"\n")[2 : 2 + count]
        used = {first + place: int(entry[:10]) for place, entry in enumerate(entries) if entry[17:18] == b"n"}
        assert used and all(data[at:].startswith(b"%d 0 obj" % number) for number, at in used.items())
        assert b"/FontFile2" in data and b"/Type3" not in data and b"CreationDate" not in data
        assert all(
            zlib.decompress(found)
            for found in re.findall(rb"FlateDecode.*?stream\n(.*?)\nendstream", data, re.DOTALL)
        )


def test_the_same_results_make_the_same_bytes(made, drawn: Path, tmp_path: Path) -> None:
    board = make_board(made, 7, 5)
    draw_beats(board, tmp_path / "beats")
    draw_bars(board, tmp_path / "bars")
    again = list(tmp_path.iterdir())
    assert len(again) == 4
    assert all(file.read_bytes() == (drawn / file.name).read_bytes() for file in again)


@pytest.mark.parametrize(("models", "parts"), [(3, 3), (20, 9), (60, 14)])
def test_nothing_is_cut_off(made, monkeypatch, tmp_path: Path, models: int, parts: int) -> None:
    from matplotlib.text import Text

    seen: list[str] = []
    draw = Text.draw

    def measured(self, renderer):
        draw(self, renderer)
        if text := self.get_text().strip():
            seen.append(text)
            box, sheet = self.get_window_extent(renderer), self.get_figure(root=True).bbox
            assert box.x0 > -1 and box.y0 > -1, (text, box)
            assert box.x1 < sheet.width + 1 and box.y1 < sheet.height + 1, (text, box, sheet)

    monkeypatch.setattr(Text, "draw", measured)
    files = write_figures(make_board(made, models, parts), tmp_path)
    assert len(files) == 10 and len(seen) > 10 * models


def test_what_cannot_be_drawn_is_left_out(made, tmp_path: Path) -> None:
    board = make_board(made, 3, 1)
    alone = Leaderboard(board.suite, board.aggregate, board.rows[:1], board.cards[:1], ((0.5,),))
    assert {file.stem for file in write_figures(alone, tmp_path)} == {"leaderboard"}


def test_lines_are_told_apart_in_grey() -> None:
    colours, dashes, markers = zip(*LINES, strict=True)
    assert len(set(markers)) == len(set(dashes)) == len(set(colours)) == len(LINES)


def test_the_frontier_by_hand() -> None:
    points = [(5, 0.9), (1, 0.3), (2, 0.3), (3, 0.7), (3, 0.6), (4, 0.7), (1, 0.3)]
    # (2, .3) and (4, .7) cost more for the same, (3, .6) is worse for the same; the equal two both stand.
    assert frontier(points) == [1, 6, 3, 0]
    assert frontier([]) == []


def test_the_axis_of_cost_is_what_more_models_tell() -> None:
    assert costs_of([cost(None, 2.0), cost(3.0, 4.0)]) == ("seconds per item", [2.0, 4.0])
    assert costs_of([cost(1.0, 2.0), cost(3.0, None)]) == ("output tokens per item", [1.0, 3.0])
    assert costs_of([cost(None), cost(None)])[0] == "" == costs_of([])[0]


def test_a_long_name_keeps_its_ends() -> None:
    assert named("abcdefghab", 10) == "abcdefghab"
    assert named("abcdefghabc", 10) == "abcdef…abc"
    assert named("a\nb", 10) == "a\N{REPLACEMENT CHARACTER}b"
    # Wide letters have less room, and the end of a suffix of nothing is nothing.
    assert len(named("W" * 40, 20)) < 15 and len(named("漢" * 40, 20)) < 15
    assert named("WWWWWWW", 2) == "…"
