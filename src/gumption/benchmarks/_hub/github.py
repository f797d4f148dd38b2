"""Files of a GitHub repository at one commit, each checked against git's own checksum."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote

import msgspec

from gumption.benchmarks._hub.remote import Remote, RevisionGoneError, check, unreachable
from gumption.benchmarks._hub.source import Source, home_of, named
from gumption.benchmarks._hub.web import get, save
from gumption.records import GumptionError

__all__ = ["bring", "listed", "revision_of"]

_API = "https://api.github.com/repos"
_RAW = "https://raw.githubusercontent.com"
_MEDIA = "https://media.githubusercontent.com/media"
_POINTER = re.compile(rb"version https://git-lfs[^\n]*\noid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n")
_LONGEST_POINTER = 1024
_NO_SUCH_COMMIT = (404, 422)


class _Entry(msgspec.Struct):
    path: str
    type: str
    sha: str
    size: int | None = None


class _Tree(msgspec.Struct):
    tree: list[_Entry]
    truncated: bool = False


def revision_of(source: Source) -> str:
    """The newest commit. Raises GumptionError where GitHub cannot be asked."""
    url = f"{_API}/{source.repo}/commits/HEAD"
    said = get(url, source.repo, home_of(source), accept="application/vnd.github.sha").decode(
        "ascii", "replace"
    )
    if not re.fullmatch("[0-9a-f]{40}", said.strip()):
        raise unreachable(source.repo, f"{url} names no commit", home_of(source))
    return said.strip()


def listed(source: Source, revision: str) -> list[Remote]:
    """The source's files at that commit, with size and checksum.

    Raises RevisionGoneError where there is no such commit any more.
    """
    url = f"{_API}/{source.repo}/git/trees/{revision}?recursive=1"
    try:
        tree = msgspec.json.decode(get(url, source.repo, home_of(source)), type=_Tree)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise unreachable(source.repo, f"{url}: {error}", home_of(source)) from error
    except GumptionError as error:
        if isinstance(error.__cause__, HTTPError) and error.__cause__.code in _NO_SUCH_COMMIT:
            raise RevisionGoneError from error
        raise
    return [
        Remote(path=entry.path, size=entry.size, blob=entry.sha)
        for entry in tree.tree
        if entry.type == "blob" and named(entry.path, source.files) and ".." not in Path(entry.path).parts
    ]


def bring(source: Source, revision: str, files: list[Remote], folder: Path) -> None:
    """Download what is missing; a file kept in Git LFS is fetched from there."""
    site, home = source.repo, home_of(source)
    for file in files:
        path = folder / file.path
        at = f"{source.repo}/{revision}/{quote(file.path)}"
        if not path.is_file():
            save(f"{_RAW}/{at}", path, site, home)
            check([file], folder, site)
        head = path.read_bytes() if path.stat().st_size <= _LONGEST_POINTER else b""
        if pointer := _POINTER.fullmatch(head):
            save(f"{_MEDIA}/{at}", path, site, home)
            large = Remote(path=file.path, size=int(pointer[2]), sha256=pointer[1].decode())
            check([large], folder, site)
