"""Taking up a run at an address: the folder here and the one there become one, and no reply is lost."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from gumption.records import GumptionError
from gumption.running._mirror import LOCKS, Copies, fetch, stamp_of
from gumption.running.storage import Storage

__all__ = ["check_place", "is_part", "take_up"]

_PIECE = 2**20


def is_part(name: str) -> bool:
    """Whether the file of this name holds replies."""
    return name.startswith("parts/") and name.endswith(".jsonl") and name.count("/") == 1


def check_place(storage: Storage, there: bool) -> None:
    """Raise GumptionError where something lies at the address that is no run, and with `there` nothing."""
    names = [name for name in storage.names() if not name.startswith(f"{LOCKS}/")]
    if "run.json" in names:
        return
    if there:
        raise GumptionError(
            "there is no run", where=storage.address, remedy="give the address that gumption run wrote to"
        )
    if names:
        raise GumptionError(
            f"the place is not empty and not a run: it holds {names[0]!r}",
            where=storage.address,
            remedy="choose another with --out",
        )


def take_up(storage: Storage, folder: Path, copies: Copies) -> None:
    """Bring the folder up to what lies at the address. Files that changed only here stay as they are.

    Of a file that changed on both sides the one at the address stands; but of replies both stay.
    """
    there = {name: kept for name, kept in storage.kept().items() if not name.startswith(f"{LOCKS}/")}
    for name in copies:
        if name not in there:
            if stamp_of(folder / name) == copies.here(name):
                (folder / name).unlink(missing_ok=True)
            copies.forget(name)
    changed = {name: kept for name, kept in there.items() if copies.there(name) != kept.mark}
    changed |= {name: kept for name, kept in there.items() if not (folder / name).exists()}
    mine = [_set_aside(folder / name) for name in changed if _ahead(name, folder, copies)]
    fetch(storage, changed, folder, copies)
    for aside, part in mine:
        if _begins_with(part, aside):
            aside.unlink()
        elif _begins_with(aside, part):
            aside.replace(part)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / "run.json").exists():
        # The run was removed at the address. What had not come there stays on this machine, out of the way.
        folder.rename(folder.with_name(f"{folder.name[:200]}.{secrets.token_hex(4)}"))


def _ahead(name: str, folder: Path, copies: Copies) -> bool:
    """Whether these are replies that the address may lack."""
    stamp = stamp_of(folder / name)
    return is_part(name) and bool(stamp) and stamp != copies.here(name)


def _set_aside(part: Path) -> tuple[Path, Path]:
    """Give the part a name of its own, under which it is a part of the run all the same."""
    with part.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    aside = part.with_name(f"{part.stem}-{digest[:12]}.jsonl")
    part.replace(aside)
    return aside, part


def _begins_with(longer: Path, beginning: Path) -> bool:
    if longer.stat().st_size < beginning.stat().st_size:
        return False
    with longer.open("rb") as one, beginning.open("rb") as other:
        while piece := other.read(_PIECE):
            if one.read(len(piece)) != piece:
                return False
    return True
