"""From a row to what is asked, as an `Asking` says. Pure: reads no file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, TypeAlias

import msgspec

from gumption.records import GumptionError
from gumption.synthesis.recipes._cells import filled, is_messages, listed, option_text, text_of
from gumption.synthesis.recipes._marks import place_of
from gumption.synthesis.recipes._messages import message_parts
from gumption.synthesis.recipes._options import labelled, listed_inside, unlabelled
from gumption.synthesis.spec import Asking, Options

__all__ = ["options", "request"]

Parts: TypeAlias = list[dict[str, str]]
_NOTHING = ("nan", "none", "null")
"""What empty cells become on their way through other programs."""
_DATA = re.compile(r"data:image/[\w.+-]+;base64,")


def request(row: Mapping[str, Any], asking: Asking | Mapping[str, Any]) -> dict[str, Any]:
    """What is asked for one row, as `contract.Request` wants it; texts that follow each other are one part.

    Raises GumptionError for a row without a question and for a picture that is only an address on the net.
    """
    asking = asking if isinstance(asking, Asking) else msgspec.convert(asking, Asking)
    shown = options(row, asking)
    headed = _images(row, asking)
    pictures = [picture for _, picture in headed]
    said = _question(row, asking)
    if not said:
        raise GumptionError(
            f"the row has no {asking.template or asking.question!r}",
            where="build",
            remedy="name another column",
        )
    listing = "" if asking.options.inside else "\n".join(_lines(shown, asking.options))
    alone = {*asking.order} - {"context"}
    context = {column: [{"text": _context(row, column, asking)}] for column in asking.context}
    pieces: dict[str, Parts] = {
        **context,
        "context": [part for name, parts in context.items() if name not in alone for part in parts],
        "question": said,
        "options": [{"text": listing}],
    }
    pieces = _placed({name: pieces[name] for name in asking.order if name in pieces}, pictures, asking.place)
    placed = [part for parts in pieces.values() for part in parts]
    pieces["images"] = _headed([one for one in headed if one[1] not in placed], asking.image_label)
    pieces["instruction"] = [{"text": _context(row, one, asking)} for one in asking.closing]
    pieces["instruction"].append({"text": asking.instruction})
    made: dict[str, Any] = {"parts": _together([part for name in asking.order for part in pieces[name]])}
    for name in ("category", "cluster"):
        told = text_of(row.get(getattr(asking, name)))
        if told:
            made[name] = told if len(told) <= 200 else hashlib.sha256(told.encode()).hexdigest()[:16]
    guesses = len(shown) or asking.guesses
    return {**made, "options": guesses} if guesses else made


def options(row: Mapping[str, Any], asking: Asking | Mapping[str, Any]) -> dict[str, str]:
    """A row's options by their letters, in the order shown. Cells that mean none are left out."""
    asking = asking if isinstance(asking, Asking) else msgspec.convert(asking, Asking)
    where: Options = asking.options
    if where.inside and not where.columns:
        return listed_inside(_asked(row, asking), where.letters)
    if not where.columns:
        return {}
    own = _own_options(row, where)
    last = max((where.letters.find(letter) for letter in own), default=-1)
    free = where.letters[max(last + 1, len(where.columns) if len(where.columns) > 1 else 0) :]
    return {**own, **dict(zip(free, where.added, strict=False))}


def _own_options(row: Mapping[str, Any], where: Options) -> dict[str, str]:
    cells: list[Any] | dict[str, Any] = [row.get(column) for column in where.columns]
    if len(where.columns) == 1:
        found = listed(row.get(where.columns[0]), where.separator)
        cells = [] if found is None else found
    if isinstance(cells, dict):
        return {
            key.upper(): option_text(one) for key, one in cells.items() if not _means_none(one, where.empty)
        }
    texts = unlabelled([option_text(cell) for cell in cells])
    return {
        letter: text
        for letter, text in zip(where.letters, texts, strict=False)
        if not _means_none(text, where.empty)
    }


def _text(row: Mapping[str, Any], column: str) -> str:
    text = text_of(row.get(column))
    return "" if text.lower() in _NOTHING else text


def _means_none(cell: Any, empty: tuple[str, ...]) -> bool:
    return option_text(cell).lower() in empty


def _asked(row: Mapping[str, Any], asking: Asking) -> str:
    return filled(asking.template, row) if asking.template else text_of(row.get(asking.question))


def _lines(shown: Mapping[str, str], where: Options) -> list[str]:
    """An option a line; one whose key is none of the letters stands behind its key."""
    return [
        f"{labelled(where.label, where.letters.find(letter), letter)}{text}" for letter, text in shown.items()
    ]


def _headed(pictures: list[tuple[str, dict[str, str]]], label: str) -> Parts:
    """Pictures behind what stands before those of their column, or else before each."""
    headed = (
        [{"text": (own or labelled(label, n)).strip()}, picture] for n, (own, picture) in enumerate(pictures)
    )
    return [part for both in headed for part in both]


def _context(row: Mapping[str, Any], column: str, asking: Asking) -> str:
    text = _text(row, column)
    return f"{asking.labels.get(column, '')}{text}" if text else ""


def _question(row: Mapping[str, Any], asking: Asking) -> Parts:
    cell = row.get(asking.question)
    if is_messages(cell):
        assert isinstance(cell, list)
        return message_parts(cell, lambda path: _picture(path, asking))
    text = _asked(row, asking)
    return [{"text": text}] if text else []


def _placed(pieces: Mapping[str, Parts], pictures: Parts, place: str) -> dict[str, Parts]:
    """The pieces with pictures where their texts have a place for them; no mark stays where there are any."""
    if not pictures:
        return dict(pieces)
    mark, first = place_of(place)
    turn = 0
    out: dict[str, Parts] = {}
    for name, parts in pieces.items():
        made = out.setdefault(name, [])
        for part in parts:
            texts = mark.split(part.get("text", ""))
            if "text" not in part or len(texts) == 1:
                made.append(part)
                continue
            for text, number in zip(texts[::2], [*texts[1::2], None], strict=True):
                made += [{"text": text.strip()}] if text.strip() else []
                if number is not None:
                    at = int(number) - first if number else turn
                    turn = at + 1
                    made += [pictures[at]] if 0 <= at < len(pictures) else []
    return out


def _images(row: Mapping[str, Any], asking: Asking) -> list[tuple[str, dict[str, str]]]:
    """The pictures, each with what stands before those of its column."""
    found = []
    for column in asking.images:
        cell = row.get(column)
        several = (
            listed(cell, asking.image_separator) if not asking.base64 or isinstance(cell, list) else None
        )
        values = list(several.values()) if isinstance(several, dict) else several
        for value in values if values is not None else [cell]:
            text = text_of(value)
            if text and text.lower() not in _NOTHING:
                found.append((asking.labels.get(column, ""), _picture(text, asking)))
    return found


def _picture(text: str, asking: Asking) -> dict[str, str]:
    data = _DATA.match(text)
    if data or asking.base64:
        return {"image_base64": "".join(text[data.end() if data else 0 :].split())}
    if re.match(r"https?://", text):
        raise GumptionError(
            "a picture is an address on the net", where="build", remedy="put the file in the folder"
        )
    path = PurePosixPath(asking.image_folder, text.removeprefix("./"))
    return {"image": f"{path}{'' if path.suffix else asking.image_suffix}"}


def _together(parts: Parts) -> Parts:
    out: Parts = []
    for part in parts:
        if part.get("text") == "":
            continue
        if out and "text" in part and "text" in out[-1]:
            out[-1] = {"text": f"{out[-1]['text']}\n{part['text']}"}
        else:
            out.append(part)
    return out
