"""The nouns of a study: what people are asked, what they are shown, and what they say.

Only `Task`, `Shown` and `TaskLine` are made to be sent to a rater's browser: they hold public ids and nothing
of models, of who else rated, or of which tasks are checks or repeats.
"""

from __future__ import annotations

import re
import secrets
from typing import Literal, TypeAlias

from msgspec import Struct, field

from gumption.records import GumptionError, Part, Text

__all__ = [
    "ALSO",
    "ID",
    "LEFT",
    "MAIN",
    "RIGHT",
    "TIE",
    "Access",
    "Dimension",
    "Invitation",
    "Kind",
    "Material",
    "MediaFile",
    "Output",
    "Rater",
    "Rating",
    "Scenario",
    "Shown",
    "Study",
    "Task",
    "TaskLine",
    "Values",
    "new_id",
]

Kind: TypeAlias = Literal["rating", "pairwise", "labels"]
Values: TypeAlias = dict[str, int]
"""Dimension id to what was chosen. rating: a mark in low..high. pairwise: LEFT, TIE or RIGHT, whichever is
better. labels: the labels chosen, one of them MAIN and any others ALSO."""
ID = r"[0-9A-Za-z_-]{1,32}"
"""What a public id looks like."""
LEFT, TIE, RIGHT = -1, 0, 1
MAIN, ALSO = 1, 2


def new_id() -> str:
    """A public id of 96 random bits: nobody can guess another, and it tells nothing of what it names."""
    return secrets.token_hex(12)


class Dimension(Struct, frozen=True):
    """One line of the form: a scale in a rating, a question in a comparison, a label in labelling."""

    id: str
    title: str
    question: str = ""
    """What is to be judged, in a sentence; for a label what belongs to it."""
    low: int = 1
    high: int = 5
    anchors: dict[int, str] = field(default_factory=dict)
    """What marks stand for, as in {1: "none of them", 5: "all of them"}."""

    def marks(self, kind: Kind) -> tuple[int, ...]:
        """The values that can be chosen."""
        if kind == "pairwise":
            return LEFT, TIE, RIGHT
        return (MAIN, ALSO) if kind == "labels" else tuple(range(self.low, self.high + 1))


class Study(Struct, frozen=True, kw_only=True):
    """What is asked of whom. Frozen once it is stored; only `closed` changes.

    Raises GumptionError where a number is out of its range or two dimensions have one id.
    """

    name: str
    dimensions: tuple[Dimension, ...]
    kind: Kind = "rating"
    id: str = field(default_factory=new_id)
    raters_wanted: int = 4
    """People per output (per pair, per item to label). A2Eval had 3 to 5 (arXiv 2602.01640)."""
    tasks_per_rater: int | None = None
    """Size of a rater's block, checks and repeats not counted; None: as many as are open."""
    seed: int = 0
    attention_share: float = 0.0
    """Of the tasks a rater is given, the share that are made items with a stated right answer."""
    duplicate_share: float = 0.0
    """Share that are shown to the same rater a second time."""
    lease_s: int = 1800
    """Seconds for which a task that was given out is kept for its rater."""
    instructions: str = ""
    closed: bool = False

    def __post_init__(self) -> None:
        ids = [dimension.id for dimension in self.dimensions]
        problems = {
            "an id that is not 1 to 32 letters and digits": not re.fullmatch(ID, self.id),
            "no name": not self.name.strip(),
            "no dimensions": not ids,
            "two dimensions with one id": len(set(ids)) < len(ids),
            "a dimension without an id or a title": not all(
                dimension.id and dimension.title for dimension in self.dimensions
            ),
            "a scale that is not 2 to 101 whole marks": self.kind == "rating"
            and not all(1 <= dimension.high - dimension.low <= 100 for dimension in self.dimensions),
            "raters_wanted below 1": self.raters_wanted < 1,
            "tasks_per_rater below 1": self.tasks_per_rater is not None and self.tasks_per_rater < 1,
            "a share outside [0, 0.5]": not (
                0 <= self.attention_share <= 0.5 and 0 <= self.duplicate_share <= 0.5
            ),
            "a lease under 60 s": self.lease_s < 60,
        }
        for problem, there in problems.items():
            if there:
                raise GumptionError(problem, where=f"study {self.name!r}", remedy="change the study's form")


# ── what is rated: the organiser's side ──────────────────────────────────────────────────────────────


class Scenario(Struct, frozen=True):
    """An item as raters see it."""

    id: str
    """The item's id. Stays with the organiser."""
    parts: tuple[Part, ...]
    sub_tasks: tuple[str, ...] = ()
    label: str = ""
    """The dimension that a machine gave it: what human labels are compared with."""

    @property
    def media(self) -> tuple[str, ...]:
        """SHA-256 of the pictures and clips, in the order shown."""
        return tuple(part.sha256 for part in self.parts if not isinstance(part, Text))


class Output(Struct, frozen=True):
    """What one model said to one scenario."""

    scenario: str
    model: str
    """Never leaves the organiser's side."""
    text: str
    steps: tuple[str, ...] = ()
    """The plan's steps where the text lists them, without their numbers."""
    outcome: Literal["said", "refused", "empty"] = "said"
    id: str = field(default_factory=new_id)
    """Public."""


class MediaFile(Struct, frozen=True):
    """A picture or clip of a study: where its bytes are, and what they were found to be."""

    path: str
    media_type: str
    sha256: str


class Material(Struct, frozen=True):
    """What a study is made of."""

    scenarios: tuple[Scenario, ...]
    outputs: tuple[Output, ...]
    """None in a study of labels."""
    media: tuple[MediaFile, ...] = ()
    left_out: tuple[str, ...] = ()
    """What raters will not see and why, one sentence each."""
    warnings: tuple[str, ...] = ()
    """Clips that raters' browsers may not play."""


# ── people ───────────────────────────────────────────────────────────────────────────────────────────


class Rater(Struct, frozen=True):
    """A person, known by a pseudonym."""

    id: str
    study: str
    number: int
    """From 1, in the order of joining: with the study's seed it decides what they are shown."""
    note: str = ""
    """The organiser's own, as a name. Deleted with the rater's data."""


class Invitation(Struct, frozen=True):
    """A personal link, shown once: only a hash of the token is kept."""

    rater: str
    token: str
    expires: float
    """Unix time."""
    note: str = ""


class Access(Struct, frozen=True):
    """What a token opens."""

    role: Literal["rater", "organiser"]
    study: str
    rater: str = ""
    """"" for the organiser."""
    expires: float = 0.0


# ── what a rater is shown and says ───────────────────────────────────────────────────────────────────


class Shown(Struct, frozen=True):
    """One reply on a rater's page."""

    id: str
    text: str
    steps: tuple[str, ...]
    outcome: Literal["said", "refused", "empty"]


class Task(Struct, frozen=True):
    """One page for one rater: a scenario, the replies to be judged, and what was saved so far."""

    id: str
    kind: Kind
    parts: tuple[Part, ...]
    sub_tasks: tuple[str, ...]
    outputs: tuple[Shown, ...]
    """One in a rating, left and right in a comparison, none in labelling."""
    number: int
    """From 1: which of this rater's tasks it is."""
    done: int
    """Tasks this rater has submitted."""
    total: int | None
    """How many this rater is asked for, checks and repeats included and estimated; None while it is open."""
    values: Values
    """Saved draft, else what was submitted, else empty."""
    comment: str
    seconds: float
    revision: int
    """0 until it is submitted."""
    draft: bool
    """Whether values and comment are an autosaved draft that is newer than what was submitted."""


class TaskLine(Struct, frozen=True):
    """One line of a rater's own list, in the order given out."""

    id: str
    number: int
    revision: int
    draft: bool


class Rating(Struct, frozen=True):
    """What a rater submitted for a task."""

    task: str
    values: Values
    comment: str
    seconds: float
    """Time spent on the page, told by the browser and bounded by us."""
    revision: int
    """From 1; a revision replaces the one before, which is kept for audit."""
    submitted: float
    """Unix time."""
