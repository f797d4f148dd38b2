"""What axe-core, the accessibility checker, says of every view: nothing, light or dark.

It is an npm package: `npm install axe-core@4` makes the folder node_modules, which is found beside the
pyproject.toml or through GUMPTION_NODE_MODULES.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gumption.ranking.people_file import PeopleFile
from gumption.records import Image, Reply, Text, Usage
from gumption.reporting import write_site

pytestmark = [pytest.mark.browser, pytest.mark.npm]

REPOSITORY = Path(__file__).parents[2]
VIEWS = ("", "profile", "compare", "pairs", "trouble", "cost", "weights", "people", "items", "item=item-0001")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def axe() -> str:
    """The source of axe-core."""
    folder = Path(os.environ.get("GUMPTION_NODE_MODULES") or REPOSITORY / "node_modules")
    source = folder / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip(
            f"no axe-core in {folder}: npm install axe-core@4, or name the folder in GUMPTION_NODE_MODULES"
        )
    return source.read_text("utf-8")


@pytest.fixture(scope="module")
def report(made, tmp_path_factory) -> Path:
    """Five models over 40 items with pictures, some unread, some failed, with costs and ratings."""
    sha256, data = made.picture((20, 120, 90))
    items = [
        made.item(
            place,
            category=("Count", "Depth", "Size", "Order")[place % 4],
            dimension=f"Dimension {place % 3}",
            parts=(Image(sha256), Text("Which is nearer?")),
        )
        for place in range(40)
    ]
    runs = []
    for number in range(5):
        scores = [made.scored(item, float(place % 5 > number)) for place, item in enumerate(items[:36])]
        scores += [
            made.scored(item, 0.0, outcome="unanswered", errors=("unreadable",)) for item in items[36:38]
        ]
        scores += [made.scored(item, None, status="infra_error", outcome="") for item in items[38:]]
        replies = [Reply(item.id, text="B", usage=Usage(90, 10 + number), latency_s=1.5) for item in items]
        runs.append(made.run(items, scores, replies, {sha256: data}, name=f"model-{number}"))
    people = PeopleFile(
        models=tuple(f"model-{number}" for number in range(5)),
        units=("kitchen", "office"),
        dimensions=("goal",),
        raters=3,
        scores=((0.9, 0.8), (0.5, 0.6), (0.7, 0.7), (0.4, 0.3), (0.2, 0.1)),
    )
    return write_site(runs, tmp_path_factory.mktemp("axe") / "report", people=people)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_nothing(browser, axe, report, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    found = []
    for view in VIEWS:
        page.goto("about:blank")
        page.goto(f"{report.as_uri()}#{view}")
        page.locator("h1").wait_for()
        page.evaluate(axe)
        result = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)
        assert len(result["passes"]) > 10, "axe must have looked at something"
        found += [
            (view or "overview", problem["id"], node["html"][:200], node["failureSummary"])
            for problem in result["violations"]
            for node in problem["nodes"][:3]
        ]
    page.close()
    assert found == []


def test_axe_would_find_a_picture_without_words(browser, axe):
    """The check above can fail."""
    page = browser.new_page()
    page.set_content("<html lang=en><title>x</title><main><h1>x</h1><img src='data:,'></main>")
    page.evaluate(axe)
    result = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)
    assert "image-alt" in {problem["id"] for problem in result["violations"]}
    page.close()
