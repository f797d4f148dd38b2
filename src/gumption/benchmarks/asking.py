"""How a run asks: in which prompt, and whether in every rotation of the options. Written into its items."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from gumption.benchmarks._circular import OFFICIAL_PLAIN, PLAIN, ROTATIONS, rotations
from gumption.benchmarks._hub.single import address_in, fetch_file
from gumption.benchmarks._prompt_sources import PromptSource, Quoted, quoted, written
from gumption.benchmarks.prompts import ASKING, PROMPT_VERSION, PROMPTS
from gumption.benchmarks.registry import episode_of
from gumption.lines import read_whole
from gumption.records import Aggregate, GumptionError, Item, Text

__all__ = ["Asking", "asked", "read_prompts"]

_LARGEST = 4 * 2**20
"""Bytes of a file of prompts."""
_ANY = "*"
_SOURCES = "sources"
"""Key of a file of prompts beside its benchmarks."""
_MOST_SOURCES = 64


class Asking(msgspec.Struct, frozen=True):
    """Options of a run that change what a model is asked."""

    prompt: str = PROMPT_VERSION
    """A name of `prompts.PROMPTS`."""
    templates: dict[str, dict[str, str]] | None = None
    """The authors' own words instead: benchmark to kind of answer to template; "*" is any other."""
    sha256: str = ""
    """Of the file that the templates are from."""
    source: str = ""
    """The address that file was fetched from, "" for one of the user's own."""
    quoted: tuple[Quoted, ...] = ()
    """The words in the templates that were read from files of the authors, and where they are from."""
    circular: bool = False

    @property
    def name(self) -> str:
        """What the protocol says of the prompt."""
        if self.templates is not None:
            told = [f"prompts of {self.source or 'a file'}, SHA-256 {self.sha256}", *map(str, self.quoted)]
            return "; ".join(told)
        return self.prompt if self.prompt == PROMPT_VERSION else f"{PROMPT_VERSION}/{self.prompt}"

    def applied(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """The items as this run asks them; untouched where it asks as usual.

        Raises GumptionError for a prompt there is not, for a benchmark that the templates leave out or that
        asks in its own words only, and for circular evaluation where nothing can be rotated.
        """
        if self.prompt not in PROMPTS:
            raise GumptionError(
                f"no prompt is called {self.prompt!r}", remedy=f"one of: {', '.join(PROMPTS)}"
            )
        asked = tuple(self._applied(item) for item in items)
        if self.name != PROMPT_VERSION:
            _check_heard(items, asked)
        if self.circular and all(item.meta[ASKING][ROTATIONS] == 1 for item in asked):
            raise GumptionError(
                "no item has options that can be rotated", remedy="leave circular evaluation out"
            )
        return asked

    def official(self, official: Aggregate | None) -> Aggregate | None:
        """The official aggregate under its name in this run."""
        return (
            replace(official, name=f"{official.name}, circular") if official and self.circular else official
        )

    def further(self, official: Aggregate | None, further: tuple[Aggregate, ...]) -> tuple[Aggregate, ...]:
        """The other aggregates; in circular evaluation those of the published order are among them."""
        if not self.circular:
            return further
        plain = [one for one in (official, *further) if one is not None and one.part in _PLAIN]
        return (
            *(replace(one, name=f"{one.name}, circular") if one.part in _PLAIN else one for one in further),
            *(replace(one, name=f"{one.name}, plain", part=_PLAIN[one.part]) for one in plain),
            Aggregate("micro, plain", part=PLAIN),
        )

    def _applied(self, item: Item) -> Item:
        told: dict[str, Any] = {}
        if self.templates is not None:
            told["template"] = self._template(item)
        elif self.prompt != PROMPT_VERSION:
            told["prompt"] = self.prompt
        if told:
            item = replace(item, meta={**item.meta, ASKING: told})
        if self.circular:
            item = replace(item, meta={**item.meta, ASKING: {**told, ROTATIONS: _shown_rotations(item)}})
        return item

    def _template(self, item: Item) -> str:
        for benchmark in (item.benchmark, _ANY):
            of_kind = (self.templates or {}).get(benchmark, {})
            found = of_kind.get(item.answer.kind, of_kind.get(_ANY))
            if found is not None:
                return found
        raise GumptionError(
            f"the file of prompts has none for {item.answer.kind} items of {item.benchmark}",
            where=item.id,
            remedy=f'add {{"{item.benchmark}": {{"{item.answer.kind}": "... {{question}} ..."}}}}',
        )


def asked(item: Item) -> Item:
    """The item with the parts that a model is shown, in the way that its `meta` says this run asks.

    Of an episode of several questions, the parts of the first one; where others are asked beside it, a note
    of how many.
    """
    first, *others = _first_questions(item)
    note = (Text(f"[the first of {1 + len(others)} questions asked side by side]"),) if others else ()
    return replace(item, parts=(*first.parts, *note))


_PLAIN = {"": PLAIN, "official": OFFICIAL_PLAIN}
"""Part of a score in circular evaluation to the part of the published order."""


def read_prompts(path: Path | str) -> Asking:
    """The authors' own prompts from a JSON file: {BENCHMARK: {KIND: TEMPLATE}}.

    path: of the file, or the address of one in a public repository at a commit (https, or
    hf://[datasets/]OWNER/NAME@COMMIT/FILE), which is downloaded once and kept in the cache.

    KIND is a kind of answer (choice, yes_no, number, point, text) or "*", and so may BENCHMARK be. A template
    has {question} once, and where it wants them {options}, a line each as "A. text", and {letters}. Beside
    the benchmarks, "sources" names words that stand in files of the authors: {NAME: "PLACE#KEY"} or {NAME:
    {"from": "PLACE#KEY", "fill": {THEIRS: OURS}}}, shown where a template has {NAME}. PLACE is an address as
    above or a path from the file's folder, KEY the dotted name of a string in YAML, JSON or Python; a file of
    another format is taken whole.
    Raises GumptionError for a file that is none, and, saying what to get and where to put it, for one that
    cannot be had.
    """
    source = address_in(str(path))
    path = fetch_file(source, _LARGEST) if source else Path(path)
    data = read_whole(path, _LARGEST, "give prompts alone")
    try:
        templates, sources = _decoded(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"no file of prompts: {error}",
            where=str(path),
            remedy='write {"BENCHMARK": {"choice": "... {question} ... {options} ..."}}',
        ) from error
    _check_sources(templates, sources, str(path))
    folder = None if source else path.parent
    found = [quoted(name, one, folder, _LARGEST) for name, one in sources.items()]
    templates = written(templates, {one.name: words for one, words in found}, _LARGEST)
    for benchmark, of_kind in templates.items():
        for kind, template in of_kind.items():
            if template.count("{question}") != 1:
                raise GumptionError(
                    f"the template for {kind} items of {benchmark} has not {{question}} once",
                    where=str(path),
                    remedy="say where the question stands",
                )
    return Asking(
        templates=templates,
        sha256=hashlib.sha256(data).hexdigest(),
        source=source,
        quoted=tuple(one for one, _ in found),
    )


def _decoded(data: bytes) -> tuple[dict[str, dict[str, str]], dict[str, PromptSource]]:
    """The templates of a file of prompts, and its sources by name."""
    file = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    stated = msgspec.json.decode(file.pop(_SOURCES, b"{}"), type=dict[str, str | PromptSource])
    sources = {name: PromptSource(one) if isinstance(one, str) else one for name, one in stated.items()}
    return {name: msgspec.json.decode(raw, type=dict[str, str]) for name, raw in file.items()}, sources


def _check_sources(
    templates: dict[str, dict[str, str]], sources: dict[str, PromptSource], where: str
) -> None:
    """That names are names, few, and all in a template: a score must not name words never shown."""
    if len(sources) > _MOST_SOURCES:
        raise GumptionError(f"over {_MOST_SOURCES} sources", where=where, remedy="name those that are shown")
    for name in sources:
        if not name.isidentifier() or name in ("question", "options", "letters"):
            raise GumptionError(
                f"a source cannot be called {name!r}", where=where, remedy="give it a name like post_prompt"
            )
        if not any(f"{{{name}}}" in one for of_kind in templates.values() for one in of_kind.values()):
            raise GumptionError(
                f"no template shows the source {name}",
                where=where,
                remedy=f"write {{{name}}} where it stands, or leave it out",
            )


def _check_heard(items: Sequence[Item], asked: Sequence[Item]) -> None:
    """That every benchmark's asking takes the prompt up: a score must not name one that was never shown."""
    seen: set[tuple[str, str]] = set()
    for before, after in zip(items, asked, strict=True):
        kind = (before.benchmark, before.answer.kind)
        if kind not in seen and _first_question(before) == _first_question(after):
            raise GumptionError(
                f"{kind[0]} asks its {kind[1]} items in words of its own, whatever the prompt",
                where=before.id,
                remedy="leave --prompt and --prompts out",
            )
        seen.add(kind)


def _shown_rotations(item: Item) -> int:
    """In how many rotations an item can be asked: 1 where its benchmark's words would not show another."""
    turns = rotations(item)
    return len(turns) if len(turns) > 1 and _first_question(turns[0]) != _first_question(turns[1]) else 1


def _first_question(item: Item) -> list[Any]:
    return [question.parts for question in _first_questions(item)]


def _first_questions(item: Item) -> tuple[Item, ...]:
    episode = episode_of(item)(item)
    try:
        return next(episode)
    finally:
        episode.close()
