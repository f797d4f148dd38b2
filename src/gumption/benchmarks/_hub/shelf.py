"""Pictures and clips on their way into a suite: looked at, kept once by hash, never all in memory."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gumption.benchmarks._hub.source import sha256_of
from gumption.records import GumptionError, Image, Video
from gumption.suites import Media, image_of
from gumption.suites.media import store

__all__ = ["Shelf"]

_CLIPS = {
    ".mp4": "video/mp4",
    ".m4v": "video/mp4",
    ".webm": "video/webm",
    ".mov": "video/quicktime",
    ".avi": "video/x-msvideo",
    ".mkv": "video/x-matroska",
}
_LARGEST_PICTURE = 256 * 2**20


class Shelf:
    """The media of one suite. Bytes go to the cache folder, files stay where they are; paths are held."""

    def __init__(self, folder: Path) -> None:
        """folder: the one that `file` looks in; nothing outside it is ever read."""
        self._folder = folder.resolve()
        self._images: dict[str, Image] = {}
        self._files: dict[Path, Image | Video] = {}
        self._paths: dict[str, Path] = {}

    def image(self, data: bytes) -> Image:
        """A picture that came inside a row. GumptionError for bytes that are no whole picture."""
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._images:
            image = image_of(data)
            self._paths[sha256] = store(data, sha256, image.media_type)
            self._images[sha256] = image
        return self._images[sha256]

    def file(self, path: str | Path) -> Image | Video:
        """A picture or clip that lies in the folder, by its path in it. A clip is told by its ending.

        Raises GumptionError for a path that is not there or leads out of the folder, and for a file that is
        no whole picture.
        """
        whole = self.path(path)
        if whole not in self._files:
            kind = _CLIPS.get(whole.suffix.lower())
            part = Video(sha256_of(whole), kind) if kind else self._picture(whole)
            self._files[whole] = part
            self._paths.setdefault(part.sha256, whole)
        return self._files[whole]

    def path(self, path: str | Path) -> Path:
        """The file itself, for what is no part of a question: a mask, or a clip whose frames are shown."""
        try:
            whole = (self._folder / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL in the name
            raise GumptionError(f"{str(path)!r} cannot be followed", remedy="fetch the data again") from error
        if not whole.is_relative_to(self._folder):
            problem = f"{str(path)!r} leads out of {self._folder}"
            raise GumptionError(problem, remedy="put the file itself into the folder")
        if not whole.is_file():
            raise GumptionError(
                f"no {str(path)!r} in {self._folder}",
                remedy="unpack the archives that came with the data, or fetch them again",
            )
        return whole

    def media(self) -> Media:
        """Where all of them are, for the suite."""
        return Media(self._paths)

    def _picture(self, path: Path) -> Image:
        try:
            if path.stat().st_size > _LARGEST_PICTURE:
                raise GumptionError(f"over {_LARGEST_PICTURE // 2**20} MiB", remedy="scale it down")
            return image_of(path.read_bytes())
        except OSError as error:
            problem = f"cannot be read: {error.strerror}"
            raise GumptionError(problem, where=str(path), remedy="check the permissions") from error
        except GumptionError as error:
            raise GumptionError(error.problem, where=str(path), remedy=error.remedy) from error
