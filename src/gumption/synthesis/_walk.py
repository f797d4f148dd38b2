"""What lies in an unknown folder: its files, its README, its media. Bounded; nothing outside is followed."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from gumption.records import GumptionError

__all__ = ["IMAGES", "files_of", "readme_of"]

IMAGES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff")
_MOST_FILES = 50_000
_DEEPEST = 8
_README = 60_000
"""Characters of README that are read."""
_CALLED = re.compile(
    r"(?i)(readme|read_me|liesmich|lisezmoi|leeme|leggimi|about|dataset_?card|datasheet|description|instructions)[^/]*"
)
_PROSE = ("", ".md", ".markdown", ".txt", ".rst", ".html", ".htm", ".adoc", ".org")
"""Suffixes of what people write for people."""
_TAG = re.compile(r"<[^<>]{1,400}>")


def files_of(root: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Files below the folder, as sorted relative paths; and what was passed over, in words.

    Raises GumptionError where it is no folder.
    """
    if not root.is_dir():
        raise GumptionError("no such folder", where=str(root), remedy="give the benchmark's folder")
    real = root.resolve()
    found: list[str] = []
    notes: list[str] = []
    for above, folders, names in os.walk(root):
        here = Path(above)
        depth = len(here.relative_to(root).parts)
        links = [here / name for name in sorted(folders) if (here / name).is_symlink()]
        links = [link for link in links if not link.resolve().is_relative_to(real)]
        notes += [f"{link.relative_to(root)} is a link that leads out of the folder" for link in links]
        deep = depth >= _DEEPEST
        if deep and folders:
            notes.append(f"{here.relative_to(root)} is nested too deeply to look further")
        folders[:] = [] if deep else sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = here / name
            if name.startswith(".") or not path.is_file():
                continue
            if not path.resolve().is_relative_to(real):
                notes.append(f"{path.relative_to(root)} is a link that leads out of the folder")
                continue
            found.append(path.relative_to(root).as_posix())
            if len(found) >= _MOST_FILES:
                return tuple(sorted(found)), (*notes, f"only the first {_MOST_FILES:,} files were looked at")
    return tuple(sorted(found)), tuple(notes)


def readme_of(root: Path, files: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The README's text, whatever it is called, and which files it is from. ("", ()) without one."""
    near = [path for path in files if path.count("/") <= 1]
    called = [
        path
        for path in near
        if _CALLED.fullmatch(PurePosixPath(path).stem) and PurePosixPath(path).suffix.lower() in _PROSE
    ]
    if not called:
        called = [path for path in near if path.lower().endswith((".md", ".rst"))]
    called.sort(key=lambda path: (path.count("/"), path))
    text = ""
    for path in called[:3]:
        with (root / path).open("rb") as file:
            one = file.read(4 * _README).decode("utf-8-sig", "replace")
        text += ("\n\n" if text else "") + (_TAG.sub(" ", one) if path.lower().endswith("html") else one)
    return text.replace("\r\n", "\n")[:_README], tuple(called[:3])
