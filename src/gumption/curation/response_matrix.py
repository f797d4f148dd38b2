"""Past results as a matrix of models x items: from an `.npz` file or from run folders."""

from __future__ import annotations

import hashlib
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
import numpy.typing as npt

from gumption.curation._inputs import Floats
from gumption.lines import read_rows
from gumption.ranking._runs import align, differences, read_head, read_run, refuse_differences
from gumption.ranking.intervals import unit_scores
from gumption.records import Answer, AnswerKind, GumptionError, Item, Text
from gumption.running import Run

__all__ = ["ResponseMatrix", "matrix_of_runs", "read_matrix"]

LARGEST = 2 * 2**30
"""Bytes of one array once unpacked."""
_LONGEST = 100_000
"""Characters of one item's text."""
_LETTER = re.compile(r"\(?[A-Za-z]\)?", re.ASCII)
_NUMERAL = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)
_REMEDY = "give X (models x items), models, ids and groups, as numpy.savez_compressed writes them"


@dataclass(frozen=True, slots=True)
class ResponseMatrix:
    """What several models scored on the items of one pool."""

    name: str
    scores: Floats
    """models x items in [0, 1], NaN = missing."""
    models: tuple[str, ...]
    items: tuple[Item, ...]
    """In the order of the columns; an item without a known text has an empty one."""
    groups: tuple[str, ...]
    """Dimension, task or category of each item."""
    checksum: str
    """SHA-256 of the file, or of the items' ids and of the scores where they came from runs."""

    @property
    def grouped(self) -> bool:
        """Whether there are groups to speak of."""
        return len(set(self.groups)) > 1

    @property
    def worded(self) -> bool:
        """Whether most items have a text to embed."""
        texts = [any(isinstance(part, Text) and part.text for part in item.parts) for item in self.items]
        return sum(texts) > len(texts) / 2

    def over(self, ids: Sequence[str]) -> Floats:
        """The scores on these items, in this order; NaN for an item without past results.

        Raises GumptionError where none of them has any.
        """
        place = {item.id: number for number, item in enumerate(self.items)}
        known = [(number, place[id]) for number, id in enumerate(ids) if id in place]
        if not known:
            raise GumptionError(
                f"none of the {len(ids):,} items has past results, the first being {ids[0]!r}",
                where=self.name,
                remedy="give results over the items of this very pool",
            )
        scores = np.full((len(self.models), len(ids)), np.nan)
        rows, columns = map(list, zip(*known, strict=True))
        scores[:, rows] = self.scores[:, columns]
        return scores


def read_matrix(path: Path | str) -> ResponseMatrix:
    """An `.npz` file with `X` (models x items, 0 to 1 or NaN), `models`, `ids` and perhaps `groups`, beside
    which NAME.items.jsonl may give each item's text, in the order of the columns.

    Nothing in it is unpickled, and no array over 2 GiB is opened. Raises GumptionError for a file that cannot
    be read or whose arrays do not fit one another.
    """
    path = Path(path)
    try:
        arrays = _arrays(path)
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, zipfile.BadZipFile, ValueError, EOFError) as error:
        raise GumptionError(f"not a response matrix: {error}", where=str(path), remedy=_REMEDY) from error
    missing = [name for name in ("X", "models", "ids") if name not in arrays]
    if missing:
        raise GumptionError(f"no array {', '.join(missing)}", where=str(path), remedy=_REMEDY)
    scores = unit_scores(arrays["X"], str(path))
    models, ids = (_texts(arrays[name], name, path) for name in ("models", "ids"))
    groups = _texts(arrays["groups"], "groups", path) if "groups" in arrays else ("",) * len(ids)
    if scores.shape != (len(models), len(ids)) or len(groups) != len(ids) or len(set(ids)) != len(ids):
        raise GumptionError(
            f"X of shape {scores.shape} for {len(models)} models, {len(ids)} ids ({len(set(ids))} distinct) "
            f"and {len(groups)} groups",
            where=str(path),
            remedy=_REMEDY,
        )
    name = path.name.removesuffix(".npz")
    beside = path.with_name(f"{name}.items.jsonl")
    rows = _rows(beside, ids) if beside.is_file() else [{} for _ in ids]
    items = tuple(_item(id, name, group, row) for id, group, row in zip(ids, groups, rows, strict=True))
    return ResponseMatrix(name, scores, models, items, groups, checksum)


def matrix_of_runs(folders: Sequence[Path | str], *, force: bool = False) -> ResponseMatrix:
    """Run folders side by side over the union of their items; groups are dimensions, else categories.

    Raises GumptionError for runs of different protocols, unless `force`, and for what is no run.
    """
    heads = [read_head(folder) for folder in folders]
    if not force:
        found = [line for head in heads[1:] for line in differences(heads[0], head)]
        refuse_differences(found, ", ".join(map(str, folders)))
    aligned = align(read_run(folder) for folder in folders)
    n = aligned.values.shape[1]
    keys = list(
        zip(aligned.items.benchmark.of(np.arange(n)), aligned.items.item_id.of(np.arange(n)), strict=True)
    )
    known: dict[tuple[str, str], Item] = {}
    for folder in folders:
        for item in Run.open(folder).items():
            known.setdefault((item.benchmark, item.id), item)
    items = tuple(known[key] if key in known else Item(key[1], key[0], (), Answer("text")) for key in keys)
    names = [head.name for head in heads]
    digest = hashlib.sha256(msgspec.json.encode(keys))
    digest.update(np.ascontiguousarray(aligned.values).tobytes())
    return ResponseMatrix(
        name=heads[0].folder.parent.name or "runs",
        scores=aligned.values,
        models=tuple(
            name if names.count(name) == 1 else f"{name} ({head.folder})"
            for name, head in zip(names, heads, strict=True)
        ),
        items=items,
        groups=tuple(item.dimension or item.category for item in items),
        checksum=digest.hexdigest(),
    )


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    wanted = ("X", "models", "ids", "groups")
    with zipfile.ZipFile(path) as archive:
        names = [name for name in wanted if f"{name}.npy" in archive.namelist()]
        for name in names:
            with archive.open(f"{name}.npy") as member:
                _check_header(member, archive.getinfo(f"{name}.npy").file_size)
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in names}


def _check_header(member: IO[bytes], size: int) -> None:
    """A header may claim any shape: what it claims must be there. Raises ValueError otherwise."""
    version = np.lib.format.read_magic(member)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(member)
    if dtype.hasobject:
        raise ValueError("it holds pickled objects")
    claimed = int(np.prod(shape, dtype=object)) * dtype.itemsize
    if size > LARGEST or claimed > size:
        raise ValueError(f"an array of {max(claimed, size):,} bytes")


def _texts(array: npt.NDArray[Any], name: str, path: Path) -> tuple[str, ...]:
    if array.ndim != 1 or array.dtype.kind != "U":
        raise GumptionError(
            f"{name} is {array.dtype} of shape {array.shape}", where=str(path), remedy="give a list of texts"
        )
    return tuple(array.tolist())


def _rows(path: Path, ids: Sequence[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for where, row in read_rows(path, dict[str, Any], "a JSON object", "write one object a line"):
        if len(rows) >= len(ids) or row.get("id") != ids[len(rows)]:
            raise GumptionError(
                f"the id {row.get('id')!r:.80} is not that of column {len(rows) + 1}",
                where=where,
                remedy="give the items in the order of the matrix, or take the file away",
            )
        rows.append(row)
    if len(rows) != len(ids):
        raise GumptionError(
            f"{len(rows)} items for {len(ids)} columns", where=str(path), remedy="give every item a line"
        )
    return rows


def _item(id: str, name: str, group: str, row: dict[str, Any]) -> Item:
    said = next((row[key] for key in ("question", "text") if isinstance(row.get(key), str)), "")
    options: list[Any] = next(
        (row[key] for key in ("choices", "options") if isinstance(row.get(key), list)), []
    )
    lines = [said, *(option for option in options if isinstance(option, str) and option not in said)]
    text = "\n".join(line for line in lines if line)[:_LONGEST]
    return Item(id, name, (Text(text),), Answer(_kind(row.get("answer"), bool(options))), category=group)


def _kind(answer: Any, options: bool) -> AnswerKind:
    """By what the answer looks like; where none is known, text."""
    said = str(answer or "").strip()
    if said.lower() in ("yes", "no", "true", "false"):
        return "yes_no"
    if options or _LETTER.fullmatch(said):
        return "choice"
    return "number" if _NUMERAL.fullmatch(said) else "text"
