"""The authors' own words where they stand: a string in a YAML, JSON, Python or text file of theirs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from gumption.benchmarks._hub.single import address_in, fetch_file
from gumption.benchmarks._prompt_python import python_constants
from gumption.benchmarks._prompt_tree import string_at
from gumption.benchmarks._prompt_yaml import yaml_tree
from gumption.lines import read_whole
from gumption.records import GumptionError

__all__ = ["PromptSource", "Quoted", "quoted", "written"]

_FIELD = re.compile(r"\{(question|options|letters)\}")
_MARK = "\0"
"""Stands around the name of a field of ours while the authors' words are put beside it."""
_LONGEST_PLACE = 2_000
_FORMAT = re.compile(r"(?:^|[._])(ya?ml|json|py)$", re.ASCII | re.IGNORECASE)


class PromptSource(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where words of the authors stand, and what their placeholders mean."""

    place: str = msgspec.field(name="from")
    """ADDRESS#KEY or PATH#KEY."""
    fill: dict[str, str] = {}
    """What stands in the words to what goes there in a template of ours."""


class Quoted(msgspec.Struct, frozen=True):
    """Where words of the authors were read from."""

    name: str
    place: str
    """ADDRESS#KEY or PATH#KEY, as it was given."""
    sha256: str
    """Of the file."""

    def __str__(self) -> str:
        return f"{self.name} from {self.place} (SHA-256 {self.sha256})"


def quoted(name: str, source: PromptSource, folder: Path | None, largest: int) -> tuple[Quoted, str]:
    """What `source` names, which stands under `name` in a file of prompts, and its words for `written`.

    folder: that paths start from; None where paths are refused. largest: bytes of the file. Raises
    GumptionError for a file that cannot be had or read, for a key that is not there, saying which are, for
    what is no string, and where the words have a field of ours or have not what `fill` says.
    """
    file, _, key = source.place.partition("#")
    if len(source.place) > _LONGEST_PLACE:
        raise GumptionError(
            f"an address of over {_LONGEST_PLACE:,} characters", where=name, remedy="give ADDRESS#KEY"
        )
    address = address_in(file)
    if not address and folder is None:
        raise GumptionError(
            "a file of prompts that was fetched names a file of this computer",
            where=source.place,
            remedy="name an address, or give the file of prompts as a file of yours",
        )
    path = fetch_file(address, largest) if address else (folder or Path()) / file
    data = read_whole(path, largest, "give prompts alone")
    try:
        words = _words(file, key, data.decode("utf-8-sig"))
        words.encode()
        if _MARK in words:
            raise GumptionError("not text: it has a NUL", remedy="name another file")
        words = _filled(words, source.fill, largest)
    except UnicodeError as error:
        raise GumptionError("not UTF-8 text", where=source.place, remedy="name another file") from error
    except GumptionError as error:
        raise GumptionError(error.problem, where=source.place, remedy=error.remedy) from error
    return Quoted(name, source.place, hashlib.sha256(data).hexdigest()), words


def written(
    templates: dict[str, dict[str, str]], words: dict[str, str], largest: int
) -> dict[str, dict[str, str]]:
    """The templates with the authors' words in place of {NAME}, wherever that stands.

    words: of each name, as `quoted` gives them. largest: characters of all that goes in. Raises GumptionError
    where there are more, and where a field of ours comes about that nobody wrote.
    """
    if not words:
        return templates
    names = re.compile(r"\{(" + "|".join(map(re.escape, words)) + r")\}")
    every = [template for of_kind in templates.values() for template in of_kind.values()]
    if sum(len(words[name]) for template in every for name in names.findall(template)) > largest:
        raise GumptionError(
            f"the authors' words make over {largest:,} characters", remedy="write them fewer times"
        )
    return {
        benchmark: {
            kind: _unmarked(
                names.sub(lambda found: words[found[1]], _marked(template)), f"{benchmark}, {kind}"
            )
            for kind, template in of_kind.items()
        }
        for benchmark, of_kind in templates.items()
    }


def _marked(text: str) -> str:
    """With our fields as what no words of the authors can be taken for."""
    return _FIELD.sub(rf"{_MARK}\1{_MARK}", text.replace(_MARK, ""))


def _unmarked(text: str, where: str) -> str:
    """With our fields as fields again, where no words of the authors look like one."""
    if found := _FIELD.search(text):
        raise GumptionError(
            f"the authors' words have {found[0]} themselves",
            where=where,
            remedy=f'say what that is: {{"from": "ADDRESS#KEY", "fill": {{"{found[0]}": "{found[0]}"}}}}',
        )
    return re.sub(rf"{_MARK}(\w+){_MARK}", r"{\1}", text)


def _filled(words: str, fill: dict[str, str], largest: int) -> str:
    """The words with what stands for their placeholders in it, our fields in that marked."""
    for theirs in fill:
        if not theirs or theirs not in words:
            raise GumptionError(
                f"{theirs!r:.60} of fill is not in the authors' words", remedy=f"they are: {words[:200]!r}"
            )
    if sum(words.count(theirs) * len(ours) for theirs, ours in fill.items()) > largest:
        raise GumptionError(f"fill makes over {largest:,} characters", remedy="fill their placeholders alone")
    # All in one pass, the longest first: "{{" is not two of "{".
    theirs = "|".join(map(re.escape, sorted(fill, key=len, reverse=True)))
    return re.sub(theirs, lambda found: _marked(fill[found[0]]), words) if fill else words


def _words(file: str, key: str, text: str) -> str:
    """The string under the key of a file's text; the whole text where the format is none that has keys."""
    name = (urlsplit(file).path if address_in(file) else file).rpartition("/")[2]
    found = _FORMAT.search(name)
    if found:
        return string_at(_READERS[found[1].lower()](text), key)
    if key:
        raise GumptionError(
            "a file of text has no keys, only .yaml, .json and .py have", remedy=f"leave #{key} out"
        )
    return text


def _json_tree(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(f"no JSON: {error}", remedy="name another file") from error


_READERS: dict[str, Callable[[str], Any]] = {
    "yaml": yaml_tree,
    "yml": yaml_tree,
    "json": _json_tree,
    "py": python_constants,
}
