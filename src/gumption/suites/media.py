"""Where the bytes of pictures and clips are, by their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from gumption.atomic import replacing
from gumption.cached import cache_folder
from gumption.records import GumptionError

__all__ = ["Media", "media_name", "store", "store_folder"]

_EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/bmp": "bmp",
    "video/mp4": "mp4",
    "video/webm": "webm",
    "video/quicktime": "mov",
    "video/x-msvideo": "avi",
    "video/x-matroska": "mkv",
}


class Media:
    """SHA-256 (64 hex digits) to the file that holds those bytes. Nothing is read until it is asked for."""

    def __init__(self, paths: Mapping[str, Path] | None = None) -> None:
        self._paths = dict(paths or {})

    def path(self, sha256: str) -> Path | None:
        """The file, unchecked, or None if these media do not have it."""
        return self._paths.get(sha256)

    def read(self, sha256: str) -> bytes:
        """The bytes, checked against the hash. GumptionError if they are missing or were altered."""
        path = self.path(sha256)
        if path is None:
            raise GumptionError(f"no media file with SHA-256 {sha256}", remedy="read the suite again")
        try:
            data = path.read_bytes()
        except OSError as error:
            raise GumptionError(
                f"the media file cannot be read: {error.strerror}",
                where=str(path),
                remedy="put the file back, or read the suite again from where it came",
            ) from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise GumptionError(
                "the media file was altered: its bytes no longer have the SHA-256 it is known by",
                where=str(path),
                remedy="put the original back, or read the suite again from where it came",
            )
        return data

    def __contains__(self, sha256: object) -> bool:
        return sha256 in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __or__(self, other: Media) -> Media:
        """Both together; where both have a hash, the file of the left one."""
        return Media({**other._paths, **self._paths})

    def __repr__(self) -> str:
        return f"Media({len(self)} files)"


def media_name(sha256: str, media_type: str) -> str:
    """The file name of these bytes in a media folder: "<sha256>.<ext>"."""
    return f"{sha256}.{_EXTENSIONS.get(media_type, 'bin')}"


def store_folder() -> Path:
    """Where pictures that came inside a file are kept: "media" in `$GUMPTION_CACHE` or ~/.cache/gumption."""
    return cache_folder() / "media"


def store(data: bytes, sha256: str, media_type: str) -> Path:
    """Keep bytes in the store, once, and return their file."""
    path = store_folder() / media_name(sha256, media_type)
    # A file left damaged by something else is mended here rather than blamed on the suite later.
    if not path.is_file() or path.read_bytes() != data:
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    return path
