"""Runs at addresses: asked on this machine, kept there, read from anywhere.

`at_address` gives the folder of this machine in which a run at `s3://bucket/prefix` is worked on, and copies
it there meanwhile, so that another machine can go on where this one was lost. `fetched` gets one to be read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gumption.records import GumptionError
from gumption.running._copying import Copier, every
from gumption.running._fetching import check_place, take_up
from gumption.running._holding import held
from gumption.running._lease import BEAT_S, SILENT_S, Lease
from gumption.running._mirror import Copies, fetched, local_folder
from gumption.running.storage import Storage, is_address

__all__ = ["Place", "Timing", "at_address", "fetched", "is_address"]


@dataclass(frozen=True)
class Timing:
    """Seconds between what happens on the way."""

    beat: float = BEAT_S
    """Between two signs of life, and two copies of what was recorded: what a lost machine may cost."""
    silent: float = SILENT_S
    """Without a sign of life until another machine may take the run over."""
    patience: float = 60.0
    """At the end, that a store in trouble is waited for."""


@dataclass
class Place:
    """Where a run is."""

    folder: Path
    """On this machine."""
    address: str = ""
    """Where it is copied to; "" for a run that is only here."""
    left: GumptionError | None = None
    """When the run is done: what is not at the address, and what to do about it."""

    def __str__(self) -> str:
        return self.address or str(self.folder)


@contextmanager
def at_address(
    out: str | Path,
    *,
    there: bool = False,
    timing: Timing | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[Place]:
    """The folder for a run that is to be at `out`, an address or simply a path.

    What lies at the address is in the folder when the block begins. What was written to the folder is at the
    address when the block ends, or `Place.left` says what is not: a store that cannot be reached for a while
    delays copying and loses nothing. Replies are copied every few seconds. Run the same again, here or on
    another machine, and it goes on from there. there: the address must hold a run already. tell: is given a
    line where one has to wait.

    Raises GumptionError where another process, here or elsewhere, holds the run, where the store cannot be
    used at the start, and where something else lies at the address.
    """
    if not is_address(out):
        yield Place(Path(out))
        return
    timing = timing or Timing()
    storage = Storage(str(out))
    check_place(storage, there)
    folder, about = local_folder(storage.address, "driver")
    place = Place(folder, storage.address)
    with held(about, storage.address):
        lease = Lease.take(storage, about / "token", tell, timing.silent)
        try:
            with every(timing.beat, lambda: _beat(lease)):
                copies = Copies(about / "copies.json")
                take_up(storage, folder, copies)
                yield from _copied(place, Copier(storage, folder, copies, lease), lease, timing)
        finally:
            _release(lease)


def _copied(place: Place, copier: Copier, lease: Lease, timing: Timing) -> Iterator[Place]:
    # An error need not wait long for a store that may be its reason.
    patience = timing.beat
    try:
        with every(timing.beat, copier.copy):
            yield place
        patience = timing.patience
    finally:
        _beat(lease)
        copier.finish(patience)
        place.left = _left(copier, lease, place)


def _beat(lease: Lease) -> None:
    try:
        lease.beat()
    except GumptionError:
        # A store in trouble: silence, until one of the next beats comes through.
        return


def _release(lease: Lease) -> None:
    try:
        lease.release()
    except GumptionError:
        # Others find the lock silent.
        return


def _left(copier: Copier, lease: Lease, place: Place) -> GumptionError | None:
    files, size = copier.left()
    if not files and not copier.trouble:
        return None
    why = "another process has taken the run over" if lease.lost else copier.trouble or "the store keeps none"
    return GumptionError(
        f"{files} files ({size:,} bytes) are not there yet: {why}",
        where=place.address,
        remedy=f"nothing is lost, they are in {place.folder}; run the same command again "
        + ("when the other process has ended" if lease.lost else "when the store is back")
        + ": it copies them, and asks only what is missing",
    )
