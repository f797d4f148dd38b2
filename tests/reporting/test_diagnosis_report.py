"""The diagnosis in the terminal, as a page and as a figure, for steps made by hand."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from gumption.grounding.diagnosis import SUBSETS, Diagnosis, Trial
from gumption.grounding.retries import Changes, StepDiagnosis
from gumption.records import ErrorKind, GumptionError, Mistake
from gumption.reporting.diagnosis import draw_diagnosis, print_diagnosis, write_diagnosis_page

EMPTY: set[str] = set()
FALSE = Mistake(ErrorKind.FALSE_ATOM, "init: (on a b)")
AFTER = Mistake(ErrorKind.MISSING_ATOM, "init: (on a c)", secondary=True)


def diagnosis(*valid: set[str], planned: bool = True, found: tuple[Mistake, ...] = ()) -> Diagnosis:
    """Valid with gold in place of these stages and of any more."""

    def trial(subset):
        right = any(one <= subset for one in valid)
        return Trial(subset, "solved" if right or (planned and not subset) else "unsolvable", right)

    return Diagnosis(tuple(map(trial, SUBSETS)), found)


def steps(domain: str = "lamps") -> list[StepDiagnosis]:
    first = {
        1: diagnosis(EMPTY),
        2: diagnosis({"goal"}),
        3: diagnosis({"predicates"}, planned=False, found=(FALSE, AFTER)),
        4: diagnosis({"predicates", "goal"}, planned=False, found=(FALSE,)),
    }
    second = {**first, 3: diagnosis(EMPTY), 4: diagnosis({"predicates", "goal"}, found=(FALSE,))}
    return [
        StepDiagnosis(domain, "plain", first, (1, 1, 2, 2), None),
        StepDiagnosis(domain, "refine_once", second, (1, 1, 2, 2), Changes(2, 1, 1, 0)),
    ]


def printed(given: list[StepDiagnosis], width: int = 80) -> str:
    out = io.StringIO()
    print_diagnosis(given, Console(file=out, width=width))
    return out.getvalue()


def page(given: list[StepDiagnosis], folder: Path, **more: str) -> str:
    return write_diagnosis_page(given, folder, **more).read_text(encoding="utf-8")


def test_the_terminal_shows_truth_beside_planability():
    text = printed(steps())
    rows = [line.split() for line in text.splitlines()]
    plain = next(row for row in rows if row[:1] == ["plain"])
    once = next(row for row in rows if row[:2] == ["refine", "once"])
    # n, plan, true; then the interval; then failures: goal 1 and predicates 1, and one output shared out.
    assert (plain[1:4], plain[-3:]) == (["4", "2", "1"], ["0.0", "1.5", "1.5"])
    assert (once[2:5], once[-3:]) == (["4", "4", "2"], ["0.0", "0.5", "1.5"])
    assert ["false", "atom", "2", "1"] in rows
    assert ["missing", "atom,", "after", "an", "object", "1", "0"] in rows
    assert "2 outputs without a plan have one now" in " ".join(text.split())
    assert "1 were mended and 0 spoiled" in " ".join(text.split())


def test_the_terminal_is_legible_in_80_columns_and_takes_names_as_text():
    text = printed(steps("[red]lamps\x1b[2J"))
    assert max(len(line) for line in text.splitlines()) <= 80
    assert "[red]lamps" in text
    assert "\x1b" not in text


def test_what_limits_the_numbers_is_said():
    lost = Diagnosis(tuple(Trial(one, "gave_up", False) for one in SUBSETS), ())
    worse = Diagnosis(tuple(Trial(one, "solved", one in ({"goal"}, SUBSETS[-1])) for one in SUBSETS), ())
    text = " ".join(printed([StepDiagnosis("lamps", "plain", {1: lost, 2: worse}, (1, 1), None)]).split())
    assert "1 failures have no share" in text
    assert "8 searches ended at a limit" in text
    assert "In 2 of 24 cases gold in one more stage turned success into failure" in text
    assert "searches ended" not in printed(steps())


def test_the_bars_of_the_page_add_up(tmp_path):
    found = re.search(r"<svg.*?</svg>", page(steps(), tmp_path / "page"), re.DOTALL)
    assert found
    bars: dict[str, list[float]] = {}
    planned = []
    for rect in ElementTree.fromstring(found[0]).iter("rect"):
        title = rect.findtext("title")
        if title and title.startswith("have a plan"):
            planned.append(float(rect.attrib["width"]))
        elif title:
            bars.setdefault(rect.attrib["y"], []).append(float(rect.attrib["width"]))
    whole = [sum(widths) for widths in bars.values()]
    assert len(bars) == 2
    assert whole[0] == pytest.approx(whole[1], abs=0.05)
    first, second = bars.values()
    assert [width / whole[0] for width in first] == pytest.approx([1 / 4, 0, 1.5 / 4, 1.5 / 4], abs=1e-3)
    assert [width / whole[0] for width in second] == pytest.approx([2 / 4, 0, 0.5 / 4, 1.5 / 4], abs=1e-3)
    assert [width / whole[0] for width in planned] == pytest.approx([2 / 4, 1], abs=1e-3)


def test_the_page_runs_nothing_and_shows_names_as_text(tmp_path):
    text = page(steps("<script>alert(1)</script>"), tmp_path / "page", title="<b>x</b>", made="a & b")
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "<h1>&lt;b&gt;x&lt;/b&gt;</h1>" in text
    assert "a &amp; b" in text
    assert "default-src 'none'" in text
    assert (tmp_path / "page" / "report.css").is_file()


def test_the_page_says_what_suffices(tmp_path):
    text = page(steps(), tmp_path / "page")
    rows = dict(re.findall(r'<tr><th scope="row">(.*?)</th>(.*?)</tr>', text))
    assert rows["predicates + goal"] == "<td>1</td><td>1</td>"
    assert rows["predicates"] == "<td>1</td><td>–</td>"
    assert rows["goal"] == "<td>1</td><td>1</td>"


def test_a_page_replaces_a_page_and_nothing_else(tmp_path):
    page(steps(), tmp_path / "page")
    assert "lights" in page(steps("lights"), tmp_path / "page")
    (tmp_path / "page" / "mine.txt").write_text("mine")
    with pytest.raises(GumptionError, match="no part of a report"):
        page(steps(), tmp_path / "page")
    assert (tmp_path / "page" / "mine.txt").read_text() == "mine"


def test_the_figure_depends_on_the_data_alone(tmp_path):
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    for name in ("one.svg", "two.svg", "one.pdf", "two.pdf", "one.png"):
        draw_diagnosis(steps(), tmp_path / name)
    one = (tmp_path / "one.svg").read_bytes()
    assert one == (tmp_path / "two.svg").read_bytes()
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "two.pdf").read_bytes()
    assert (tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")
    texts = {element.text for element in ElementTree.fromstring(one).iter("{http://www.w3.org/2000/svg}text")}
    assert {"lamps, plain", "lamps, refine once", "have a plan", "fails: goal", "1.5", "0.5"} <= texts


def test_what_cannot_be_drawn_says_so(tmp_path, monkeypatch):
    with pytest.raises(GumptionError, match="nothing to draw"):
        draw_diagnosis([], tmp_path / "x.svg")
    with pytest.raises(GumptionError, match=r"\.gif"):
        draw_diagnosis(steps(), tmp_path / "x.gif")
    with pytest.raises(GumptionError, match="nothing to report"):
        write_diagnosis_page([], tmp_path / "page")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(GumptionError, match="matplotlib"):
        draw_diagnosis(steps(), tmp_path / "x.svg")
