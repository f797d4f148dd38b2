"""Rows out of what people write by hand: YAML, tables of Markdown, texts with front matter."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from gumption.records import GumptionError
from gumption.synthesis.recipes._cells import plain

__all__ = ["front_of", "has_front", "markdown_rows", "markdown_tables", "yaml_of"]

_LARGEST = 8 * 2**20
"""Characters of YAML, whose reader is slow."""
_DEEPEST = 32
_RULED = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?")
_BAR = re.compile(r"(?<!\\)\|")
_FRONT = re.compile(r"\s*---[ \t]*\n(.{0,100000}?)\n---[ \t]*(?:\n(.*))?", re.DOTALL)
_BEGINS = re.compile(r"\s*---[ \t]*\n[\w -]+:(?=\s)")


def yaml_of(text: str, where: str) -> Any:
    """The value of a YAML text as JSON has it: dates and the like stay text, and so do yes and no.

    Raises GumptionError for what is none, for aliases, which make a small file large, and where it is too
    large or nested too deeply.
    """
    import yaml

    if len(text) > _LARGEST:
        raise GumptionError("the YAML is too large", where=where, remedy="save it as JSON")
    depth = 0
    try:
        for event in yaml.parse(text, yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST or isinstance(event, yaml.AliasEvent):
                raise GumptionError(
                    "the YAML has aliases or is nested too deeply", where=where, remedy="save it as JSON"
                )
        loader = _loader()(text)
        try:
            return plain(loader.get_single_data())
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise GumptionError(f"no YAML: {error}", where=where, remedy="mend the file") from error


@cache
def _loader() -> Any:
    """A loader that knows null, booleans and numbers, and takes all else as text."""
    import yaml

    base = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

    makers = {tag: make for tag, make in base.yaml_constructors.items() if tag in _PLAIN or tag is None}
    loader: Any = type("Loader", (base,), {"yaml_implicit_resolvers": {}, "yaml_constructors": makers})
    loader.add_implicit_resolver(
        "tag:yaml.org,2002:null", re.compile(r"(?:~|null|Null|NULL|)\Z"), [*"~nN", ""]
    )
    loader.add_implicit_resolver(
        "tag:yaml.org,2002:bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), [*"tTfF"]
    )
    loader.add_implicit_resolver(
        "tag:yaml.org,2002:int", re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})\Z"), [*"-+0123456789"]
    )
    loader.add_implicit_resolver(
        "tag:yaml.org,2002:float",
        re.compile(r"[-+]?(?:[0-9]{1,17}\.[0-9]{0,17}|\.[0-9]{1,17})(?:[eE][-+]?[0-9]{1,3})?\Z"),
        [*"-+.0123456789"],
    )
    return loader


_PLAIN = {f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "seq", "map")}


def markdown_tables(text: str) -> list[tuple[tuple[str, ...], list[list[str]]]]:
    """The tables with their headers; tables with the same header are one, as under several headings."""
    found: dict[tuple[str, ...], list[list[str]]] = {}
    lines = [line.strip() for line in text.splitlines()]
    header: tuple[str, ...] = ()
    for n, line in enumerate(lines):
        if not _BAR.search(line):
            header = ()
        elif header and not _RULED.fullmatch(line):
            found[header].append(_cells(line))
        elif not header and n + 1 < len(lines) and "-" in lines[n + 1] and _RULED.fullmatch(lines[n + 1]):
            header = tuple(_cells(line))
            found.setdefault(header, [])
    return list(found.items())


def _cells(line: str) -> list[str]:
    inner = line.removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    return [re.sub(r"\\\|", "|", cell).strip() for cell in _BAR.split(inner)]


def markdown_rows(text: str, header: str, where: str, most: int) -> list[dict[str, Any]]:
    """The rows of the tables with that header, of the first where it is "". A row may be short, not long."""
    tables = [(names, rows) for names, rows in markdown_tables(text) if header in ("", "|".join(names))]
    if not tables:
        raise GumptionError("it has no such table", where=where, remedy="look at its headers")
    names, rows = tables[0]
    if len(rows) > most or any(len(cells) > len(names) for cells in rows):
        raise GumptionError("rows too many or too long", where=where, remedy="mend the table")
    return [dict(zip(names, [*cells, *[""] * len(names)], strict=False)) for cells in rows]


def has_front(text: str) -> bool:
    """Whether a text begins with fields between two lines of `---`, and has no such line below."""
    return bool(_BEGINS.match(text)) and len(re.findall(r"^---[ \t]*\r?$", text, re.MULTILINE)) == 2


def front_of(text: str, where: str) -> dict[str, Any]:
    """The fields of a text's front matter, and what stands below it as `text`.

    Raises GumptionError for a text without.
    """
    found = _FRONT.fullmatch(text.replace("\r\n", "\n"))
    fields = yaml_of(found[1], where) if found else None
    if not found or not isinstance(fields, dict):
        raise GumptionError("it has no front matter", where=where, remedy="begin it with fields between ---")
    return {**{str(name): value for name, value in fields.items()}, "text": (found[2] or "").strip()}
