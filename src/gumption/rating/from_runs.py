"""A study out of run folders: every model's reply to every item is an output that people see."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gumption.answers import refuses, visible
from gumption.benchmarks import open_suite
from gumption.rating._sight import media_file
from gumption.rating._steps import steps_of
from gumption.rating.study import Material, MediaFile, Output, Scenario
from gumption.records import GumptionError, Image, Item, Part, Reply, Text, Video
from gumption.running import Run
from gumption.suites import Media, Suite

__all__ = ["MASK", "material_from_runs", "material_from_suite"]

MASK = "[name hidden]"
_LONGEST = 50_000
"""Characters of a reply that raters are shown."""


def material_from_runs(runs: Sequence[Path], *, with_outputs: bool = True) -> Material:
    """Scenarios, outputs and media of the runs, one run a model, items alike.

    Requests that failed are left out and told; a refusal and an empty reply are outputs of their own. Of an
    item asked several times the first reply counts, and of one that takes several questions none, as its
    replies do not stand alone. Models' names in replies are masked.

    Raises GumptionError where two runs are of one model or have different items of one id, and where a
    picture or clip cannot be had.
    """
    opened = [Run.open(folder) for folder in runs]
    names = [run.info.model for run in opened]
    for name in names:
        if names.count(name) > 1:
            raise GumptionError(f"two runs of {name}", where="runs", remedy="give one run a model")
    items: dict[str, Item] = {}
    told: list[str] = []
    outputs: list[Output] = []
    mask = _mask(names)
    for run in opened:
        for item in run.items():
            if _shown(items.setdefault(item.id, item)) != _shown(item):
                raise GumptionError(
                    f"item {item.id!r} is another in {run.folder}",
                    where="runs",
                    remedy="give runs of one suite",
                )
        if with_outputs:
            outputs += _outputs(run, mask, told)
    answered = {output.scenario for output in outputs}
    scenarios = tuple(_shown(item) for item in items.values() if item.id in answered or not with_outputs)
    media, warned = _media(scenarios, [run.suite_address() for run in opened])
    return Material(scenarios, tuple(outputs), media, tuple(told), warned)


def material_from_suite(suite: Suite) -> Material:
    """The items of a suite, for labelling."""
    scenarios = tuple(map(_shown, suite.items))
    media, warned = _seen(scenarios, suite.media)
    return Material(scenarios, (), media, (), warned)


def _shown(item: Item) -> Scenario:
    """An item as people see it: a whole clip where its frames went to the model, its options, no gold."""
    parts: tuple[Part, ...] = item.parts
    told, instruction = item.meta.get("media"), item.meta.get("instruction")
    if isinstance(told, list) and isinstance(instruction, str):
        parts = (*map(_told, told), Text(instruction))
    if item.answer.choices:
        options = (f"{letter}. {text}" if text else letter for letter, text in item.answer.choices.items())
        parts = (*parts, Text("\n".join(options)))
    sub_tasks = item.meta.get("sub_tasks")
    listed = tuple(map(str, sub_tasks)) if isinstance(sub_tasks, list | tuple) else ()
    return Scenario(item.id, parts, listed, item.dimension)


def _told(media: dict[str, Any]) -> Part:
    if str(media["media_type"]).startswith("video/"):
        return Video(media["sha256"], media["media_type"], media.get("seconds"))
    return Image(media["sha256"], media["media_type"])


def _outputs(run: Run, mask: re.Pattern[str], told: list[str]) -> Iterable[Output]:
    replies: dict[str, Reply] = {}
    for reply in run.replies():
        before = replies.get(reply.item_id)
        if reply.epoch == 0 and reply.call == "" and (before is None or before.status == "infra_error"):
            replies[reply.item_id] = reply
    missing: list[str] = []
    failed: list[str] = []
    masked = 0
    for item in run.items():
        reply_there = replies.get(item.id)
        if reply_there is None or reply_there.status == "infra_error":
            (missing if reply_there is None else failed).append(item.id)
            continue
        whole = visible(reply_there.text)[0].strip()
        text, count = mask.subn(MASK, whole[:_LONGEST])
        masked += count
        if len(whole) > _LONGEST:
            text += f"\n[cut: the reply has {len(whole):,} characters]"
        refused = reply_there.status == "refused" or (text and refuses(text))
        yield Output(
            item.id,
            run.info.model,
            text,
            steps_of(text),
            "refused" if refused else "said" if text else "empty",
        )
    for ids, why in ((missing, "has no reply that stands alone to"), (failed, "failed to answer")):
        if ids:
            more = f" and {len(ids) - 5} more" if len(ids) > 5 else ""
            told.append(f"{run.info.model} {why} {', '.join(ids[:5])}{more}")
    if masked:
        told.append(f"{run.info.model}: a model's name was masked in its replies, {masked} times")


def _mask(models: Iterable[str]) -> re.Pattern[str]:
    """Finds the models' names, whole or the parts of a path that look like one (with digit or hyphen)."""
    names = set()
    for model in models:
        pieces = re.split(r"[/#:]", model)
        names |= {piece for piece in pieces if len(piece) > 3 and re.search(r"[\d-]", piece)}
        names.add(model)
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)


def _media(
    scenarios: Sequence[Scenario], addresses: Sequence[tuple[str, Path | None]]
) -> tuple[tuple[MediaFile, ...], tuple[str, ...]]:
    """The media of the scenarios, from whichever of the runs' suites can still be opened."""
    wanted = {sha256 for scenario in scenarios for sha256 in scenario.media}
    there, problems = Media(), []
    for address, data in dict.fromkeys(addresses):
        if wanted - set(there):
            try:
                there |= open_suite(address, data).media
            except GumptionError as error:
                problems.append(str(error))
    if wanted - set(there):
        why = "; ".join(problems) or "its suite does not have them"
        raise GumptionError(
            f"{len(wanted - set(there))} pictures or clips cannot be found ({why})",
            where="runs",
            remedy="put the suite that was asked back where it was",
        )
    return _seen(scenarios, there)


def _seen(scenarios: Sequence[Scenario], media: Media) -> tuple[tuple[MediaFile, ...], tuple[str, ...]]:
    files, told = [], []
    for sha256 in dict.fromkeys(sha256 for scenario in scenarios for sha256 in scenario.media):
        path = media.path(sha256)
        if path is None:
            raise GumptionError(f"no media file {sha256}", where="suite", remedy="read the suite again")
        file, warning = media_file(path, sha256)
        files.append(file)
        told += [warning] if warning else []
    return tuple(files), tuple(told)
