"""A suite or pool as a folder: `suite.json`, `items.parquet` and `media/<sha256>.<ext>`."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from gumption.records import GumptionError
from gumption.suites._atomic import replacing
from gumption.suites._values import check_value
from gumption.suites.media import Media, media_name
from gumption.suites.suite import Suite, shown_media
from gumption.suites.table import read_items, write_items

FORMAT = 1
_ABOUT = "suite.json"
_ITEMS = "items.parquet"
_MEDIA = "media"
_LARGEST_ABOUT = 16 * 2**20
_MEDIA_NAME = re.compile(r"([0-9a-f]{64})\.[a-z0-9]{1,5}", re.ASCII)
_OURS = {_ABOUT, _ITEMS, _MEDIA, "certificate.json"}


class MediaSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many media files a folder's items show, and how many bytes they have in all."""

    count: int
    bytes: int


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `suite.json` says."""

    format: int
    name: str
    version: str
    created: str
    """ISO 8601."""
    items: int
    checksum: str
    media: MediaSize
    licences: dict[str, str]
    provenance: dict[str, Any]


def read_folder(path: Path | str) -> Suite:
    """The suite in a folder that `write_folder` made.

    Raises GumptionError if a file is missing, damaged, from a newer format or leads out of the folder, if
    the items are not those of the checksum, or if a media file is missing or has another size. The bytes
    of the media are checked when they are read.
    """
    folder = Path(path)
    about = read_about(folder)
    items = tuple(read_items(_inside(folder, _ITEMS)))
    media = _media(folder)
    suite = Suite(about.name, about.version, items, media, about.provenance, about.licences)
    if len(items) != about.items or suite.checksum != about.checksum:
        problem = f"the items are not the {about.items} that {_ABOUT} was written for"
        raise GumptionError(problem, where=str(folder / _ITEMS), remedy="fetch or write the folder again")
    if (found := _media_size(suite)) != about.media:
        problem = (
            f"{found.count} media files of {found.bytes} bytes, "
            f"where {_ABOUT} says {about.media.count} of {about.media.bytes}"
        )
        raise GumptionError(problem, where=str(folder / _MEDIA), remedy="fetch or write the folder again")
    return suite


def read_about(path: Path | str) -> About:
    """What a folder's `suite.json` says, read without the items. GumptionError if it is not one of ours."""
    folder = Path(path)
    file = _inside(folder, _ABOUT)
    try:
        if file.stat().st_size > _LARGEST_ABOUT:
            raise GumptionError("too large", where=str(file), remedy="fetch the folder again")
        text = file.read_bytes()
        given = msgspec.json.decode(text, type=dict[str, Any]).get("format")
        if given != FORMAT:
            problem = f"format {given!r}, and this version reads {FORMAT}"
            raise GumptionError(problem, where=str(file), remedy="update gumption, or write the folder again")
        return msgspec.json.decode(text, type=About)
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise GumptionError(problem, where=str(file), remedy="give the folder of a suite or pool") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        remedy = "fetch or write the folder again"
        raise GumptionError(f"not a suite's description: {error}", where=str(file), remedy=remedy) from error


def write_folder(
    suite: Suite, path: Path | str, *, created: str | None = None, overwrite: bool = False
) -> Path:
    """Write a suite as a folder and return its path.

    `created` is an ISO 8601 date, now by default. Media are hard links where the file system allows, else
    copies; each is checked against its hash on the way. `suite.json` comes last, so a folder with one is
    whole. Raises GumptionError if another suite or anything else is there already, unless `overwrite`
    (which replaces a suite, never other files), or if the bytes of a picture are missing or altered.
    """
    folder = Path(path)
    check_value(suite.provenance)
    _check_free(suite, folder, overwrite)
    shown = shown_media(suite.items)
    folder.mkdir(parents=True, exist_ok=True)
    for sha256, media_type in shown.items():
        _write_medium(suite.media, sha256, _inside(folder, _MEDIA) / media_name(sha256, media_type))
    write_items(_inside(folder, _ITEMS), suite.items)
    written = Suite(suite.name, suite.version, suite.items, _media(folder))
    about = About(
        format=FORMAT,
        name=suite.name,
        version=suite.version,
        created=created or datetime.now(UTC).isoformat(timespec="seconds"),
        items=len(suite.items),
        checksum=suite.checksum,
        media=_media_size(written),
        licences=suite.licences,
        provenance=suite.provenance,
    )
    with replacing(folder / _ABOUT) as temporary:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(about), indent=2) + b"\n")
    for sha256 in written.media:
        if sha256 not in shown and (leftover := written.media.path(sha256)):
            leftover.unlink()
    return folder


def _check_free(suite: Suite, folder: Path, overwrite: bool) -> None:
    if not folder.exists():
        return
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else {folder.name}
    if not folder.is_dir() or any(name not in _OURS and not name.startswith(".") for name in names):
        problem = "there is something else than a suite already"
        raise GumptionError(problem, where=str(folder), remedy="give a new or empty folder")
    if _ABOUT in names and not overwrite:
        about = read_about(folder)
        if (about.name, about.version, about.checksum) != (suite.name, suite.version, suite.checksum):
            problem = f"the suite {about.name!r} is there already"
            raise GumptionError(problem, where=str(folder), remedy="give another folder, or overwrite it")


def _write_medium(media: Media, sha256: str, target: Path) -> None:
    source = media.path(sha256)
    if source and target.exists() and target.samefile(source):
        return
    data = media.read(sha256)
    with replacing(target) as temporary:
        if source is None or not _linked(source, temporary):
            temporary.write_bytes(data)


def _linked(source: Path, target: Path) -> bool:
    """Whether a hard link could be made: not across file systems, nor on some."""
    try:
        os.link(source.resolve(), target)
    except OSError:
        return False
    return True


def _media(folder: Path) -> Media:
    """The media files of a folder by hash. Hidden files are ignored; any other foreign name is an error."""
    place = _inside(folder, _MEDIA)
    paths: dict[str, Path] = {}
    for entry in sorted(os.scandir(place), key=lambda entry: entry.name) if place.is_dir() else ():
        if entry.name.startswith("."):
            continue
        name = _MEDIA_NAME.fullmatch(entry.name)
        file = _inside(place, entry.name, folder) if entry.is_symlink() else place / entry.name
        if name is None or not file.is_file():
            problem = f"{entry.name!r} is not a media file named by its SHA-256"
            raise GumptionError(problem, where=str(place), remedy="take it out")
        paths.setdefault(name[1], file)
    return Media(paths)


def _media_size(suite: Suite) -> MediaSize:
    paths = [path for sha256 in shown_media(suite.items) if (path := suite.media.path(sha256))]
    return MediaSize(len(paths), sum(path.stat().st_size for path in paths))


def _inside(folder: Path, name: str, root: Path | None = None) -> Path:
    """A path in a folder. GumptionError if it is a link that leaves the suite's folder."""
    path = folder / name
    if path.is_symlink() and not path.resolve().is_relative_to((root or folder).resolve()):
        raise GumptionError(
            "the link leads out of the suite", where=str(path), remedy="put the file itself there"
        )
    return path
