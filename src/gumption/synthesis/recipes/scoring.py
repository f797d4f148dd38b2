"""Right answers as the rows write them, and verdicts: what stands between a reading and its worth."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from gumption.answers import passage_of
from gumption.answers.number import read_number
from gumption.records import GumptionError, Reading
from gumption.synthesis.recipes._cells import listed, text_of
from gumption.synthesis.recipes._masks import Mask, mask_of, packed
from gumption.synthesis.recipes._paths import matching, read_bytes
from gumption.synthesis.recipes._png import size_of
from gumption.synthesis.recipes._units import unit_of
from gumption.synthesis.recipes.asking import request
from gumption.synthesis.spec import Asking

__all__ = [
    "accepted_units",
    "gold_letter",
    "gold_letters",
    "gold_number",
    "gold_region",
    "gold_texts",
    "gold_unit",
    "gold_yes_no",
    "verdict",
    "with_masks",
    "with_sizes",
]

_LETTER = re.compile(
    r"\W*(?:option|choice|answer)?\W*([A-Za-z])(?:\s*[).:\]].*|\W*)", re.IGNORECASE | re.DOTALL
)


def verdict(read: Reading, worth: float | None) -> dict[str, Any]:
    """What `score` returns. A reading that is not answered is worth 0, whatever `worth` says."""
    score = worth if read.outcome == "answered" else 0.0
    return {"score": score, "outcome": read.outcome, "value": read.value, "rule": read.rule}


# ── right answers ────────────────────────────────────────────────────────────────────────────────────


def gold_letter(cell: Any, choices: Mapping[str, str], form: str) -> str:
    """The right option's letter. `form`: letter, index0 or index1 (a place among the letters), option_text.

    Raises GumptionError for a cell that names none of the options; without choices any letter is one.
    """
    letters = list(choices)
    said = text_of(cell)
    if form in ("index0", "index1"):
        # Options that are left out keep their places, so a place is one of the alphabet's.
        at = int(said) - (form == "index1") if re.fullmatch(r"\d{1,3}", said) else -1
        letter = _alphabet(letters)[at] if 0 <= at < 26 else ""
    elif form == "letter":
        found = _LETTER.fullmatch(said)
        letter = found[1].upper() if found else ""
    else:
        alike = [one for one, text in choices.items() if _folded(text) == _folded(said)]
        letter = alike[0] if alike else ""
    if not letter or (choices and letter not in choices):
        raise GumptionError(
            f"{said!r} is none of the options {letters}", where="score", remedy="look at the gold column"
        )
    return letter


def gold_letters(cell: Any, choices: Mapping[str, str], form: str, separator: str = "") -> list[str]:
    """The right options' letters where there may be several."""
    several = listed(cell, separator)
    if several is None and form == "letter" and re.fullmatch(r"[A-Za-z]{2,10}", text_of(cell)):
        several = list(text_of(cell))
    cells = list(several) if isinstance(several, list) else [cell]
    return sorted({gold_letter(one, choices, form) for one in cells})


def _alphabet(letters: list[str]) -> str:
    return "0123456789" if letters and letters[0] == "0" else "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .")


def gold_yes_no(cell: Any, yes: Sequence[str], no: Sequence[str] = ()) -> str:
    """ "yes" or "no". With `no`, a cell that is neither raises GumptionError."""
    said = text_of(cell).lower()
    if said in yes:
        return "yes"
    if no and said not in no:
        raise GumptionError(
            f"{said!r} is neither yes nor no", where="score", remedy="look at the gold column"
        )
    return "no"


def gold_number(cell: Any) -> float:
    """The number in a cell, unit aside. Raises GumptionError where it has none."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return float(cell)
    said = text_of(cell)
    try:
        return float(said.replace(",", "") if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", said) else said)
    except ValueError:
        read = read_number(passage_of(said))
    if read.outcome != "answered":
        raise GumptionError(f"{said!r} is no number", where="score", remedy="look at the gold column")
    return float(read.value)


def gold_unit(cell: Any) -> str:
    """The unit in a cell, alone or behind a number; "" where it has none that can be converted."""
    return unit_of(text_of(cell))


def accepted_units(row: Mapping[str, Any], told: Sequence[str]) -> list[str]:
    """The units that may stand with a number. Each of `told` is a column of the row whose cell holds some,
    alone or behind a number, or is itself a unit."""
    cells = [one for name in told for one in (_flat([row[name]]) if name in row else [name])]
    texts = [part for cell in cells for part in re.split(r"[;|,]", text_of(cell)) if cell is not None]
    return [unit for text in texts if (unit := re.sub(r"^[\s\d.,+-]+", "", text).strip())]


def gold_texts(cell: Any, separator: str = "") -> list[str]:
    """The accepted texts. Raises GumptionError where there are none."""
    several = listed(cell, separator)
    cells = list(several.values()) if isinstance(several, dict) else several
    found = [text_of(one) for one in (cells if cells is not None else [cell])]
    found = [one for one in found if one]
    if not found:
        raise GumptionError("the row accepts no text", where="score", remedy="look at the gold column")
    return found


def gold_region(cell: Any, form: str) -> dict[str, Any] | Mask:
    """The target of points, for `metrics.hits`. `form`: mask, box_xyxy, box_xywh, polygon, points or circle.
    A cell of boxes may hold several, any of which is to be hit.

    Raises GumptionError for a cell that is not of that form.
    """
    if form == "mask":
        return mask_of(cell if isinstance(cell, Mapping) else {})
    found = listed(cell)
    values = list(found.values()) if isinstance(found, dict) else found
    if values is None:
        values = [one for one in re.split(r"[\s,;]+", text_of(cell).strip("[]() ")) if one]
    try:
        if form in ("box_xyxy", "box_xywh"):
            sides = [float(one) for one in _flat(values)]
            corners = list(zip(*[iter(sides)] * 4, strict=True))
            boxes = [[a, b, c, d] if form == "box_xyxy" else [a, b, a + c, b + d] for a, b, c, d in corners]
            if boxes:
                return {"box": boxes[0]} if len(boxes) == 1 else {"boxes": boxes}
        if form == "circle":
            x, y, radius = (float(one) for one in _flat(values))
            return {"circle": [x, y, radius]}
        if values and not isinstance(values[0], list | tuple | dict):
            values = list(zip(values[::2], values[1::2], strict=True))
        pairs = [list(one.values()) if isinstance(one, dict) else one for one in values]
        places = [[float(x), float(y)] for x, y in pairs]
    except (TypeError, ValueError) as error:
        raise GumptionError(
            f"{str(cell)[:80]!r} is no {form}", where="score", remedy="look at the gold column"
        ) from error
    if not places or (form == "polygon" and len(places) < 3):
        raise GumptionError(
            f"{str(cell)[:80]!r} is no {form}", where="score", remedy="look at the gold column"
        )
    return {"polygon" if form == "polygon" else "points": places}


def _flat(values: Sequence[Any]) -> list[Any]:
    """What a list holds, inner lists opened."""
    return [one for value in values for one in _several(value)]


def _several(value: Any) -> Sequence[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]


# ── what only files know ─────────────────────────────────────────────────────────────────────────────


def with_masks(
    folder: str | Path,
    rows: list[dict[str, Any]],
    column: str,
    *,
    prefix: str = "",
    threshold: float = 0.5,
    dark: bool = False,
) -> list[dict[str, Any]]:
    """The rows with the mask that `column` names, or holds as base64, in `@mask`."""
    made: dict[str, dict[str, Any]] = {}
    out = []
    for row in rows:
        said = text_of(row.get(column))
        if said not in made:
            path = str(PurePosixPath(prefix, said.removeprefix("./")))
            made[said] = packed(_bytes(folder, path, said), threshold, dark, path[:80])
        out.append({**row, "@mask": made[said]})
    return out


def with_sizes(
    folder: str | Path, rows: list[dict[str, Any]], asking: Asking | Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The rows with the width and height of the first picture that each shows in `@size`."""
    asking = asking if isinstance(asking, Asking) else msgspec.convert(asking, Asking)
    made: dict[str, tuple[int, int]] = {}
    out = []
    for row in rows:
        shown = [part for part in request(row, asking)["parts"] if "text" not in part]
        if not shown:
            raise GumptionError("a row shows no picture", where="load", remedy="name the column of pictures")
        said = shown[0].get("image") or shown[0]["image_base64"]
        if said not in made:
            made[said] = size_of(_bytes(folder, shown[0].get("image", ""), said), said[:80])
        out.append({**row, "@size": list(made[said])})
    return out


def _bytes(folder: str | Path, path: str, said: str) -> bytes:
    """A file of the folder, or what a long text holds as base64."""
    if len(said) > 500:
        try:
            return base64.b64decode(said, validate=True)
        except (binascii.Error, ValueError) as error:
            raise GumptionError("it is neither a path nor base64", where="load", remedy="check it") from error
    return read_bytes(Path(folder), matching(Path(folder), path)[0])
