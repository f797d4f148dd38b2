"""The report folder: pages that open from a file system and lead from every number to its evidence.

`index.html` shows the scorecards; its data are scripts in `data/`, loaded when they are needed:

- `runs.js`: title, names of the runs, why pictures are left out, and the first rows of all pages;
- `cards-N.js`: the scorecards; `index-N.js`: what the list of items filters by;
- `items-N.js`: the questions; `R-N.js`: what run R made of them, row for row the same items;
- `boards-N.js`: the runs of each benchmark side by side; `pairs-B-N.js`: those of board B two by two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from gumption.ranking.people_file import PeopleFile
from gumption.records import Aggregate, GumptionError, Image, Item, Reply, Scorecard
from gumption.reporting._board_pages import write_boards
from gumption.reporting._boards import make_boards
from gumption.reporting._costs import Costs
from gumption.reporting._evidence import (
    OUTCOMES,
    Found,
    Row,
    found,
    index_row,
    item_row,
    mistake_kinds,
    run_row,
    words,
)
from gumption.reporting._folder import replacing_folder
from gumption.reporting._pages import FILE_LIMIT, Pages, clip, encode, fit, script
from gumption.reporting._thumbnails import Thumbnail, make_thumbnails
from gumption.reporting.tables import scorecard_json

__all__ = ["RunView", "write_site"]

_Key = tuple[str, str]
"""Benchmark and id: an item of the report."""
_SCORED_FIELDS = (
    *("item_id", "epoch", "kind", "value", "status", "outcome", "chance"),
    *("rule", "answer", "repairs", "errors", "details", "parts"),
)


class RunView(Protocol):
    """A run as the report sees it. Each method but `media` is called once."""

    name: str
    """Shown for the run, e.g. the model's name."""
    scorecard: Scorecard
    official: Aggregate | None
    """The official aggregate of its scorecard: what it is ranked by; None is micro."""
    media_problem: str
    """Why the run's pictures cannot be shown, "" if they can."""

    def items(self) -> Iterable[Item]:
        """Every item that was planned."""

    def replies(self) -> Iterable[Reply]:
        """In any order, keyed (item_id, epoch, call)."""

    def scores(self) -> pa.Table:
        """One row per item and epoch, with the columns of `records.Scored`."""

    def media(self, sha256: str) -> bytes | None:
        """The bytes of a picture, None if they are not stored. Called from several threads at once."""


def write_site(
    runs: Sequence[RunView],
    out: Path,
    *,
    title: str = "Gumption report",
    about: str = "",
    people: PeopleFile | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write the report of some runs into the folder `out` and return the path of its `index.html`.

    An earlier report in `out` is replaced in one step when the new one is complete. `about` says
    what was done and who was asked, and is shown under the title. `people`: ratings to set the ranking
    beside. `progress` is called with (steps done,
    steps in all).
    Holds the items, and the replies of one run at a time, in memory.

    Raises GumptionError if there is no run, if `out` holds anything but an earlier report, if a run has
    scores or replies of items that it does not list, if a table of scores lacks a column, or if people
    rated too few of the models.
    """
    if not runs:
        raise GumptionError("there is no run to report", where=str(out), remedy="Name at least one run.")
    pages = resources.files("gumption.reporting") / "site_files"
    names = [page.name for page in pages.iterdir() if page.is_file()]
    with replacing_folder(out, frozenset([*names, "data", "thumbs"])) as folder:
        _write_data(runs, folder, title, about, people, progress or _silent)
        for name in names:
            (folder / name).write_bytes((pages / name).read_bytes())
    return out / "index.html"


def _write_data(
    runs: Sequence[RunView],
    folder: Path,
    title: str,
    about: str,
    people: PeopleFile | None,
    progress: Callable[[int, int], None],
) -> None:
    data, thumbs = folder / "data", folder / "thumbs"
    data.mkdir()
    thumbs.mkdir()
    items, asked = _items(runs)
    pictures = {
        part.sha256 for own in asked for item in own for part in item.parts if isinstance(part, Image)
    }
    total = len(pictures) + len(runs) + len({run.scorecard.benchmark for run in runs})
    steps = iter(range(1, total + 1))

    def step() -> None:
        progress(next(steps), total)

    thumbnails = make_thumbnails(sorted(pictures), lambda sha256: _media(runs, sha256), thumbs, step)
    questions = Pages(data, "items")
    for item in items.values():
        questions.add(fit(item_row, item, thumbnails))
    questions.close()

    evidence, made, costs = [], [], []
    for number, (run, own) in enumerate(zip(runs, asked, strict=True)):
        pages, cost = Pages(data, str(number)), Costs()
        made.append(_write_run(run, own, items, thumbnails, pages, cost))
        evidence.append(pages.starts)
        costs.append(cost.row())
        step()

    kinds = mistake_kinds(made)
    index = Pages(data, "index", size=FILE_LIMIT)
    for item, *by_run in zip(items.values(), *made, strict=True):
        index.add(encode(index_row(item, by_run, kinds)))
    index.close()
    names = _distinct([run.name for run in runs])
    boards = write_boards(
        make_boards(runs, names, asked, list(items.values()), made, kinds), people, data, step
    )
    cards = Pages(data, "cards", size=FILE_LIMIT)
    for run in runs:
        cards.add(fit(_card, run.scorecard))
    cards.close()
    problems = [run.media_problem for run in runs if run.media_problem]
    left_out = any(thumbnail.missing for thumbnail in thumbnails.values())
    manifest = {
        "title": title,
        "about": about,
        # Not said where another run has the pictures, or where the items have none.
        "media_problems": [clip(problem, 2_000) for problem in dict.fromkeys(problems)] if left_out else [],
        "outcomes": OUTCOMES,
        "mistakes": kinds,
        "items": len(items),
        "runs": names,
        "costs": costs,
        "starts": {"items": questions.starts, "runs": evidence},
        "pages": {"index": len(index.starts), "cards": len(cards.starts), "boards": boards},
    }
    (data / "runs.js").write_bytes(script("runs", 0, [encode(manifest)]))


def _silent(done: int, total: int) -> None:
    """Progress that nobody watches."""


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, those that several runs share with the number of the run behind them."""
    times = Counter(names)
    return [name if times[name] == 1 else f"{name} (run {place})" for place, name in enumerate(names, 1)]


def _items(runs: Sequence[RunView]) -> tuple[dict[_Key, Item], list[list[Item]]]:
    """Every item of the report, each once and in the order first met, and the items of each run."""
    asked: list[list[Item]] = []
    items: dict[_Key, Item] = {}
    for run in runs:
        # Runs of one suite list equal items: keep one object of each.
        firsts = ((item, items.setdefault((item.benchmark, item.id), item)) for item in run.items())
        asked.append([first if first == item else item for item, first in firsts])
    return items, asked


def _media(runs: Sequence[RunView], sha256: str) -> bytes | None:
    return next((data for run in runs if (data := run.media(sha256)) is not None), None)


def _write_run(
    run: RunView,
    own: list[Item],
    items: Mapping[_Key, Item],
    thumbnails: Mapping[str, Thumbnail],
    pages: Pages,
    costs: Costs,
) -> list[Found]:
    """Write a row for every item of the report; return what the run made of each."""
    mine = {(item.benchmark, item.id): item for item in own}
    known = {item.id for item in own}
    replies: dict[str, list[Reply]] = defaultdict(list)
    for reply in run.replies():
        replies[_listed(reply.item_id, known, run.name)].append(reply)
        costs.add(reply)
    scores: dict[str, list[Row]] = defaultdict(list)
    for score in _score_rows(run):
        scores[_listed(score["item_id"], known, run.name)].append(score)

    part = run.official.part if run.official else ""
    made = []
    for key, item in items.items():
        said = sorted(replies.get(item.id, ()), key=lambda reply: reply.epoch) if key in mine else []
        worth = sorted(scores.get(item.id, ()), key=lambda row: row["epoch"]) if key in mine else []
        differing = mine[key] if key in mine and mine[key] is not item else None
        pages.add(fit(run_row, worth, said, differing, thumbnails))
        made.append(found(worth, part, answered=bool(said)))
    pages.close()
    return made


def _listed(item_id: str, known: set[str], run: str) -> str:
    if item_id not in known:
        raise GumptionError(
            f"a reply or score is of item {item_id[:80]!r}, which the run does not list",
            where=run,
            remedy="Report the run with the suite it was made from.",
        )
    return item_id


def _score_rows(run: RunView) -> Iterator[Row]:
    table = run.scores()
    if lacking := [name for name in _SCORED_FIELDS if name not in table.column_names]:
        raise GumptionError(
            f"the scores have no column {lacking[0]!r}", where=run.name, remedy="Score the run again."
        )
    for batch in table.select(_SCORED_FIELDS).to_batches():
        yield from batch.to_pylist()


def _card(limit: int, card: Scorecard) -> dict[str, Any]:
    plain = scorecard_json(card)
    plain["protocol"] = {name: clip(words(entry), limit) for name, entry in plain["protocol"].items()}
    plain["notes"] = [clip(note, limit) for note in card.notes]
    return plain
