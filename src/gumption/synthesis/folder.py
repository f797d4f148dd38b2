"""Looking into an unknown benchmark folder: its README, its tables, its pictures and what joins them.

What is found is for those who write a pipeline, so replies of models that lie in the folder are left out.
"""

from __future__ import annotations

import io
import re
import struct
import warnings
from collections import defaultdict
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gumption.records import GumptionError
from gumption.synthesis._groups import grouped
from gumption.synthesis._joins import Join, Listing, joins_of, listings_of
from gumption.synthesis._profile import Column, Holds, Media, profile
from gumption.synthesis._siblings import joined_parts, parts_apart, together
from gumption.synthesis._sniff import NOT_DATA
from gumption.synthesis._walk import IMAGES, files_of, readme_of
from gumption.synthesis._withheld import is_of_models, is_replies, is_reply_column, looks_like_replies
from gumption.synthesis.recipes.loading import read
from gumption.synthesis.spec import Source

__all__ = ["BenchmarkFolder", "Column", "Holds", "Join", "Listing", "Media", "Table", "inspect_folder"]

_MOST_TABLES = 60
_DATA = 3
"""Columns that data have at least: an id, a question, the right answer."""
_LARGEST_PICTURE = 4_000_000
"""Pixels of a picture that is opened to see whether it is a mask, ..."""
_LARGEST_FILE = 32 * 2**20
"""... and bytes of its file."""


class Table(Struct, frozen=True):
    """Rows that a file holds, or all files of a pattern."""

    source: Source
    rows: int
    columns: tuple[Column, ...]
    own: tuple[str, ...]
    """Names of the columns that do not merely come along from what the rows lie in."""

    def column(self, name: str) -> Column | None:
        """The column of that name, if there is one."""
        return next((one for one in self.columns if one.name == name), None)


class BenchmarkFolder(Struct, frozen=True):
    """What an unknown folder holds, without what models replied."""

    path: Path
    readme: str
    """Its text as it is: data, not instructions."""
    files: tuple[str, ...]
    """Relative paths, without those withheld."""
    tables: tuple[Table, ...]
    media: tuple[Media, ...]
    joins: tuple[Join, ...]
    """Columns of two tables with the same keys."""
    listings: tuple[Listing, ...]
    """Pictures that are called after a column's cells."""
    withheld: tuple[str, ...]
    """Files with replies of models, which nobody who writes a pipeline may see."""
    notes: tuple[str, ...]
    """What was passed over, in words."""


def inspect_folder(path: str | Path) -> BenchmarkFolder:
    """Look into a folder; nothing in it is run, and no link out of it is followed.

    Files are known by their content: separated text, JSON, JSON lines, blocks of text, parquet, spreadsheets;
    those with the same columns are one table unless their names or the README set them apart. Raises
    GumptionError where it is no folder; a file that cannot be read is a note.
    """
    root = Path(path)
    files, notes = files_of(root)
    readme, readme_files = readme_of(root, files)
    media = _media(root, files)
    told = list(notes) if readme else [*notes, "there is no README"]
    data = [one for one in files if one not in readme_files]
    looked = _looked(root, data, media, frozenset(files), told, readme)
    replies = [
        one.scored or is_replies(one.source.path, [c.name for c in one.columns], readme) for one in looked
    ]
    shown = [one for one, is_reply in zip(looked, replies, strict=True) if not is_reply]
    # Replies that stand in the rows of the data themselves: the data are shown, without them.
    kept = _tables(shown or [one for one in looked if len(_of_nobody(one.columns)) >= _DATA], bool(shown))
    hidden = {path for one in looked if one not in shown and (shown or not kept) for path in one.group}
    tables = [(table.source, table.columns) for table in kept]
    return BenchmarkFolder(
        root,
        readme,
        tuple(one for one in files if one not in hidden),
        tuple(kept),
        media,
        joins_of(root, tables),
        listings_of(root, tables, files),
        tuple(sorted(hidden)),
        tuple(told),
    )


class _Looked(Struct):
    """A source, the files that it is of, and what it holds."""

    group: list[str]
    source: Source
    rows: int
    columns: tuple[Column, ...]
    scored: bool
    """Whether its content is that of scored replies."""


def _looked(
    root: Path,
    files: list[str],
    media: tuple[Media, ...],
    known: frozenset[str],
    told: list[str],
    readme: str,
) -> list[_Looked]:
    """All tables, alike files as one; what cannot be read is told of."""
    found: list[_Looked] = []
    data = [one for one in files if not one.lower().endswith(NOT_DATA)]
    apart = parts_apart(readme)
    groups = grouped(root, data, told, apart)
    for group, found_as in [(group, one) for group, several in groups for one in several]:
        source = _as_told(found_as, readme)
        if len(found) >= _MOST_TABLES:
            told.append(f"only the first {_MOST_TABLES} tables were looked at")
            break
        try:
            rows = read(root, source)
        except GumptionError as error:
            told.append(f"{source.path}: {error.problem}")
            continue
        if rows:
            found.append(
                _Looked(group, source, len(rows), profile(rows, media, known), looks_like_replies(rows))
            )
    parts = joined_parts(
        root, [(one.source, {column.name for column in one.columns}) for one in found], apart
    )
    return [_whole(root, [found[n] for n in several], media, known) for several in parts]


def _whole(root: Path, parts: list[_Looked], media: tuple[Media, ...], known: frozenset[str]) -> _Looked:
    """Parts of a table as one."""
    if len(parts) == 1:
        return parts[0]
    source = together([one.source for one in parts])
    rows = read(root, source)
    group = [*dict.fromkeys(path for one in parts for path in one.group)]
    return _Looked(group, source, len(rows), profile(rows, media, known), all(one.scored for one in parts))


def _as_told(source: Source, readme: str) -> Source:
    """With the signs of blocks as names of their fields where the README describes them by their signs."""
    block = {
        sign
        if not re.search(r"\w", sign) and re.search(rf"[`\"']{re.escape(sign)}[`\"']", readme)
        else name: sign
        for name, sign in source.block.items()
        if sign
    }
    return replace(source, block={**block, **{name: "" for name, sign in source.block.items() if not sign}})


def _tables(looked: list[_Looked], apart: bool) -> list[Table]:
    """`apart`: whether replies of models stand in files of their own."""
    tables: list[Table] = []
    for one in looked:
        kept = (
            tuple(c for c in one.columns if not is_reply_column(c.name)) if apart else _of_nobody(one.columns)
        )
        above = {
            name
            for table in tables
            if table.source.path == one.source.path and one.source.rows.startswith(table.source.rows)
            for name in table.own
        }
        own = tuple(column.name for column in kept if column.name not in above)
        tables.append(Table(one.source, one.rows, kept, own))
    return tables


def _of_nobody(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Columns that are not about a model."""
    return tuple(column for column in columns if not is_of_models(column.name))


def _media(root: Path, files: tuple[str, ...]) -> tuple[Media, ...]:
    by_folder: dict[str, list[str]] = defaultdict(list)
    for one in files:
        if one.lower().endswith(IMAGES):
            folder = PurePosixPath(one).parent.as_posix()
            by_folder["" if folder == "." else folder].append(one)
    return tuple(
        Media(folder, tuple(paths), all(_is_mask(root / one) for one in paths[:4]))
        for folder, paths in sorted(by_folder.items())
    )


def _is_mask(path: Path) -> bool:
    """Whether a picture is of black and white only, give or take what compression does."""
    from PIL import Image, UnidentifiedImageError

    if path.stat().st_size > _LARGEST_FILE:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(path.read_bytes()))  # reads the head only
        with picture:
            large = picture.width * picture.height > _LARGEST_PICTURE
            if large or picture.mode not in ("1", "L", "P", "RGB", "I"):
                return False
            if len({band.tobytes() for band in picture.convert("RGB").split()}) > 1:  # colours
                return False
            counts: list[Any] = picture.convert("L").histogram()
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,  # what Pillow says of a damaged PNG
        EOFError,
        struct.error,
        Image.DecompressionBombError,
        Image.DecompressionBombWarning,
    ):
        return False
    total = sum(counts)
    used = [n for n, count in enumerate(counts) if count]
    return len(used) >= 1 and counts[used[0]] + counts[used[-1]] >= 0.995 * total and used[0] == 0
