"""The views that set models side by side, in a real browser: why one is ahead of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from gumption.ranking import scorecard
from gumption.ranking.people_file import PeopleFile
from gumption.records import Aggregate, Reply, Usage
from gumption.reporting import _board_pages, write_site

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"
VIEWS = ("", "profile", "compare", "pairs", "trouble", "cost", "weights", "people", "items", "item=item-0001")
MODELS = 20


@pytest.fixture(scope="module")
def duel_report(duel, tmp_path_factory) -> Path:
    return write_site(duel, tmp_path_factory.mktemp("duel") / "report", title="A duel")


@pytest.fixture(scope="module")
def crowd(made, tmp_path_factory) -> Path:
    """Twenty models over 60 items, each right on two items more than the last; some names are hostile."""
    names = [HOSTILE, "B" * 60, *(f"vendor/model-{place}" for place in range(2, MODELS))]
    categories = [HOSTILE, "Relative_depth_of_far_objects", "Count", "Size", "Order"]
    items = [
        made.item(
            place, category=categories[place % 5], dimension=f"Dimension {place % 3}", meta={"x": HOSTILE}
        )
        for place in range(60)
    ]
    runs = []
    for number, name in enumerate(names):
        scores = [
            made.scored(
                item, float(place >= 2 * number), errors=() if place >= 2 * number else ("wrong_order",)
            )
            for place, item in enumerate(items)
        ]
        replies = [
            Reply(
                item.id, text=f"{HOSTILE} {name}", usage=Usage(100, 10 * (number + 1)), latency_s=1.0 + number
            )
            for item in items
        ]
        if number == 3:
            replies = [Reply(item.id, text="B") for item in items]
        official = Aggregate("macro over category", "category")
        card = scorecard(scores, official, model=name)
        runs.append(made.run(items, scores, replies, name=name, official=official, card=card))
    people = PeopleFile(
        models=tuple(names[:5]),
        units=("kitchen", HOSTILE),
        dimensions=("goal", "order"),
        raters=4,
        scores=((0.9, 0.8), (0.5, 0.6), (0.7, 0.7), (0.4, 0.3), (0.2, None)),
    )
    return write_site(runs, tmp_path_factory.mktemp("crowd") / "report", title=HOSTILE, people=people)


def opened(page, report: Path, view: str) -> None:
    page.goto("about:blank")
    page.goto(f"{report.as_uri()}#{view}")
    page.locator("h1").wait_for()


def test_a_stranger_finds_why_one_model_is_ahead(page, duel_report):
    """From the first page to the two replies to an item that decides it."""
    opened(page, duel_report, "")
    page.get_by_role("link", name="Compare Better with Worse").click()
    verdict = page.locator(".verdict")
    verdict.wait_for()
    assert (
        "Better scores 44.4 points more than Worse on the 9 items that both answered" in verdict.inner_text()
    )
    assert "Better does better on 5, Worse on 1, and on 3 they do the same" in verdict.inner_text()
    rows = page.locator(".gaps tbody tr")
    assert [cell.split("\n")[0] for cell in rows.nth(0).locator("td").all_inner_texts()] == [
        *("4", "+50.0", "", "+22.2", "75.0", "25.0", "2", "0"),
    ]  # fmt: skip
    assert rows.locator("th").all_inner_texts() == ["Count", "Depth", "All"]
    missed = page.locator("section", has=page.get_by_role("heading", name="How Worse missed what Better got"))
    outcomes, mistakes = missed.locator("ul").all()
    assert mistakes.locator("li").all_inner_texts() == ["false atom\n2"]
    assert sorted(outcomes.locator("li").all_inner_texts()) == [
        "No answer found\n2", "Several answers\n1", "Truncated\n1", "Wrong\n2",
    ]  # fmt: skip
    assert page.locator("[role=status]").inner_text() == "5 items; 1 to 5 shown"
    page.get_by_role("button", name="3 items of Depth on which only Better is better").click()
    assert page.locator("[role=status]").inner_text() == "3 items; 1 to 3 shown"
    page.get_by_role("link", name="item-0006").click()
    page.get_by_role("heading", name="item-0006").wait_for()
    assert page.locator(".model h3").all_inner_texts() == ["Better", "Worse"]
    assert page.locator(".model .said .prose").all_inner_texts() == [
        "Better about item-0006",
        "Worse about item-0006",
    ]
    boxes = [page.locator(".model").nth(place).bounding_box() for place in range(2)]
    assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"], "side by side"
    page.get_by_role("link", name="Back to Better and Worse").click()
    verdict.wait_for()


def test_the_other_way_round_is_the_same_comparison_turned(page, duel_report):
    opened(page, duel_report, "compare")
    page.get_by_role("button", name="Swap").click()
    page.get_by_text("Worse does better on 1, Better on 5").wait_for()
    assert "Better scores 44.4 points more" in page.locator(".verdict").inner_text()
    assert page.locator(".gaps tbody tr").last.locator("td").nth(1).inner_text() == "−44.4"
    assert page.locator("[role=status]").inner_text() == "1 item; 1 to 1 shown"


@pytest.mark.parametrize(("a", "b"), [(18, 19), (2, 17), (0, 19)])
def test_any_two_of_many_are_the_two_that_were_asked_for(page, crowd, a, b):
    """Each model is right on two items less than the one before it."""
    opened(page, crowd, f"compare=&a={b}&b={a}")
    text = page.locator(".verdict").inner_text()
    better = HOSTILE if a == 0 else f"vendor/model-{a}"
    same = 60 - 2 * (b - a)
    assert (
        f"vendor/model-{b} does better on 0, {better} on {2 * (b - a)}, and on {same} they do the same"
        in text
    )


def test_a_thin_coverage_is_flagged_in_words_and_by_a_hollow_dot(page, duel_report):
    opened(page, duel_report, "")
    rows = page.locator(".plots li:not(.tier)")
    assert rows.first.locator(".dot.thin").count() == 1
    assert "90.0 % covered" in rows.first.inner_text()
    assert rows.last.locator(".dot.thin").count() == 0
    assert "covered" not in rows.last.inner_text()


def test_tiers_stand_above_their_models(page, crowd):
    opened(page, crowd, "")
    lines = page.locator(".plots.ranked li")
    assert lines.first.inner_text() == "Tier 1"
    tiers = page.locator(".plots .tier").all_inner_texts()
    assert tiers == [f"Tier {place + 1}" for place in range(len(tiers))]
    assert len(tiers) > 2
    assert page.locator(".plots li:not(.tier)").count() == MODELS


def test_every_pair_has_its_chance_in_words(page, crowd):
    opened(page, crowd, "pairs")
    cells = page.locator(".square td")
    assert cells.count() == MODELS**2
    texts = cells.all_inner_texts()
    assert all(texts)
    for row in range(MODELS):
        assert texts[row * MODELS + row] == "–"
        for column in range(row + 1, MODELS):
            chances = texts[row * MODELS + column], texts[column * MODELS + row]
            assert chances == (">99", "<1") or abs(sum(map(int, chances)) - 100) <= 1
    page.locator(".square td a").first.click()
    page.locator(".verdict").wait_for()
    assert HOSTILE in page.locator(".verdict").inner_text()


def test_only_pairs_that_are_compared_can_be_chosen(page, duel, tmp_path, monkeypatch):
    monkeypatch.setattr(_board_pages, "MOST_COMPARED", 1)
    report = write_site(duel, tmp_path / "r")
    opened(page, report, "pairs")
    assert page.locator(".square td").count() == 4
    assert page.locator(".square td a").count() == 0
    opened(page, report, "compare")
    page.get_by_text("nothing to compare it with").wait_for()


def test_up_to_four_models_are_drawn_by_part(page, crowd):
    opened(page, crowd, "profile=&by=category")
    assert page.locator(".radar .area").count() == 2
    boxes = page.locator(".picker input")
    for place in (5, 9):
        boxes.nth(place).press("Space")
        page.locator(f".picker input >> nth={place} >> visible=true").wait_for()
        assert page.evaluate("document.activeElement.type") == "checkbox", "the keyboard stays where it was"
    page.locator(".radar .area >> nth=3").wait_for()
    assert page.locator(".picker input:disabled").count() == MODELS - 4
    assert page.locator(".bars section").count() == 5
    assert page.locator(".bars section").first.locator(".bar").count() == 4
    first = page.locator(".radar .spot.series-1").count()
    assert first == 5, "a spot on each axis"


def test_a_radar_needs_three_axes(page, duel_report):
    opened(page, duel_report, "profile")
    assert page.locator(".radar").count() == 0
    assert page.get_by_text("A radar needs 3 axes; here are 2.").is_visible()
    assert page.locator(".bars section").count() == 2


def test_cost_is_drawn_where_it_is_known_and_the_reason_said_where_not(page, crowd, duel_report):
    opened(page, crowd, "cost")
    assert page.locator(".scatter .spot").count() == MODELS - 1
    assert page.get_by_text("Output tokens are not known of 1 model").is_visible()
    assert page.locator("tbody tr", has_text="vendor/model-2").locator("td").nth(1).inner_text() == "30.0"
    page.get_by_role("combobox", name="Cost").select_option("reasoning")
    page.get_by_text("Reasoning tokens are not known of any model").wait_for()
    opened(page, duel_report, "cost")
    assert page.locator(".scatter").count() == 0
    assert page.get_by_text("the server counted no tokens").is_visible()


def test_mistakes_are_counted_by_model(page, crowd):
    opened(page, crowd, "trouble")
    row = page.locator("table", has_text="wrong order").locator("tr", has_text="vendor/model-4")
    assert row.locator("td").all_inner_texts() == ["8\n13.3 %", "52\n86.7 %"]
    row.get_by_role("link", name="8").click()
    page.get_by_text("8 items; 1 to 8 shown").wait_for()
    assert page.get_by_label("First mistake").input_value() == "wrong_order"


def test_places_under_other_weights_are_drawn(page, crowd):
    opened(page, crowd, "weights")
    assert page.locator(".plots.weights li").count() == MODELS
    assert page.locator(".plots.weights .value").first.inner_text().startswith("1")


def test_people_are_shown_only_where_they_were_asked(page, crowd, duel_report):
    opened(page, crowd, "people")
    assert page.locator(".verdict").inner_text().startswith("The benchmark and people put 9 of 10 pairs")
    assert page.locator(".opposite tbody tr").count() == 1
    opened(page, duel_report, "")
    assert page.get_by_role("link", name="People").count() == 0


def test_hostile_names_show_as_text_in_every_view(page, crowd):
    for view in VIEWS:
        opened(page, crowd, view)
        assert page.locator("img[src=x]").count() == 0
        assert HOSTILE in page.locator("main").inner_text() + page.title()


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_scrolls_one_way_only(browser, crowd, view):
    page = browser.new_page(viewport={"width": 390, "height": 800})
    opened(page, crowd, view)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_the_reader_sees_where_he_is(page, crowd):
    for view in VIEWS[:-1]:
        opened(page, crowd, view)
        current = page.locator(".page-head [aria-current=page]")
        assert current.count() == 1
        assert current.get_attribute("href") == f"#{view}"


@pytest.mark.parametrize("view", ["", "compare", "profile"])
def test_print_holds_the_facts_and_no_controls(browser, crowd, view):
    page = browser.new_page(viewport={"width": 720, "height": 1000})
    page.emulate_media(media="print")
    opened(page, crowd, view)
    assert not page.locator(".page-head").is_visible()
    assert page.locator(".filters:visible, .picker:visible, .pager:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in (
        "rgb(255, 255, 255)",
        "rgba(0, 0, 0, 0)",
    )
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()


def test_no_file_is_over_two_megabytes(crowd):
    assert max(path.stat().st_size for path in crowd.parent.rglob("*") if path.is_file()) < 2_000_000
