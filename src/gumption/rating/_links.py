"""Personal links: 256 random bits, of which only a hash is kept.

A plain SHA-256 is enough, as for any secret that is random and long: there is nothing to guess, so nothing to
make slow.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from gumption.rating._rows import public_id
from gumption.rating._tables import assignments, drafts, links, raters, ratings, studies
from gumption.rating.errors import LinkError, NotThereError
from gumption.rating.study import Access, Invitation, new_id
from gumption.records import GumptionError

__all__ = ["access", "delete", "invite", "rater_key", "renew", "revoke"]

MAX_TOKEN = 128
MAX_NOTE = 200
DAY_S = 86_400.0


def invite(
    connection: Connection, study: int, notes: Sequence[str], days: float, now: float
) -> tuple[Invitation, ...]:
    """A new rater with a link for each note. The study's row must be locked."""
    _check_days(days)
    for note in notes:
        if len(note) > MAX_NOTE or "\0" in note:
            raise GumptionError(f"not a note of at most {MAX_NOTE} characters", remedy="shorten the note")
    joined = connection.execute(sa.select(studies.c.raters_joined).where(studies.c.key == study)).scalar_one()
    connection.execute(
        studies.update().where(studies.c.key == study).values(raters_joined=joined + len(notes))
    )
    invitations = []
    for number, note in enumerate(notes, joined + 1):
        id = new_id()
        connection.execute(raters.insert().values(id=id, study=study, number=number, note=note))
        token = link(connection, study, rater_key(connection, id), days, now)
        invitations.append(Invitation(id, token, now + days * DAY_S, note))
    return tuple(invitations)


def link(connection: Connection, study: int, rater: int | None, days: float, now: float) -> str:
    """The token of a new link; rater None is the organiser."""
    _check_days(days)
    token = secrets.token_urlsafe(32)
    connection.execute(
        links.insert().values(
            token_sha256=_hash(token), study=study, rater=rater, expires=now + days * DAY_S, revoked=False
        )
    )
    return token


def renew(connection: Connection, rater: str, days: float, now: float) -> str:
    """A new link for a rater who lost theirs; the old ones stop working."""
    revoke(connection, rater)
    row = connection.execute(sa.select(raters.c.key, raters.c.study).where(raters.c.id == rater)).one()
    return link(connection, row.study, row.key, days, now)


def revoke(connection: Connection, rater: str) -> None:
    key = rater_key(connection, rater)
    connection.execute(links.update().where(links.c.rater == key).values(revoked=True))


def access(connection: Connection, token: str, now: float) -> Access:
    """What the token opens. Raises LinkError, saying no more than its holder may know."""
    found = None
    if isinstance(token, str) and len(token) <= MAX_TOKEN:
        found = connection.execute(
            sa.select(
                links.c.expires,
                links.c.revoked,
                studies.c.id,
                raters.c.id.label("rater"),
                links.c.rater.label("key"),
            )
            .join(studies, studies.c.key == links.c.study)
            .outerjoin(raters, raters.c.key == links.c.rater)
            .where(links.c.token_sha256 == _hash(token))
        ).one_or_none()
    remedy = "ask the organiser of the study for a new link"
    if found is None or found.revoked:
        raise LinkError("this link is not valid", remedy=remedy)
    if found.expires <= now:
        raise LinkError("this link has expired", remedy=remedy)
    return Access("organiser" if found.key is None else "rater", found.id, found.rater or "", found.expires)


def delete(connection: Connection, rater: str) -> None:
    """Remove a rater: links, note, tasks, drafts, ratings and their history. A count without identity stays.

    The study's row must be locked.
    """
    key = rater_key(connection, rater)
    study = connection.execute(sa.select(raters.c.study).where(raters.c.key == key)).scalar_one()
    theirs = sa.select(assignments.c.key).where(assignments.c.rater == key)
    for table in (drafts, ratings):
        connection.execute(table.delete().where(table.c.assignment.in_(theirs)))
    connection.execute(assignments.delete().where(assignments.c.rater == key))
    connection.execute(links.delete().where(links.c.rater == key))
    connection.execute(raters.delete().where(raters.c.key == key))
    connection.execute(
        studies.update().where(studies.c.key == study).values(raters_deleted=studies.c.raters_deleted + 1)
    )


def rater_key(connection: Connection, rater: str) -> int:
    """Raises NotThereError."""
    query = sa.select(raters.c.key).where(raters.c.id == public_id(rater))
    key = connection.execute(query).scalar_one_or_none()
    if key is None:
        raise NotThereError("no such rater", remedy="see the list in the study's progress")
    return int(key)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _check_days(days: float) -> None:
    if not 0 < days <= 3660:
        raise GumptionError(f"{days} days", where="link", remedy="let a link last between 0 and 3660 days")
