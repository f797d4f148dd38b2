"""Files beside a suite's items that belong to it: its certificate, the log of its making, the selection."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from gumption.atomic import replacing
from gumption.records import GumptionError
from gumption.suites._about import Attached, check_names, inside, read_about, write_about

__all__ = ["attach", "attached", "check_attachments", "read_attachment", "write_attachments"]


def attach(path: Path | str, attachments: Mapping[str, bytes]) -> None:
    """Add files to a suite's folder, or replace those of their names. The items are not touched.

    Raises GumptionError if the folder is not a suite's, for names that are not plain (`certificate.json`),
    and for too many files or one that is too large.
    """
    folder = Path(path)
    about = read_about(folder)
    new = {**about.attachments, **attached(attachments, folder)}
    check_names(new, folder)
    write_attachments(folder, attachments)
    write_about(folder, msgspec.structs.replace(about, attachments=new))


def read_attachment(path: Path | str, name: str) -> bytes:
    """The bytes of an attachment, checked against what `suite.json` says of it.

    Raises GumptionError if there is none of that name, or if it is missing, altered or outside the folder.
    """
    folder = Path(path)
    attachments = read_about(folder).attachments
    if name not in attachments:
        there = ", ".join(attachments) or "none"
        raise GumptionError(f"no attachment {name!r}", where=str(folder), remedy=f"there are: {there}")
    file, said = inside(folder, name), attachments[name]
    remedy = "fetch or write the folder again"
    try:
        if not file.is_file() or file.stat().st_size != said.bytes:
            raise GumptionError(f"not the {said.bytes} bytes of suite.json", where=str(file), remedy=remedy)
        data = file.read_bytes()
    except OSError as error:
        raise GumptionError(f"cannot be read: {error.strerror}", where=str(file), remedy=remedy) from error
    if hashlib.sha256(data).hexdigest() != said.sha256:
        raise GumptionError("not the bytes that suite.json was written for", where=str(file), remedy=remedy)
    return data


def check_attachments(path: Path | str) -> dict[str, int]:
    """Read all attachments of a suite's folder and give their sizes in bytes. Raises as `read_attachment`."""
    return {name: len(read_attachment(path, name)) for name in read_about(path).attachments}


def attached(attachments: Mapping[str, bytes], where: Path) -> dict[str, Attached]:
    """What `suite.json` will say of these files. GumptionError as of `attach`."""
    said = {name: Attached(hashlib.sha256(data).hexdigest(), len(data)) for name, data in attachments.items()}
    check_names(said, where)
    return said


def write_attachments(folder: Path, attachments: Mapping[str, bytes]) -> None:
    """Write the files, each whole or not at all."""
    for name, data in attachments.items():
        with replacing(inside(folder, name)) as temporary:
            temporary.write_bytes(data)
