"""The pages in a real browser: by keyboard, on a phone, on two devices, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import free_port, served
from studies import material, study

from gumption.rating.forms import PLAN_DIMENSIONS
from gumption.rating.store import Store
from gumption.rating.study import Study

pytestmark = pytest.mark.browser


class Live:
    """A served study of two scenarios and two models, with the form of the human study."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self.store = Store.open(folder, create=True)
        self.study: Study = Study(name="Plans", dimensions=PLAN_DIMENSIONS, raters_wanted=2)
        self.store.create(self.study, material(2, 2))
        self.compared: Study = study("pairwise")
        self.store.create(self.compared, material(2, 2))

    def link(self, compared: bool = False) -> str:
        (one,) = self.store.invite((self.compared if compared else self.study).id)
        return f"{self.home}/r/{one.token}"

    def sent(self) -> list[dict[str, int]]:
        return [one.values for one in self.store.records(self.study.id) if one.revision]

    @property
    def home(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@pytest.fixture(scope="module")
def live(tmp_path_factory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("study")
    made = Live(folder)
    with served(folder, made.port):
        yield made
    made.store.close()


@pytest.fixture
def pages(browser, live):
    """Makes pages of people who know nothing of each other; a message on a console is a failure."""
    contexts, faults = [], []

    def make(**options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}} | options)
        contexts.append(context)
        page = context.new_page()
        # That a form came back is told by its status, which Chromium also writes down.
        page.on("console", lambda told: "status of 422" in told.text or faults.append(told.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda sent: sent.url.startswith(live.home) or faults.append(sent.url))
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == []


def start(page, link: str) -> None:
    page.goto(link)
    page.get_by_role("button", name="Start").click()
    page.locator("form.form").wait_for()


def saved(page) -> None:
    page.get_by_role("status").get_by_text("Draft saved").wait_for()


def test_keys_alone_fill_in_and_send_a_form(pages, live):
    page = pages()
    page.goto(live.link())
    page.locator("button.go:focus").wait_for()
    page.keyboard.press("Enter")
    page.locator("form.form").wait_for()
    before, there = page.url, len(live.sent())
    page.keyboard.type("12345432")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != before)
    assert len(live.sent()) == there + 1
    order = [dimension.id for dimension in PLAN_DIMENSIONS]
    assert dict(zip(order, [1, 2, 3, 4, 5, 4, 3, 2], strict=True)) in live.sent()


def test_what_was_filled_in_is_there_on_another_device(pages, live):
    link = live.link()
    page = pages()
    start(page, link)
    page.keyboard.type("24")
    page.fill("#comment", "the phone rings")
    saved(page)
    phone = pages(viewport={"width": 390, "height": 800}, has_touch=True)
    phone.goto(link)
    phone.get_by_role("button", name="Start").tap()
    phone.locator("form.form").wait_for()
    marked = phone.locator("input:checked").evaluate_all("all => all.map(one => one.value)")
    assert marked == ["2", "4"]
    assert phone.input_value("#comment") == "the phone rings"
    wide = phone.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, "the page does not scroll sideways"


def test_a_phone_s_targets_are_large_enough_for_a_thumb(pages, live):
    page = pages(viewport={"width": 360, "height": 740})
    start(page, live.link())
    for label in page.locator(".marks label").all():
        box = label.bounding_box()
        assert box["height"] >= 44
        assert box["width"] >= 44


def test_without_scripts_a_form_can_be_sent(pages, live):
    page = pages(java_script_enabled=False)
    start(page, live.link())
    before, there = page.url, len(live.sent())
    for dimension in PLAN_DIMENSIONS:
        page.check(f"input[name='v.{dimension.id}'][value='3']", force=True)
    page.get_by_role("button", name="Send and go on").click()
    assert page.url != before
    assert len(live.sent()) == there + 1


def test_a_missing_line_is_named_and_focused(pages, live):
    page = pages()
    start(page, live.link())
    page.keyboard.type("1")
    with page.expect_response(lambda answer: answer.request.method == "POST") as told:
        page.get_by_role("button", name="Send and go on").click()
    assert told.value.status == 422
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert PLAN_DIMENSIONS[1].title in alert.inner_text()
    focused = page.evaluate("document.activeElement.name")
    assert focused == f"v.{PLAN_DIMENSIONS[1].id}"


def test_every_control_has_a_name_and_every_scale_a_title(pages, live):
    page = pages()
    start(page, live.link())
    tree = page.locator("form.form").aria_snapshot()
    for dimension in PLAN_DIMENSIONS:
        assert f'group "{dimension.title}"' in tree
    assert tree.count("- radio") == sum(len(one.marks("rating")) for one in PLAN_DIMENSIONS)
    assert 'textbox "Anything to add (not needed)"' in tree


def test_two_plans_stand_side_by_side_and_a_key_chooses(pages, live):
    page = pages()
    start(page, live.link(compared=True))
    left, right = (page.locator("article").nth(place).bounding_box() for place in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    before = page.url
    page.keyboard.press("3")
    assert page.locator("input:checked").get_attribute("value") == "1"
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != before)
