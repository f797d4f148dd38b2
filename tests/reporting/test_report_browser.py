"""The report in a real browser, opened from the file system."""

from __future__ import annotations

from pathlib import Path

import pytest

from gumption.records import Image, Reply, Text
from gumption.reporting import write_site

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(made, tmp_path_factory) -> Path:
    """Two models, 120 items in two categories; the reply to item 7 of the first model is hostile."""
    sha256, data = made.picture((200, 30, 30))
    items = [
        made.item(number, category="Depth" if number % 2 else "Count", parts=(Image(sha256), Text(HOSTILE)))
        for number in range(120)
    ]
    failed = {"status": "infra_error", "outcome": ""}

    def run(name: str, right: int):
        scores = [made.scored(item, float(place < right)) for place, item in enumerate(items[:-5])]
        scores += [made.scored(item, None, **failed) for item in items[-5:]]
        replies = [Reply(item.id, text=f"{HOSTILE} {name} says B to {item.id}") for item in items[:-5]]
        replies += [Reply(item.id, status="infra_error", error=HOSTILE) for item in items[-5:]]
        return made.run(items, scores, replies, {sha256: data}, name=name)

    runs = [run(HOSTILE, 100), run("Model B", 60)]
    return write_site(runs, tmp_path_factory.mktemp("site") / "report", title=f"Report {HOSTILE}")


def test_a_number_leads_to_its_evidence(page, report):
    page.goto(report.as_uri())
    page.locator("h1").wait_for()
    assert page.inner_text("h1") == f"Report {HOSTILE}"
    page.get_by_role("row", name="Model B").get_by_role("link", name="Depth").click()
    page.get_by_text("60 items; 1 to 50 shown").wait_for()
    page.get_by_role("button", name="Next page").click()
    page.get_by_text("60 items; 51 to 60 shown").wait_for()
    page.get_by_role("link", name="item-0107").click()
    page.get_by_role("heading", name="item-0107").wait_for()
    assert page.locator(".model h3").all_inner_texts() == ["Model B", HOSTILE], (
        "the chosen model stands first"
    )
    assert page.locator(".model").first.get_by_text("Model B says B to item-0107").is_visible()
    assert page.locator("li.gold").inner_text().startswith("B the right one")
    page.wait_for_function("document.querySelector('figure img').naturalWidth === 480")
    assert "item=item-0107" in page.url


def test_hostile_text_shows_as_text(page, report):
    page.goto(f"{report.as_uri()}#item=item-0007")
    page.locator(".model").first.wait_for()
    assert page.locator(".said .prose").first.inner_text().startswith(f"{HOSTILE} {HOSTILE} says B")
    assert page.locator(".question").inner_text() == HOSTILE
    own = len(list(report.parent.glob("*.js")))
    assert page.locator("script[src]").count() == page.locator("script").count() == own
    assert page.locator("img[src=x]").count() == 0


def test_filters_count_what_the_scores_say(page, report):
    page.goto(f"{report.as_uri()}#items")
    status = page.locator("[role=status]")
    status.wait_for()
    assert status.inner_text().startswith("120 items")
    page.get_by_label("Outcome").select_option("failed")
    assert status.inner_text().startswith("5 items")
    page.get_by_label("Model").select_option(label="Model B")
    page.get_by_label("Outcome").select_option("right")
    assert status.inner_text().startswith("60 items")
    page.get_by_label("Category").select_option(label="Depth")
    assert status.inner_text().startswith("30 items")
    page.get_by_label("Id contains").fill("0-no-such")
    assert status.inner_text() == "No item fits these filters"
    page.get_by_label("Id contains").fill("ITEM-0007")
    assert status.inner_text() == "1 item; 1 to 1 shown"
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    status.wait_for()
    assert page.locator("[role=status]").inner_text() == "1 item; 1 to 1 shown", (
        "the address keeps the filters"
    )


def test_the_keyboard_alone_reaches_the_content_and_sorts(page, report):
    page.goto(report.as_uri())
    page.locator("h1").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    button = page.get_by_role("button", name="Scored")
    button.focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="Scored").get_attribute("aria-sort") == "descending"


@pytest.mark.parametrize("address", ["", "#items", "#item=item-0001"])
def test_a_phone_scrolls_one_way_only(browser, report, address):
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(report.as_uri() + address)
    page.locator("h1").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_an_unknown_item_and_a_lost_page_say_so(browser, made, tmp_path):
    item = made.item(0)
    report = write_site([made.run([item], [made.scored(item, 1.0)])], tmp_path / "r")
    page = browser.new_page()
    page.goto(f"{report.as_uri()}#item=nowhere")
    page.get_by_text("No such item").first.wait_for()
    (report.parent / "data" / "0-0.js").unlink()
    page.goto(f"{report.as_uri()}#item=item-0000")
    page.get_by_text("data/0-0.js could not be loaded").wait_for()
    page.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_unit_of_the_axis_stands_right_behind_its_last_number(browser, report, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(report.as_uri())
    page.locator(".axis text").first.wait_for()
    *_, last, unit = page.locator(".axis text").all()
    assert unit.text_content() == "%"
    number, sign = last.bounding_box(), unit.bounding_box()
    assert sign["y"] == pytest.approx(number["y"], abs=1)
    assert 0 <= sign["x"] - (number["x"] + number["width"]) < number["width"]
    assert sign["x"] + sign["width"] <= width
    page.close()


def test_why_pictures_are_left_out_is_said_once(page, made, tmp_path):
    item = made.item(0, parts=(Image("0" * 64), Text("Which?")))
    gone = f"the suite is gone {HOSTILE}"
    runs = [made.run([item], [], name=name, media_problem=gone) for name in "AB"]
    page.goto(write_site(runs, tmp_path / "r").as_uri())
    page.locator("h2").first.wait_for()
    assert page.get_by_text("Pictures are left out").count() == 1
    assert page.locator("#main > .note").inner_text() == f"Pictures are left out: {gone}"
