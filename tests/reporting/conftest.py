"""A run made by hand, for the report to show, and the browser to see it in."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterable

import msgspec
import PIL.Image
import pyarrow as pa
import pytest

from gumption.ranking import scorecard
from gumption.records import Aggregate, Answer, Image, Interval, Item, Reply, Scorecard, Scored, Slice, Text

NOTHING = Interval(None, None, None)


def picture(colour: tuple[int, int, int], size: tuple[int, int] = (960, 720)) -> tuple[str, bytes]:
    """SHA-256 and bytes of a PNG of one colour."""
    buffer = io.BytesIO()
    PIL.Image.new("RGB", size, colour).save(buffer, "PNG")
    return hashlib.sha256(buffer.getvalue()).hexdigest(), buffer.getvalue()


def make_item(number: int, *, category: str = "Depth", parts: tuple = (), **more) -> Item:
    """A question of two options whose right answer is B."""
    answer = Answer("choice", gold="B", choices={"A": "the left one", "B": "the right one"})
    return Item(
        f"item-{number:04}", "Toy", parts or (Text("Which is nearer?"),), answer, category=category, **more
    )


def make_scored(
    item: Item, value: float | None, *, status: str = "ok", outcome: str = "answered", **more
) -> Scored:
    fields = {"epoch": 0, "cluster": "", "kind": "choice", "chance": 0.5, "rule": "lone letter"} | more
    return Scored(
        item_id=item.id,
        benchmark=item.benchmark,
        category=item.category,
        dimension=item.dimension,
        value=value,
        status=status,
        outcome=outcome,
        **fields,
    )


def make_slice(name: str, mean: float | None, n: int, planned: int, **more) -> Slice:
    """Bounds and the chance-adjusted mean are worked out for a guess level of one half."""
    right = (mean or 0) * n
    adjusted = NOTHING if mean is None else Interval(2 * mean - 1, 2 * mean - 1.2, 2 * mean - 0.8)
    fields = {
        "score": NOTHING if mean is None else Interval(mean, mean - 0.1, mean + 0.1, "wilson", "micro"),
        "coverage": n / planned,
        "bounds": (right / planned, (right + planned - n) / planned),
        **dict.fromkeys(("unread", "ambiguous", "refused", "truncated"), 0.0),
        "chance": 0.5,
        "adjusted": adjusted,
    }
    return Slice(name=name, n=n, planned=planned, **(fields | more))


def make_card(model: str = "Model A", **more) -> Scorecard:
    """Ten planned, eight scored, six of them right: mean 75 %, coverage 80 %, bounds 60 % and 80 %."""
    total = make_slice("total", 0.75, 8, 10, unread=0.125, truncated=0.25)
    fields = {
        "total": total,
        "official": Interval(0.7, 0.6, 0.8, "bootstrap", "macro over category"),
        "micro": total.score,
        "macro": Interval(0.7, 0.6, 0.8, "bootstrap", "macro over category"),
        "categories": (make_slice("Depth", 0.8, 5, 5), make_slice("Count", 2 / 3, 3, 5)),
        "dimensions": (make_slice("Space", None, 0, 1),),
        "statuses": {"ok": 6, "truncated": 2, "infra_error": 2},
        "outcomes": {"answered": 7, "unanswered": 1},
        "protocol": {"temperature": 0, "prompt": "Answer with a letter."},
        "notes": ("Two requests failed.",),
    }
    return Scorecard(benchmark="Toy", model=model, **(fields | more))


class FakeRun:
    """A `RunView` of lists."""

    def __init__(
        self,
        items: list[Item],
        scores: list[Scored],
        replies: list[Reply] = (),
        pictures: dict[str, bytes] | None = None,
        name: str = "Model A",
        card: Scorecard | None = None,
        media_problem: str = "",
        official: Aggregate | None = None,
    ) -> None:
        self.media_problem, self.official = media_problem, official
        self.name, self.scorecard = name, card or make_card(name)
        self._items, self._scores, self._replies = items, scores, list(replies)
        self._pictures = pictures or {}

    def items(self) -> Iterable[Item]:
        return iter(self._items)

    def replies(self) -> Iterable[Reply]:
        return iter(self._replies)

    def scores(self) -> pa.Table:
        rows = [msgspec.to_builtins(score) | {"parts": list(score.parts.items())} for score in self._scores]
        types = {
            "value": pa.float64(),
            "repairs": pa.list_(pa.string()),
            "errors": pa.list_(pa.string()),
            "details": pa.list_(pa.string()),
            "parts": pa.map_(pa.string(), pa.float64()),
            "epoch": pa.int64(),
            "chance": pa.float64(),
        }
        names = Scored.__struct_fields__
        return pa.Table.from_pylist(rows, pa.schema([(name, types.get(name, pa.string())) for name in names]))

    def media(self, sha256: str) -> bytes | None:
        return self._pictures.get(sha256)


class Made:
    """What the tests make their cases with."""

    picture = staticmethod(picture)
    item = staticmethod(make_item)
    scored = staticmethod(make_scored)
    slice = staticmethod(make_slice)
    card = staticmethod(make_card)
    run = FakeRun
    image: Callable[[str], Image] = Image


@pytest.fixture(scope="module")
def made() -> type[Made]:
    return Made


@pytest.fixture
def page(browser):
    """A page on which any dialog, console error, script error or request outside the folder is a failure."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    faults: list[str] = []
    page.on("dialog", lambda dialog: (faults.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("console", lambda message: message.type in ("error", "warning") and faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda sent: sent.url.startswith(("file:", "data:")) or faults.append(sent.url))
    yield page
    page.close()
    assert faults == []


@pytest.fixture(scope="module")
def duel() -> list[FakeRun]:
    """Two runs over ten items, worse first. By item, in the order of the items:

    Better: right, right, right, wrong | right, right, right, right, wrong, failed
    Worse:  right, wrong, unread, refused | right, wrong, ambiguous, truncated and unread, right, right

    Items 0 to 3 are of category Count, the others of Depth. A wrong answer has a false atom.
    """
    items = [make_item(number, category="Count" if number < 4 else "Depth") for number in range(10)]
    outcomes = {
        "r": "answered",
        "w": "answered",
        "u": "unanswered",
        "f": "refused",
        "a": "ambiguous",
        "t": "unanswered",
    }

    def made_of(name: str, letters: str) -> FakeRun:
        scores, replies = [], []
        for item, letter in zip(items, letters, strict=True):
            if letter == "x":
                scores.append(make_scored(item, None, status="infra_error", outcome=""))
                replies.append(Reply(item.id, status="infra_error", error="HTTP 500"))
                continue
            status = "truncated" if letter == "t" else "ok"
            mistakes = ("false_atom",) if letter == "w" else ()
            worth, outcome = float(letter == "r"), outcomes[letter]
            scores.append(make_scored(item, worth, status=status, outcome=outcome, errors=mistakes))
            replies.append(Reply(item.id, text=f"{name} about {item.id}", status=status))
        official = Aggregate("macro over category", "category")
        card = scorecard(scores, official, model=name)
        return FakeRun(items, scores, replies, name=name, official=official, card=card)

    return [made_of("Worse", "rwufrwatrr"), made_of("Better", "rrrwrrrrwx")]
