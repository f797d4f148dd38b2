"""Every reader of foreign bytes: its sound inputs, how a folder is handed to it, and what it may raise."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz.mutating import Folder
from fuzz.seeds import questions, recorded, said, unknown
from gumption.records import GumptionError

__all__ = ["READERS", "Reader"]


@dataclass(frozen=True)
class Reader:
    """A reader under its name in `READERS`."""

    seeds: Callable[[], list[Folder]]
    read: Callable[[Path], Any]
    """Reads a folder as `seeds` makes them."""
    raises: tuple[type[Exception], ...] = (GumptionError,)


def _text(read: Callable[[str], Any]) -> Callable[[Path], Any]:
    # Surrogates too: a server's JSON can bring them.
    return lambda folder: read((folder / "text").read_bytes().decode("utf-8", "surrogateescape"))


def _each(read: Callable[[Path], Any], *names: str) -> Callable[[Path], Any]:
    """Hands over the files of these names that are there."""

    def all_of(folder: Path) -> list[Any]:
        return [read(one) for one in sorted(folder.iterdir()) if not names or one.name in names]

    return all_of


def _inside(paths: Iterable[Path | None], folder: Path) -> None:
    """Ends in AssertionError where a path leads out of the folder and the store of pictures."""
    for path in paths:
        places = (folder.resolve(), Path(os.environ["GUMPTION_CACHE"]).resolve())
        assert path is None or any(path.resolve().is_relative_to(one) for one in places), f"it gives {path}"


def _replies(text: str) -> None:
    from gumption.answers import guess, read, score
    from gumption.grounding.pipeline.atoms import read_literals
    from gumption.grounding.pipeline.reading import listed
    from gumption.records import Answer, Reply

    four = {"A": "the red cup", "B": "the blue cup", "C": "the plate", "D": ""}
    for answer in (
        Answer("choice", "B", four),
        Answer("yes_no", "no"),
        Answer("number", 3.0),
        Answer("text", ["plate", "cup"]),
        *(
            Answer("point", {"box": [1, 1, 9, 9]}, None, convention, (640, 480))
            for convention in _CONVENTIONS
        ),
    ):
        reading = read(text, answer)
        score(answer, reading)
        guess(answer)
    listed(Reply("1", text=text), "objects")
    read_literals(Reply("1", text=text))


_CONVENTIONS: Any = ("unit_xy", "pixel_xy", "percent_xy", "per_mille_xy", "per_mille_yx")


def _plans(text: str) -> None:
    from gumption.planning import read_plan

    read_plan(text)


def _actions(text: str) -> None:
    from gumption.grounding import read_actions

    read_actions(text)


def _domains(text: str) -> None:
    from gumption.grounding import read_domain, write_domain

    write_domain(read_domain(text))


def _problems(text: str) -> None:
    from importlib.resources import files

    from gumption.grounding import read_domain, read_problem

    domain = files("gumption.grounding").joinpath("domains", "blocksworld.pddl").read_text()
    read_problem(text, read_domain(domain))


def _questions(path: Path) -> None:
    from gumption.suites import read_file_or_folder

    media = read_file_or_folder(path).media
    _inside((media.path(sha256) for sha256 in media), path.parent)


def _picture(path: Path) -> None:
    from gumption.suites import image_of

    image_of(path.read_bytes())


def _items(path: Path) -> None:
    from gumption.suites import read_items

    read_items(path)


def _suite(folder: Path) -> None:
    from gumption.suites import check_attachments, list_pools, read_folder, read_selection

    list_pools(folder.parent)
    check_attachments(folder)
    read_selection(folder)
    media = read_folder(folder).media
    _inside((media.path(sha256) for sha256 in media), folder)
    for sha256 in media:
        media.read(sha256)


def _run(folder: Path) -> None:
    from gumption.running import Run

    run = Run.open(folder)
    list(run.replies())
    run.items()
    run.scores()
    run.suite_address()
    with Run.taken(folder, run.info, run.items()):
        pass


def _logs(folder: Path) -> None:
    from gumption.exchange import read_logs
    from gumption.exchange._viplan_log import read_log

    results = [one for one in folder.iterdir() if one.name.startswith("results_")]
    for path in results:
        read_log(path)
    if not results:
        read_logs(folder, "m")


def _people(path: Path) -> None:
    from gumption.ranking.people_file import read_people

    read_people(path).matrix()


def _form(path: Path) -> None:
    from gumption.ranking.rating_form import read_form
    from gumption.rating.forms import form_dimensions

    form_dimensions(read_form(path))


def _scene(path: Path) -> None:
    from gumption.planning import Household, load_scene

    Household(load_scene("FloorPlan1", path))


def _archive(path: Path) -> None:
    from gumption.benchmarks._archives import _UNPACK, _once

    if unpack := _UNPACK.get("".join(path.suffixes[-2:])) or _UNPACK.get(path.suffix):
        _once(path, unpack)


def _folder(folder: Path) -> None:
    from gumption.synthesis.folder import inspect_folder

    assert "SECRET" not in repr(inspect_folder(folder)), "it read what lies outside"


READERS = {
    "replies": Reader(said.replies, _text(_replies)),
    "plans": Reader(said.plans, _text(_plans)),
    "actions": Reader(said.actions, _text(_actions)),
    "domains": Reader(said.domains, _text(_domains)),
    "problems": Reader(said.problems, _text(_problems)),
    "tsv": Reader(questions.tsv, _each(_questions, "q.tsv", "q.tsv.gz")),
    "jsonl": Reader(questions.jsonl, _each(_questions, "q.jsonl", "q.jsonl.gz")),
    "parquet": Reader(questions.parquet, _each(_items)),
    "pictures": Reader(questions.pictures, _each(_picture)),
    "suites": Reader(questions.suites, _suite),
    "runs": Reader(recorded.runs, _run),
    "logs": Reader(recorded.logs, _logs),
    "people": Reader(recorded.people, _each(_people)),
    "forms": Reader(recorded.forms, _each(_form)),
    "scenes": Reader(unknown.scenes, _each(_scene)),
    "archives": Reader(unknown.archives, _each(_archive)),
    "folders": Reader(unknown.folders, _folder),
}
