"""A suite or pool as a folder: `suite.json`, `items.parquet`, `media/<sha256>.<ext>` and attachments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from gumption.atomic import replacing
from gumption.records import GumptionError, Item
from gumption.suites._about import (
    ABOUT,
    ITEMS,
    MEDIA,
    About,
    MediaSize,
    inside,
    new_about,
    read_about,
    write_about,
)
from gumption.suites._stored import read_stored, stored_media, write_stored
from gumption.suites._values import check_value
from gumption.suites.attachments import attached, write_attachments
from gumption.suites.media import Media, media_name
from gumption.suites.references import OpenBenchmark, resolved
from gumption.suites.suite import Origin, Place, Suite, shown_media

__all__ = ["About", "MediaSize", "read_about", "read_folder", "write_folder"]

_OURS = {ABOUT, ITEMS, MEDIA, "certificate.json"}


def read_folder(
    path: Path | str, *, open_benchmark: OpenBenchmark | None = None, data: Path | None = None
) -> Suite:
    """The suite in a folder that `write_folder` made.

    Items that the folder only refers to are taken from where they are and checked: from another folder or
    file (where it was, else in `data`), or from a benchmark, which `open_benchmark` opens with its data in
    `data`. Without it only references to paths can be resolved.

    Raises GumptionError if a file is missing, damaged, from a newer format or leads out of the folder, if
    the items are not those of the checksum, if a media file is missing or has another size, or if a
    reference cannot be resolved. The bytes of the media are checked when they are read, attachments by
    `read_attachment`.
    """
    folder = Path(path)
    about = read_about(folder)
    stored = read_stored(folder)
    media = stored_media(folder)
    if (found := _media_size([row for row in stored if isinstance(row, Item)], media)) != about.media:
        problem = (
            f"{found.count} media files of {found.bytes} bytes, "
            f"where {ABOUT} says {about.media.count} of {about.media.bytes}"
        )
        raise GumptionError(problem, where=str(folder / MEDIA), remedy="fetch or write the folder again")
    items, elsewhere, references = resolved(stored, about.origins, folder, open_benchmark, data)
    paths = {sha256: elsewhere.path(sha256) for sha256 in shown_media(items)} if references else {}
    suite = Suite(
        name=about.name,
        version=about.version,
        items=items,
        media=media | Media({sha256: path for sha256, path in paths.items() if path}),
        provenance=about.provenance,
        licences=about.licences,
        place=Place("path", str(folder.resolve())),
        references=references,
        official=about.official,
    )
    if len(items) != about.items or suite.checksum != about.checksum:
        problem = f"the items are not the {about.items} that {ABOUT} was written for"
        raise GumptionError(problem, where=str(folder / ITEMS), remedy="fetch or write the folder again")
    return suite


def write_folder(
    suite: Suite,
    path: Path | str,
    *,
    created: str | None = None,
    overwrite: bool = False,
    attachments: Mapping[str, bytes] | None = None,
) -> Path:
    """Write a suite as a folder and return its path.

    `created` is an ISO 8601 date, now by default. Media are hard links where the file system allows, else
    copies; each is checked against its hash on the way. Of items in `suite.references`, only what they are
    known by is written. `attachments` are files by name that belong to the suite, such as
    `certificate.json`; without them those of an earlier writing stay if the items are the same, and go if
    not. `suite.json` comes last, so a folder with one is whole.

    Raises GumptionError if another suite or anything else is there already, unless `overwrite` (which
    replaces a suite, never other files), or if the bytes of a picture are missing or altered.
    """
    folder = Path(path)
    check_value(suite.provenance)
    given = None if attachments is None else attached(attachments, folder)
    before = _check_free(suite, folder, overwrite, frozenset(given or ()))
    known = suite.references
    places = {item.id: known[item.id].place for item in suite.items if item.id in known}
    origins = _origins(suite, folder)
    whole = [item for item in suite.items if item.id not in places]
    shown = shown_media(whole)
    folder.mkdir(parents=True, exist_ok=True)
    for sha256, media_type in shown.items():
        _write_medium(suite.media, sha256, inside(folder, MEDIA) / media_name(sha256, media_type))
    write_stored(folder, suite.items, {id: origins[place].place.address for id, place in places.items()})
    if given is None:
        given = before.attachments if before and before.checksum == suite.checksum else {}
    else:
        write_attachments(folder, attachments or {})
    media = stored_media(folder)
    about = new_about(
        name=suite.name,
        version=suite.version,
        created=created or datetime.now(UTC).isoformat(timespec="seconds"),
        items=len(suite.items),
        checksum=suite.checksum,
        media=_media_size(whole, media),
        licences=suite.licences,
        provenance=suite.provenance,
        origins=tuple(origins.values()),
        attachments=given,
        official=suite.official,
    )
    write_about(folder, about)
    for sha256 in media:
        if sha256 not in shown and (leftover := media.path(sha256)):
            leftover.unlink()
    for name in before.attachments if before else ():
        if name not in given:
            inside(folder, name).unlink(missing_ok=True)
    return folder


def _check_free(suite: Suite, folder: Path, overwrite: bool, attached: frozenset[str]) -> About | None:
    """The description of the suite that is there and may be written over, None if there is none."""
    if not folder.exists():
        return None
    names = {entry.name for entry in folder.iterdir()} if folder.is_dir() else {folder.name}
    about = read_about(folder) if folder.is_dir() and ABOUT in names else None
    ours = _OURS | (about.attachments.keys() if about else set())
    if ITEMS in names:  # a writing that was cut short may have left its attachments, which come after
        ours |= attached
    if not folder.is_dir() or any(name not in ours and not name.startswith(".") for name in names):
        problem = "there is something else than a suite already"
        raise GumptionError(problem, where=str(folder), remedy="give a new or empty folder")
    same = about is None or (about.name, about.version, about.checksum) == (
        suite.name,
        suite.version,
        suite.checksum,
    )
    if about and not same and not overwrite:
        problem = f"the suite {about.name!r} is there already"
        raise GumptionError(problem, where=str(folder), remedy="give another folder, or overwrite it")
    return about


def _origins(suite: Suite, folder: Path) -> dict[Place, Origin]:
    """By place, the origins of the suite's references as `suite.json` has them: paths from the folder."""
    here = folder.resolve()
    origins: dict[Place, Origin] = {}
    for item in suite.items:
        origin = suite.references.get(item.id)
        if origin is None or origin.place in origins:
            continue
        written = origin
        if origin.place.kind == "path":
            if Path(origin.place.address) == here:
                problem = "items that it holds cannot become references to itself"
                raise GumptionError(problem, where=str(folder), remedy="give another folder")
            address = Path(os.path.relpath(origin.place.address, here)).as_posix()
            written = msgspec.structs.replace(origin, place=Place("path", address))
        check_value(origin.provenance)
        origins[origin.place] = written
    return origins


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


def _media_size(items: Iterable[Item], media: Media) -> MediaSize:
    paths = [path for sha256 in shown_media(items) if (path := media.path(sha256))]
    return MediaSize(len(paths), sum(path.stat().st_size for path in paths))
