"""The pictures that a question file names or holds, each looked at once."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from functools import cached_property
from pathlib import Path

from gumption.lines import MAX_LINE
from gumption.records import GumptionError, Image
from gumption.suites._images import image_of
from gumption.suites.media import Media, store

__all__ = ["Pictures"]

_DATA_URL = re.compile(r"data:[\w.+-]+/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,", re.ASCII)


class Pictures:
    """Turns what a row says of its pictures into `Image`s, and remembers where the bytes are.

    Files stay where they are; bytes that came inside the row go to the media store, so that only paths
    are held in memory.
    """

    def __init__(self, folder: Path) -> None:
        self._given = folder
        self._by_file: dict[Path, Image] = {}
        self._by_hash: dict[str, Image] = {}
        self._paths: dict[str, Path] = {}

    @cached_property
    def _folder(self) -> Path:
        return self._given.resolve()

    @property
    def media(self) -> Media:
        return Media(self._paths)

    def read(self, reference: str) -> Image:
        """A picture by data URL, or by path relative to the question file."""
        if reference.startswith("data:"):
            return self.from_base64(reference)
        if reference.startswith(("http:", "https:")):
            raise GumptionError(
                f"the picture {_short(reference)} is on the network",
                remedy="fetch it and give its path relative to the question file",
            )
        return self.from_file(reference)

    def from_file(self, name: str) -> Image:
        """A picture file in or below the question file's folder; GumptionError if elsewhere or unusable."""
        path = self._inside(name)
        if path not in self._by_file:
            try:
                if not path.is_file():
                    raise GumptionError(
                        f"the picture {_short(name)} is not there",
                        remedy="put it there, or mend the path (relative to the question file)",
                    )
                if path.stat().st_size > MAX_LINE:
                    raise GumptionError(
                        f"the picture {_short(name)} is over {MAX_LINE // 2**20} MiB", remedy="scale it down"
                    )
                data = path.read_bytes()
            except OSError as error:
                problem = f"the picture {_short(name)} cannot be read: {error.strerror}"
                raise GumptionError(problem, remedy="check the permissions") from error
            try:
                image = image_of(data)
            except GumptionError as error:
                raise GumptionError(f"{_short(name)}: {error.problem}", remedy=error.remedy) from error
            self._by_file[path] = image
            self._paths.setdefault(image.sha256, path)
        return self._by_file[path]

    def from_base64(self, text: str) -> Image:
        """A picture that stands in the row itself as base64, with or without a data URL's head."""
        head = _DATA_URL.match(text, 0, 200)
        try:
            data = base64.b64decode("".join(text[head.end() if head else 0 :].split()), validate=True)
        except (binascii.Error, ValueError) as error:
            problem = f"the picture is not base64: {_short(text)}"
            raise GumptionError(problem, remedy="write the picture's bytes as base64") from error
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._by_hash:
            image = image_of(data)
            self._by_hash[sha256] = image
            self._paths.setdefault(sha256, store(data, sha256, image.media_type))
        return self._by_hash[sha256]

    def _inside(self, name: str) -> Path:
        folder = self._folder
        try:
            path = (folder / name).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL in the name
            problem = f"the picture path {_short(name)} cannot be followed"
            raise GumptionError(problem, remedy="mend the path") from error
        if Path(name).is_absolute() or not path.is_relative_to(folder):
            raise GumptionError(
                f"the picture path {_short(name)} leaves the folder of the question file",
                remedy="copy the picture below that folder and give the relative path",
            )
        return path


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}...")
