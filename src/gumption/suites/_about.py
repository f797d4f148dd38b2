"""What `suite.json` says, and the paths in a suite's folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from gumption.atomic import replacing
from gumption.records import Aggregate, GumptionError
from gumption.suites._values import check_value
from gumption.suites.suite import Origin

ABOUT = "suite.json"
ITEMS = "items.parquet"
MEDIA = "media"
MOST_ATTACHMENTS = 64
LARGEST_ATTACHMENT = 256 * 2**20
"""Bytes."""

_FORMAT = 1
_LARGEST = 16 * 2**20
_ATTACHMENT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}(?:\.[A-Za-z0-9]{1,10}){1,2}", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)


class MediaSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many media files a folder's items show, and how many bytes they have in all."""

    count: int
    bytes: int


class Attached(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file beside the items that belongs to the suite."""

    sha256: str
    bytes: int


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
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
    origins: tuple[Origin, ...] = ()
    """Of the items that are kept by reference."""
    attachments: dict[str, Attached] = {}
    official: Aggregate | None = None


def read_about(path: Path | str) -> About:
    """What a folder's `suite.json` says, read without the items. GumptionError if it is not one of ours."""
    folder = Path(path)
    file = inside(folder, ABOUT)
    try:
        if file.stat().st_size > _LARGEST:
            raise GumptionError("too large", where=str(file), remedy="fetch the folder again")
        text = file.read_bytes()
        given = msgspec.json.decode(text, type=dict[str, Any]).get("format")
        if given != _FORMAT:
            problem = f"format {given!r}, and this version reads {_FORMAT}"
            raise GumptionError(problem, where=str(file), remedy="update gumption, or write the folder again")
        about = msgspec.json.decode(text, type=About)
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise GumptionError(problem, where=str(file), remedy="give the folder of a suite or pool") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        remedy = "fetch or write the folder again"
        raise GumptionError(f"not a suite's description: {error}", where=str(file), remedy=remedy) from error
    try:
        for provenance in (about.provenance, *(origin.provenance for origin in about.origins)):
            check_value(provenance)
    except GumptionError as error:
        raise GumptionError(error.problem, where=str(file), remedy=error.remedy) from error
    check_names(about.attachments, file)
    return about


def new_about(**facts: Any) -> About:
    """A description in the format of this version."""
    return About(format=_FORMAT, **facts)


def write_about(folder: Path, about: About) -> None:
    """Write `suite.json`, whole or not at all."""
    with replacing(folder / ABOUT) as temporary:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(about), indent=2) + b"\n")


def check_names(attachments: dict[str, Attached], where: Path) -> None:
    """GumptionError for too many or too large ones, and for names that are not plain file names of their own.

    `Certificate.json` beside `certificate.json` is refused, since not every file system tells them apart.
    """
    remedy = "use names like certificate.json, each once"
    if len(attachments) > MOST_ATTACHMENTS:
        raise GumptionError(f"{len(attachments)} attachments", where=str(where), remedy="pack them together")
    taken = {ABOUT, ITEMS, MEDIA}
    for name, attached in attachments.items():
        if not _ATTACHMENT_NAME.fullmatch(name) or name.lower() in taken:
            raise GumptionError(f"an attachment is called {name[:80]!r}", where=str(where), remedy=remedy)
        if not 0 <= attached.bytes <= LARGEST_ATTACHMENT or not _SHA256.fullmatch(attached.sha256):
            problem = f"the attachment {name} is over {LARGEST_ATTACHMENT // 2**20} MiB or has no SHA-256"
            raise GumptionError(problem, where=str(where), remedy="fetch or write the folder again")
        taken.add(name.lower())


def inside(folder: Path, name: str, root: Path | None = None) -> Path:
    """A path in a folder. GumptionError if it is a link that leaves the suite's folder."""
    path = folder / name
    try:
        leaves = path.is_symlink() and not path.resolve().is_relative_to((root or folder).resolve())
    except (OSError, RuntimeError):  # a loop of links
        leaves = True
    if leaves:
        raise GumptionError(
            "the link leads out of the suite", where=str(path), remedy="put the file itself there"
        )
    return path
