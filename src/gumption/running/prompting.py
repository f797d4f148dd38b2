"""The words of roles: files of a room, named with their version, and data put into them as data."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import msgspec

from gumption.records import GumptionError

__all__ = ["Prompts", "cut", "data"]


@dataclass(frozen=True)
class Prompts:
    """The files `prompts/NAME.md` of a package."""

    package: str

    def id(self, name: str) -> str:
        """A prompt's name with the first digits of its hash: what a log has to say of the words asked in.

        Raises GumptionError where there is no such prompt.
        """
        return f"{name}@{hashlib.sha256(_words(self.package, name).encode()).hexdigest()[:8]}"

    def filled(self, name: str, **fields: object) -> str:
        """The prompt with its fields filled. A `$` in what is filled in stays a `$`."""
        return Template(_words(self.package, name)).substitute(fields)


def data(entries: Iterable[Any]) -> str:
    """Entries for a prompt, each a line of JSON, so that no text in them can end its quotation or its line.

    `<` is escaped: the tag that the prompts close their data with cannot come out of the data.
    """
    lines = [msgspec.json.encode(entry).decode().replace("<", "\\u003c") for entry in entries]
    return "\n".join(lines) or "(none)"


def cut(text: str, most: int) -> str:
    """The beginning of a text, with a mark where it was cut. Half a character pair becomes a `?`."""
    told = text if len(text) <= most else f"{text[:most]}[...]"
    return told.encode(errors="replace").decode()


@cache
def _words(package: str, name: str) -> str:
    file = files(package) / "prompts" / f"{name}.md"
    if "/" in name or not file.is_file():
        raise GumptionError(
            f"no prompt is called {name!r}", remedy=f"name a file of {package.replace('.', '/')}/prompts"
        )
    return file.read_text("utf-8").strip()
