"""The store: everything that the web application and the organiser's commands ask of a study.

A folder holds `ratings.sqlite` (or nothing, where a PostgreSQL address is given) and `media/`, the pictures
and clips under names made of their hash. Every method is one short transaction; what it returned is on disk.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from gumption.atomic import replacing
from gumption.rating import _links, _making, _saving, _tasks
from gumption.rating._database import Database
from gumption.rating._rows import no_task, open_study, own_task, public_id, rater_row, study_of, study_row
from gumption.rating._tables import media, raters, studies
from gumption.rating.errors import NotThereError
from gumption.rating.forms import checked_comment, checked_seconds, checked_values
from gumption.rating.record import Judged, Record
from gumption.rating.study import (
    Access,
    Invitation,
    Material,
    MediaFile,
    Rater,
    Rating,
    Study,
    Task,
    TaskLine,
)
from gumption.records import GumptionError
from gumption.suites.media import media_name

__all__ = ["Store"]

DATABASE = "ratings.sqlite"


class Store:
    """An open store. Safe to share between threads; the clock gives Unix seconds."""

    def __init__(self, folder: Path, database: Database, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self._database = database
        self._clock = clock

    @classmethod
    def open(
        cls,
        folder: Path | str,
        url: str = "",
        *,
        create: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> Store:
        """The store in `folder`, with `create` a new one. `url` names a database that is not in the folder.

        Raises DatabaseError, or its class SchemaError or DatabaseBusyError.
        """
        folder = Path(folder)
        try:
            if create:
                (folder / "media").mkdir(parents=True, exist_ok=True)
            there = (folder / DATABASE).exists()
        except OSError as error:
            raise GumptionError(
                f"the folder cannot be used: {error.strerror}",
                where=str(folder),
                remedy="name another folder",
            ) from error
        if not (url or create or there):
            raise NotThereError(
                "no study is in this folder",
                where=str(folder),
                remedy="make one with: gumption rate new RUN... -o FOLDER",
            )
        address = url or str(sa.URL.create("sqlite", database=str(folder / DATABASE)))
        return cls(folder, Database.open(address, create=create), clock)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ── studies ──────────────────────────────────────────────────────────────────────────────────────

    def create(self, study: Study, material: Material, *, days: float = 365) -> str:
        """Store a study with its media and return the organiser's token, which is nowhere else.

        Raises GumptionError where there is nothing to judge or a media file is not what it should be.
        """
        for file in material.media:
            self._keep(file)
        with self._database.writing() as connection:
            key = _making.write_study(connection, study, material, self._clock())
            return _links.link(connection, key, None, days, self._clock())

    def studies(self) -> tuple[Study, ...]:
        """In the order they were made."""
        with self._database.reading() as connection:
            return tuple(map(study_of, connection.execute(sa.select(studies).order_by(studies.c.key))))

    def study(self, study: str) -> Study:
        """Raises NotThereError."""
        with self._database.reading() as connection:
            return study_of(study_row(connection, study))

    def close_study(self, study: str, *, closed: bool = True) -> None:
        """Take no more ratings, or take them again."""
        with self._database.writing() as connection:
            key = study_row(connection, study).key
            connection.execute(studies.update().where(studies.c.key == key).values(closed=closed))

    def media(self, study: str, sha256: str) -> MediaFile:
        """A picture or clip of this study. Raises NotThereError for anything else, whatever the text is."""
        with self._database.reading() as connection:
            found = None
            if re.fullmatch(r"[0-9a-f]{64}", sha256):
                found = connection.execute(
                    sa.select(media.c.media_type)
                    .join(studies, studies.c.key == media.c.study)
                    .where(studies.c.id == public_id(study), media.c.sha256 == sha256)
                ).one_or_none()
        if found is None:
            raise NotThereError("no such picture or clip in this study", remedy="load the page again")
        path = self.folder / "media" / media_name(sha256, found.media_type)
        return MediaFile(str(path), found.media_type, sha256)

    # ── people ───────────────────────────────────────────────────────────────────────────────────────

    def invite(self, study: str, notes: Sequence[str] = ("",), *, days: float = 30) -> tuple[Invitation, ...]:
        """One new rater for each note. The tokens cannot be had again."""
        with self._database.writing() as connection:
            key = study_row(connection, study, lock=True).key
            return _links.invite(connection, key, notes, days, self._clock())

    def access(self, token: str) -> Access:
        """What a token opens. Raises LinkError."""
        with self._database.reading() as connection:
            return _links.access(connection, token, self._clock())

    def renew(self, rater: str, *, days: float = 30) -> str:
        """A new token for a rater; the earlier ones stop working. Raises NotThereError."""
        with self._database.writing() as connection:
            return _links.renew(connection, rater, days, self._clock())

    def revoke(self, rater: str) -> None:
        """Let the rater's links stop working; what they rated stays. Raises NotThereError."""
        with self._database.writing() as connection:
            _links.revoke(connection, rater)

    def organiser_link(self, study: str, *, days: float = 365) -> str:
        """One more token for the organiser."""
        with self._database.writing() as connection:
            return _links.link(connection, study_row(connection, study).key, None, days, self._clock())

    def raters(self, study: str) -> tuple[Rater, ...]:
        with self._database.reading() as connection:
            key = study_row(connection, study).key
            query = sa.select(raters).where(raters.c.study == key).order_by(raters.c.number)
            return tuple(Rater(row.id, study, row.number, row.note) for row in connection.execute(query))

    def raters_deleted(self, study: str) -> int:
        """How many asked for their data to be removed."""
        with self._database.reading() as connection:
            return int(study_row(connection, study).raters_deleted)

    def delete_rater(self, rater: str) -> None:
        """Remove all that is known of a rater, earlier revisions and drafts too; their places open again.

        Raises NotThereError, and DatabaseBusyError where SQLite's log still holds the deleted bytes.
        """
        with self._database.writing() as connection:
            row = rater_row(connection, rater)
            study_row(connection, row.study_id, lock=True)
            _links.delete(connection, rater)
        self.erase_traces()

    def erase_traces(self) -> None:
        """Finish a deletion whose `delete_rater` raised DatabaseBusyError; harmless at any other time."""
        self._database.erase_traces()

    # ── rating ───────────────────────────────────────────────────────────────────────────────────────

    def next_task(self, rater: str) -> Task | None:
        """The rater's open task again, or a new one; None where nothing is left for them.

        Raises NotThereError and ClosedError.
        """
        with self._database.writing() as connection:
            row = rater_row(connection, rater)
            locked = study_row(connection, row.study_id, lock=True)
            study = open_study(locked)
            task = _tasks.give(connection, study, locked.key, row, self._clock())
            return None if task is None else _tasks.show(connection, study, row.key, task)

    def task(self, rater: str, task: str) -> Task:
        """One of the rater's own tasks, as for going back. Raises NotThereError."""
        with self._database.reading() as connection:
            row = rater_row(connection, rater)
            study = study_of(study_row(connection, row.study_id))
            found = _tasks.show(connection, study, row.key, task)
        if found is None:
            raise no_task()
        return found

    def tasks(self, rater: str) -> tuple[TaskLine, ...]:
        """The rater's own tasks in the order given out."""
        with self._database.reading() as connection:
            return _tasks.lines(connection, rater_row(connection, rater).key)

    def save_draft(self, rater: str, task: str, values: Any, comment: Any = "", seconds: Any = 0.0) -> None:
        """Autosave a form that need not be whole. Raises RatingError, NotThereError and ClosedError."""
        with self._database.writing() as connection:
            study, assignment = own_task(connection, rater, task)
            said = (
                checked_values(study, values, whole=False),
                checked_comment(comment),
                checked_seconds(seconds),
            )
            now = self._clock()
            _saving.save_draft(connection, assignment.key, *said, now, now + study.lease_s)

    def submit(
        self,
        rater: str,
        task: str,
        values: Any,
        comment: Any = "",
        seconds: Any = 0.0,
        *,
        base_revision: int | None = None,
    ) -> Rating:
        """Submit or revise a rating. It is on disk when this returns, and the same again changes nothing.

        `base_revision`: the revision that the page was made from; None overwrites whatever is there.
        Raises RatingError, NotThereError, ClosedError, and StaleError where another device was faster.
        """
        with self._database.writing() as connection:
            study, assignment = own_task(connection, rater, task)
            said = (
                checked_values(study, values, whole=True),
                checked_comment(comment),
                checked_seconds(seconds),
            )
            return _saving.submit(connection, assignment, *said, base_revision, self._clock())

    # ── the organiser ────────────────────────────────────────────────────────────────────────────────

    def units(self, study: str) -> tuple[Judged, ...]:
        """Everything that is to be judged, with models' names."""
        with self._database.reading() as connection:
            return _saving.judged(connection, study_row(connection, study).key)

    def records(self, study: str, *, history: bool = False) -> tuple[Record, ...]:
        """Every task that was given out, with models' names; `history` adds the earlier revisions."""
        with self._database.reading() as connection:
            row = study_row(connection, study)
            return _saving.records(connection, row.key, study_of(row).kind, self._clock(), history=history)

    def _keep(self, file: MediaFile) -> None:
        """Copy a media file, unless it is here, checking that its bytes are those of its name."""
        kept = self.folder / "media" / media_name(file.sha256, file.media_type)
        try:
            data = Path(file.path).read_bytes()
            if hashlib.sha256(data).hexdigest() != file.sha256:
                raise GumptionError(
                    "the media file was altered", where=file.path, remedy="read the suite again"
                )
            if not kept.exists():
                with replacing(kept) as temporary:
                    temporary.write_bytes(data)
        except OSError as error:
            raise GumptionError(
                f"a media file cannot be copied: {error.strerror}",
                where=file.path,
                remedy="see that it is there",
            ) from error
