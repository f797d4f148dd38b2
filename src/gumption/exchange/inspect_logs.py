"""Logs of Inspect (UKGovernmentBEIS/inspect_ai): `.eval`, a zip file with a JSON file a sample, and `.json`.

They are read without inspect_ai. A sample of one of our own tasks, or of a run that was exported, carries its
item and every reply in its metadata and is scored by its benchmark's own rule; of any other sample the last
output is the reply, and its `choices` and `target` say which answer it wants.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import msgspec

from gumption.exchange._answers import answer_of, options_in, unit_score
from gumption.exchange._files import json_of, json_of_file, open_archive
from gumption.exchange._inspect_export import ITEM, REPLIES, export
from gumption.exchange.log import Gathered, KitLog, Recorded, short
from gumption.records import GumptionError, Item, Reply, Status, Text

__all__ = ["export", "read"]

_KIT = "inspect"
_ATTACHMENT = "attachment://"
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Inspect's letters: correct, partly correct, incorrect, no answer."""
_STATUS: dict[str, Status] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}


class _Score(msgspec.Struct):
    value: Any = None
    answer: str | None = None


class _Message(msgspec.Struct):
    role: str = ""
    content: str | list[dict[str, Any]] = ""


class _Choice(msgspec.Struct):
    message: _Message
    stop_reason: str = ""


class _Output(msgspec.Struct):
    choices: list[_Choice] = []
    error: str | None = None


class _Error(msgspec.Struct):
    message: str = ""


class _Sample(msgspec.Struct):
    id: int | str
    epoch: int
    input: str | list[_Message]
    target: str | list[str]
    choices: list[str] | None = None
    output: _Output = msgspec.field(default_factory=_Output)
    scores: dict[str, _Score] | None = None
    metadata: dict[str, Any] = {}
    error: _Error | None = None
    attachments: dict[str, str] = {}


class _Spec(msgspec.Struct):
    task: str
    model: str


class _Header(msgspec.Struct):
    eval: _Spec


def read(path: Path, model: str = "") -> KitLog:
    """The log in one `.eval` or `.json` file.

    model: its name, where it is not to be the log's. Raises GumptionError where the file is none, where it is
    damaged, and where no sample can be used.
    """
    samples = _archived(path) if path.suffix.lower() == ".eval" else _listed(path)
    header = _converted(next(samples)[1](), _Header, str(path))
    task = header.eval.task.rpartition("/")[2]
    gathered = Gathered(_KIT, task, model or header.eval.model, path)
    for number, (name, load) in enumerate(samples, 1):
        id = ""
        try:
            sample = _converted(load(), _Sample, name)
            id = str(sample.id)
            where = f"{path}, {name}"
            named = model or header.eval.model
            ours = ITEM in sample.metadata
            gathered.keep(_ours(sample, named, where) if ours else _theirs(sample, task, named, where))
        except GumptionError as error:
            gathered.reject(number, id, error)
    return gathered.log()


def _archived(path: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The header, then each sample: the name of its file, and what loads it."""
    with open_archive(path) as archive:

        def load(name: str) -> Any:
            return json_of(archive.read(name), f"{path}, {name}")

        names = archive.names()
        head = "header.json" if "header.json" in names else "_journal/start.json"
        for name in (head, *sorted(name for name in names if name.startswith("samples/"))):
            yield name, partial(load, name)


def _listed(path: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    value = json_of_file(path)
    yield "", lambda: value
    samples = value.get("samples") or []
    if not isinstance(samples, list):
        raise GumptionError("its samples are no list", where=str(path), remedy="fetch the file again")
    for number, sample in enumerate(samples, 1):
        yield f"sample {number}", partial(_itself, sample)


def _itself(value: Any) -> Any:
    return value


def _converted(value: Any, kind: Any, where: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError, UnicodeEncodeError) as error:  # a lone surrogate
        raise GumptionError(
            f"not as Inspect writes it: {error}", where=where, remedy="give a log of Inspect 0.3 or later"
        ) from error


def _ours(sample: _Sample, model: str, where: str) -> Recorded:
    """A sample that carries its item and replies."""
    item = _converted(sample.metadata[ITEM], Item, where)
    kept = next((score for score in (sample.scores or {}).values() if score is not None), _Score())
    replies = _converted(sample.metadata.get(REPLIES, []), tuple[Reply, ...], where)
    if not replies:
        problem = sample.error.message if sample.error else "no reply was kept"
        replies = (Reply(item.id, sample.epoch - 1, "", model, "infra_error", error=problem),)
    named = tuple(msgspec.structs.replace(reply, model=model) for reply in replies)
    return Recorded(item, named, _worth(kept.value), kept.answer or "", where)


def _theirs(sample: _Sample, task: str, model: str, where: str) -> Recorded:
    prompt = _asked(sample)
    choices = dict(zip(ascii_uppercase, sample.choices or (), strict=False)) or options_in(prompt)
    id = str(sample.id)
    score = next(iter((sample.scores or {}).values()), _Score())
    return Recorded(
        item=Item(
            id=id,
            benchmark=f"{_KIT}:{task}",
            parts=(Text(prompt),) if prompt else (),
            answer=answer_of(sample.target, choices if len(choices) > 1 else None),
            category=str(sample.metadata.get("category") or ""),
        ),
        replies=(_reply(sample, id, model),),
        score=_worth(score.value),
        read=score.answer or "",
        where=where,
        gold=sample.target,
        carried=short(sample.metadata),
    )


def _reply(sample: _Sample, id: str, model: str) -> Reply:
    epoch = sample.epoch - 1
    problem = sample.error.message if sample.error else sample.output.error
    if problem or not sample.output.choices:
        return Reply(id, epoch, "", model, "infra_error", error=problem or "no output")
    choice = sample.output.choices[0]
    status = _STATUS.get(choice.stop_reason, "ok")
    text = _words(choice.message.content, sample.attachments)
    return Reply(id, epoch, "", model, status, text, finish_reason=choice.stop_reason)


def _worth(value: Any) -> float | None:
    """A score's value; of several by name, the first."""
    if isinstance(value, dict):
        value = next(iter(value.values()), None)
    return _GRADES[value] if isinstance(value, str) and value in _GRADES else unit_score(value)


def _asked(sample: _Sample) -> str:
    if isinstance(sample.input, str):
        return _resolved(sample.input, sample.attachments)
    said = (_words(message.content, sample.attachments) for message in sample.input if message.role == "user")
    return "\n".join(text for text in said if text)


def _words(content: str | list[dict[str, Any]], attachments: dict[str, str]) -> str:
    """The text of a message; reasoning and pictures are left out."""
    if isinstance(content, str):
        return _resolved(content, attachments)
    texts = (part.get("text") for part in content if part.get("type") == "text")
    return "\n".join(_resolved(text, attachments) for text in texts if isinstance(text, str))


def _resolved(text: str, attachments: dict[str, str]) -> str:
    """Long texts may stand apart, by their hash."""
    return attachments.get(text.removeprefix(_ATTACHMENT), text) if text.startswith(_ATTACHMENT) else text
