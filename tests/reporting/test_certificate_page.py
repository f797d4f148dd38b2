"""The certificate as a page and in the terminal: what a reader sees, and what hostile names may not do."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace
from rich.console import Console

from gumption.curation.cost import cost
from gumption.curation.dimensions import example_of
from gumption.curation.dossier import Dossier, Origin, make_dossier
from gumption.curation.orders import orders
from gumption.curation.rivals import compare_methods
from gumption.records import Answer, Item, Text
from gumption.reporting.certificate import print_certificate, write_certificate_page

HOSTILE = "<script>alert(1)</script>$x^2$ \N{CJK UNIFIED IDEOGRAPH-6A21}\x1b[2J &amp;"
SVG = "{http://www.w3.org/2000/svg}"


def dossier(name: str = "Toy", n: int = 60, *, responses: bool = True, vectors: bool = True) -> Dossier:
    items = [
        Item(f"{name} {number}", f"{name} {number % 3}", (Text(f"{name}? {number}"),), Answer("text"))
        for number in range(n)
    ]
    rng = np.random.default_rng(0)
    chosen = np.arange(0, n, 4)
    labels = rng.integers(0, 2, n)
    rivals = None
    if responses:
        scores = (rng.random((8, n)) < np.linspace(0.2, 0.8, 8)[:, None]).astype(float)
        rivals = compare_methods(
            scores,
            len(chosen),
            models=[f"{name} model {number}" for number in range(8)],
            methods=["stratified", "item-total"],
            splits=4,
        )
    return make_dossier(
        Origin(name, f"{name} pool", "abc123", "stratified", {"k": len(chosen)}, 0, f"{name} encoder"),
        [example_of(item) for item in items],
        chosen,
        cost(items, chosen),
        embeddings=rng.standard_normal((n, 5)) if vectors else None,
        labels=labels,
        names=[f"{name} A", f"{name} B"],
        fidelity=rivals,
    )


def page_of(found: Dossier, folder: Path) -> str:
    return write_certificate_page(found, folder / "certificate.html").read_text(encoding="utf-8")


def figures(text: str) -> list[ElementTree.Element]:
    return [
        ElementTree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '
        'xmlns:xlink="http://www.w3.org/1999/xlink" ', 1))
        for svg in re.findall(r"<svg .*?</svg>", text, re.DOTALL)
    ]  # fmt: skip


def test_the_page_has_every_part_and_each_figure_a_caption(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    text = page_of(dossier(), tmp_path)
    for part in (
        "order models",
        "Balance before",
        "Redundancy",
        "Coverage",
        "Cost",
        "not certified",
        "paper",
    ):
        assert part in text
    # Lifts, size, two distributions (one answer kind is none), likeness, two maps.
    assert len(figures(text)) == 7
    assert text.count("<figure") == len(re.findall(r"<figcaption>.{30,}?</figcaption>", text, re.DOTALL)) == 7


def test_the_page_is_one_file_that_loads_and_runs_nothing(tmp_path: Path) -> None:
    text = page_of(dossier(), tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["certificate.html"]
    assert "<script" not in text and "default-src 'none'" in text
    addresses = re.findall(r'(?:src|href|url)\s*[=(]\s*["\']?([^"\')>\s]+)', text)
    assert {address for address in addresses if not address.startswith(("#", "data:"))} == set()


def test_figures_take_the_colours_of_the_page_and_share_no_id(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    text = page_of(dossier(), tmp_path)
    drawn = "".join(re.findall(r"<svg .*?</svg>", text, re.DOTALL))
    assert re.findall(r"#[0-9a-f]{6}\b", drawn) == []
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert {link.lstrip("#") for link in re.findall(r'href="(#[^"]+)"', drawn)} <= set(ids)


def test_names_of_models_and_benchmarks_are_text_and_nothing_else(tmp_path: Path) -> None:
    found = dossier(HOSTILE)
    text = page_of(found, tmp_path)
    assert "<script" not in text and "&lt;script&gt;" in text
    assert all(figure.tag == f"{SVG}svg" for figure in figures(text))
    out = io.StringIO()
    print_certificate(found, Console(file=out, width=100))
    assert "\x1b" not in out.getvalue()


def test_bars_are_shares_of_pool_and_suite(tmp_path: Path) -> None:
    """The labels on the axis are per cent, so the bars of one colour make 100 of its units."""
    pytest.importorskip("matplotlib", reason="needs matplotlib")
    found = dossier(responses=False, vectors=False)
    (first, _) = figures(page_of(found, tmp_path))
    widths: dict[str, list[float]] = {"--soft": [], "--measure": []}
    for path in first.iter(f"{SVG}path"):
        style = path.attrib.get("style", "")
        numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", path.attrib["d"])]
        for name, own in widths.items():
            if f"fill: var({name})" in style and "clip-path" in path.attrib:
                own.append(max(numbers[::2]) - min(numbers[::2]))
    for name, size in (("--soft", "pool"), ("--measure", "suite")):
        counts = [getattr(one, size) for one in found.balance[0].counts]
        shares = np.array(widths[name]) / sum(widths[name])
        assert shares == pytest.approx(np.array(counts) / sum(counts), abs=1e-3)
    assert sum(widths["--soft"]) == pytest.approx(sum(widths["--measure"]), rel=1e-3)


def test_the_page_depends_on_the_certificate_alone(tmp_path: Path) -> None:
    found = dossier()
    assert page_of(found, tmp_path) == page_of(found, tmp_path)


def test_without_responses_it_says_what_would_be_needed(tmp_path: Path) -> None:
    text = page_of(dossier(responses=False), tmp_path)
    assert "no past results were given" in text and "four models or more" in text
    assert 'class="verdict"' not in text


def test_one_item_makes_a_page(tmp_path: Path) -> None:
    assert "100.0 %" in page_of(dossier(n=1, responses=False), tmp_path)


def test_without_matplotlib_there_are_tables_and_a_word_on_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    text = page_of(dossier(), tmp_path)
    assert "gumption[figures]" in text and "<svg" not in text and text.count("<table") >= 5


def test_the_terminal_says_who_wins_and_by_how_much() -> None:
    out = io.StringIO()
    found = dossier()
    print_certificate(found, Console(file=out, width=100))
    text = " ".join(out.getvalue().split())
    assert found.fidelity is not None
    assert found.fidelity.recommendation.words in text
    for method in ("stratified", "item-total", "random"):
        assert method in text
    assert max(map(len, out.getvalue().splitlines())) <= 100


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_its_window_in_light_and_dark(page, tmp_path: Path, scheme: str, width: int) -> None:
    path = write_certificate_page(dossier("A benchmark of a rather long name"), tmp_path / "c.html")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("svg").first.is_visible()
    ink = page.locator("svg text").first.evaluate("node => getComputedStyle(node).fill")
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    bright = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
    assert (bright[0] < bright[1]) == (scheme == "light")
    small = page.locator("svg text").evaluate_all(
        "nodes => Math.min(...nodes.map(node => node.getBoundingClientRect().height))"
    )
    assert small >= 8


def test_each_dimension_has_its_reliability_and_the_weights_are_told(tmp_path: Path) -> None:
    """Two dimensions that order three models the opposite way: the weights decide how far they are apart."""
    scores = np.zeros((3, 40))
    scores[:, :20] = np.array([0.9, 0.5, 0.1])[:, None]
    scores[:, 20:] = np.array([0.2, 0.5, 0.8])[:, None]
    labels = np.repeat([0, 1], 20)
    chosen = np.r_[0:12, 20:24]
    found = orders(scores, chosen, labels, ["Near", "Far"], models=["one", "two", "three"])
    near, far = found.dimensions
    assert [name for name, _ in near.order] == ["one", "two", "three"] and far.order[0][0] == "three"
    assert near.reliability is not None and near.reliability.mean == pytest.approx(1.0)
    assert (near.suite, far.suite, near.pool) == (12, 4, 20)
    assert found.weightings is not None and found.weightings.swapped == 0
    # Equal weights: .55, .5, .45; as many as the suite's items (12 to 4): .725, .5, .275.
    assert found.weightings.found[0].score == pytest.approx((0.55, 0.5, 0.45))
    assert found.weightings.found[2].score == pytest.approx((0.725, 0.5, 0.275))
    text = page_of(replace(dossier(), orders=found), tmp_path)
    for said in ("How far can each dimension be trusted?", "Near", "three", "weights of the dimensions"):
        assert said in text
    hostile = replace(found, dimensions=(replace(near, name=HOSTILE),))
    assert "<script" not in page_of(replace(dossier(), orders=hostile), tmp_path)
