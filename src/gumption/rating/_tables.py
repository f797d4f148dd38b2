"""The tables. Nothing is stored twice: progress, places left and what is done follow from these rows.

Public ids are what a browser sees; integer keys never leave the store. Times are Unix seconds.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "SCHEMA",
    "assignments",
    "drafts",
    "links",
    "media",
    "metadata",
    "outputs",
    "raters",
    "ratings",
    "scenarios",
    "studies",
    "units",
    "versions",
]

SCHEMA = 1
"""Raised with every change to these tables."""

metadata = MetaData()

versions = Table("gumption_schema", metadata, Column("version", Integer, primary_key=True))

studies = Table(
    "study",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("form", LargeBinary, nullable=False),  # the Study as JSON, frozen
    Column("closed", Boolean, nullable=False, default=False),
    Column("created", Float, nullable=False),
    Column("raters_joined", Integer, nullable=False, default=0),
    Column("raters_deleted", Integer, nullable=False, default=0),  # the tombstone: a count and nothing else
)

scenarios = Table(
    "scenario",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("study", ForeignKey("study.key"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("label", Text, nullable=False, default=""),
    Column("content", LargeBinary, nullable=False),  # the Scenario as JSON
)

outputs = Table(
    "output",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("scenario", ForeignKey("scenario.key"), nullable=False, index=True),
    Column("model", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),  # the Output as JSON
)

units = Table(
    "unit",  # what is judged at once: an output, a pair, or a scenario alone
    metadata,
    Column("key", Integer, primary_key=True),
    Column("study", ForeignKey("study.key"), nullable=False, index=True),
    Column("scenario", ForeignKey("scenario.key"), nullable=False),
    Column("first", ForeignKey("output.key")),
    Column("second", ForeignKey("output.key")),
    Column("expected", JSON(none_as_null=True)),  # the right values of an attention check, else NULL
)

media = Table(
    "media",
    metadata,
    Column("study", ForeignKey("study.key"), primary_key=True),
    Column("sha256", String(64), primary_key=True),
    Column("media_type", String(64), nullable=False),
)

raters = Table(
    "rater",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("study", ForeignKey("study.key"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("note", Text, nullable=False, default=""),
    UniqueConstraint("study", "number"),
)

links = Table(
    "link",
    metadata,
    Column("token_sha256", String(64), primary_key=True),
    Column("study", ForeignKey("study.key"), nullable=False),
    Column("rater", ForeignKey("rater.key"), index=True),  # NULL: the organiser's
    Column("expires", Float, nullable=False),
    Column("revoked", Boolean, nullable=False, default=False),
)

assignments = Table(
    "assignment",
    metadata,
    Column("key", Integer, primary_key=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("rater", ForeignKey("rater.key"), nullable=False),
    Column("unit", ForeignKey("unit.key"), nullable=False, index=True),
    Column("repeat", Boolean, nullable=False, default=False),
    Column("swapped", Boolean, nullable=False, default=False),  # a pair's second output stands left
    Column("number", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),
    UniqueConstraint("rater", "unit", "repeat"),
    UniqueConstraint("rater", "number"),
)

ratings = Table(
    "rating",  # append-only: the current rating is the one of the highest revision
    metadata,
    Column("assignment", ForeignKey("assignment.key"), primary_key=True),
    Column("revision", Integer, primary_key=True),
    Column("marks", JSON, nullable=False),
    Column("comment", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("submitted", Float, nullable=False),
)

drafts = Table(
    "draft",
    metadata,
    Column("assignment", ForeignKey("assignment.key"), primary_key=True),
    Column("marks", JSON, nullable=False),
    Column("comment", Text, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("saved", Float, nullable=False),
)

Index("link_study", links.c.study)
