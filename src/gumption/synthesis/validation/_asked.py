"""Whether a request shows what the record declares: the question in whatever way it is given, what stands
before it, the options, as many pictures as there are, and no right answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gumption.synthesis.contract import Request, Row
from gumption.synthesis.recipes._marks import place_of
from gumption.synthesis.spec import Asking, Spec
from gumption.synthesis.validation._cells import said, several
from gumption.synthesis.validation._declared import Declared, options_of
from gumption.synthesis.validation.report import Finding, quoted

__all__ = ["asked_as_declared"]

_NAMED = re.compile(r"\{([^{}\n]{1,100})\}")
_NOTHING = ("", "nan", "none", "null")


def asked_as_declared(item: Declared, request: Request, spec: Spec) -> Iterator[Finding]:
    """What is missing in an item's request, and what should not be in it."""
    shown = _flat(" ".join(part.text for part in request.parts))
    for what, text in _declared(item.row, spec.asking):
        if _flat(text) not in shown:
            yield Finding(f"{what} is shown", item.id, expected=quoted(text), got=quoted(shown))
    options = options_of(item.row, replace(spec, scoring=replace(spec.scoring, kind="choice")))
    if spec.asking.options.columns:
        missing = [text for text in options.values() if _flat(text) not in shown]
        if missing:
            yield Finding("all options are shown", item.id, expected=quoted(missing[0]), got=quoted(shown))
    yield from _pictures(item, request, spec)


def _declared(row: Row, asking: Asking) -> Iterator[tuple[str, str]]:
    """Each text that must stand in the request, with what it is."""
    mark, _ = place_of(asking.place)
    if asking.template:
        for name in dict.fromkeys(_NAMED.findall(asking.template)):
            yield f"the template's {name}", _text(row.get(name))
        for words in _NAMED.split(asking.template)[::2]:
            yield from (("the template's text", piece) for piece in mark.split(words)[::2])
    else:
        question = row.get(asking.question)
        texts = _turns(question) if isinstance(question, list) else [_text(question)]
        yield from (("the question", piece) for text in texts for piece in mark.split(text)[::2])
    for part, columns in (("context", asking.context), ("instruction", asking.closing)):
        told = [name for name in columns if {part, name} & {*asking.order}]
        yield from (
            (f"the column {name}", piece) for name in told for piece in mark.split(_text(row.get(name)))[::2]
        )


def _text(cell: Any) -> str:
    """A cell as it must be shown; "" for one that shows nothing, or that could be written in several ways."""
    text = "" if isinstance(cell, list | dict) else said(cell)
    return "" if text.lower() in _NOTHING else text


def _turns(messages: list[Any]) -> Iterator[str]:
    """The texts of a conversation."""
    for message in messages:
        content = message.get("content", message.get("value")) if isinstance(message, Mapping) else None
        for piece in content if isinstance(content, list) else [content]:
            text = piece.get("text") if isinstance(piece, Mapping) else piece
            if isinstance(text, str):
                yield text


def _pictures(item: Declared, request: Request, spec: Spec) -> Iterator[Finding]:
    pictures = [part for part in request.parts if not part.text]
    wanted = sum(_count(item.row.get(column), spec) for column in spec.asking.images)
    # A conversation may show pictures of its own.
    talked = not spec.asking.template and isinstance(item.row.get(spec.asking.question), list)
    if spec.asking.images and len(pictures) != wanted and not talked:
        yield Finding(
            "the declared pictures are shown", item.id, expected=str(wanted), got=str(len(pictures))
        )
    gold = spec.scoring.gold
    if gold.form == "mask":
        name = str(Path(gold.folder, said(item.row.get(gold.column))))
        if any(part.image == name for part in pictures):
            yield Finding(
                "the right answer is not in the request", item.id, got=f"the mask {quoted(name)} is shown"
            )


def _count(cell: Any, spec: Spec) -> int:
    if cell is None or said(cell).lower() in _NOTHING:
        return 0
    if spec.asking.base64 and not isinstance(cell, list):
        return 1
    return len(several(cell, spec.asking.image_separator))


def _flat(text: str) -> str:
    return " ".join(text.split())
