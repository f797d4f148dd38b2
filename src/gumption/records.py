"""The nouns that every room shares. Frozen, typed, and loss-free through JSON.

Data flows one way: an `Item` is asked, a `Reply` comes back and is kept raw, a `Reading` says what the
reply settles on, a `Score` says what that is worth, and a `Scored` row carries all of it into
`scores.parquet`. A `Scorecard` is made from such rows and from nothing else.
"""

from __future__ import annotations

from collections.abc import Generator
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from msgspec import Struct, field

__all__ = [
    "Aggregate",
    "Answer",
    "AnswerKind",
    "Convention",
    "Episode",
    "ErrorKind",
    "GumptionError",
    "Image",
    "Interval",
    "Item",
    "Key",
    "Mistake",
    "Outcome",
    "Part",
    "Reading",
    "Reply",
    "Score",
    "Scorecard",
    "Scored",
    "Slice",
    "Status",
    "StopRule",
    "Stopped",
    "SubScore",
    "Text",
    "Usage",
    "Video",
]

AnswerKind = Literal["choice", "yes_no", "number", "point", "text", "actions", "problem", "atoms"]
Convention = Literal["unit_xy", "pixel_xy", "percent_xy", "per_mille_xy", "per_mille_yx"]
Outcome = Literal["answered", "unanswered", "ambiguous", "refused"]
Status = Literal["ok", "refused", "truncated", "infra_error"]


class GumptionError(Exception):
    """Bad input, said so that a person can mend it: where it is, what is wrong, what to do next."""

    def __init__(self, problem: str, *, where: str = "", remedy: str = "") -> None:
        self.problem, self.where, self.remedy = problem, where, remedy
        super().__init__(f"{where}: {problem}" if where else problem)


# ── what is asked ────────────────────────────────────────────────────────────────────────────────────


class Text(Struct, frozen=True, tag="text"):
    """A piece of the prompt."""

    text: str


class Image(Struct, frozen=True, tag="image"):
    """A picture, known by the SHA-256 of its bytes; the suite it stands in knows where the bytes are."""

    sha256: str
    media_type: str = "image/png"
    width: int = 0
    height: int = 0


class Video(Struct, frozen=True, tag="video"):
    """A clip, known by the SHA-256 of its bytes."""

    sha256: str
    media_type: str = "video/mp4"
    seconds: float | None = None


Part: TypeAlias = Text | Image | Video


class Answer(Struct, frozen=True):
    """What kind of answer an item wants and which one is right.

    `gold` by kind: choice, a letter of `choices`; yes_no, "yes" or "no"; number, a number; text, a string
    or a list of accepted strings; point, a region in pixels: {"box": [x0, y0, x1, y1]} (edges inside),
    {"polygon": [[x, y], ...]} or {"points": [[x, y], ...]} with `tolerance` as the radius; problem, the text
    of a PDDL problem; atoms and actions, the right reply as JSON, {KEY: [entry, ...]}: entries of atoms are
    judged one by one, a name in them stands as {"name": ...}, entries of actions are steps in their order.
    None means that no gold is known.
    """

    kind: AnswerKind
    gold: Any = None
    choices: dict[str, str] | None = None
    """Letter to option text, in the order shown. An empty text is an option known by its letter alone."""
    convention: Convention | None = None
    """How the model was told to write coordinates. Never inferred from a reply."""
    size: tuple[int, int] | None = None
    """Width and height in pixels of the picture that points refer to."""
    tolerance: float = 0.0
    """Absolute, in the unit of `gold`."""


class Item(Struct, frozen=True):
    """One question with everything needed to ask it, read the reply and score it."""

    id: str
    benchmark: str
    parts: tuple[Part, ...]
    answer: Answer
    cluster: str = ""
    """The scene, video or image it shares with other items: the unit of resampling. "" is its own."""
    category: str = ""
    dimension: str = ""
    meta: dict[str, Any] = field(default_factory=dict)


# ── what comes back ──────────────────────────────────────────────────────────────────────────────────


class Usage(Struct, frozen=True):
    """Tokens, where the server counted them."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None


Key: TypeAlias = tuple[str, int, str]
"""(item id, epoch, call): which question of which item, for the how-manieth time, a reply answers."""


class Reply(Struct, frozen=True, omit_defaults=True):
    """What a model said, untouched, and what became of the request. Keyed (item_id, epoch, call)."""

    item_id: str
    epoch: int = 0
    call: str = ""
    """Which question of the item's episode this answers; "" for the one question of a one-shot item."""
    model: str = ""
    status: Status = "ok"
    text: str = ""
    reasoning: str = ""
    """The server's separate reasoning content. Kept, never read."""
    finish_reason: str | None = None
    usage: Usage | None = None
    latency_s: float | None = None
    request_sha256: str = ""
    media_sha256: tuple[str, ...] = ()
    params: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    @property
    def key(self) -> Key:
        return self.item_id, self.epoch, self.call


class Reading(Struct, frozen=True):
    """What a reply settles on: the value, and the rule and the repairs that got it."""

    outcome: Outcome
    value: Any = None
    rule: str = ""
    repairs: tuple[str, ...] = ()


# ── what it is worth ─────────────────────────────────────────────────────────────────────────────────


class ErrorKind(StrEnum):
    """What a model gets wrong: the one taxonomy. What happens to a request is a status instead."""

    UNREADABLE = "unreadable"
    UNKNOWN_ACTION = "unknown_action"
    HALLUCINATED_OBJECT = "hallucinated_object"
    MISSING_OBJECT = "missing_object"
    WRONG_TYPE = "wrong_type"
    WRONG_ARITY = "wrong_arity"
    UNKNOWN_PREDICATE = "unknown_predicate"
    FALSE_ATOM = "false_atom"
    MISSING_ATOM = "missing_atom"
    MISSING_GOAL = "missing_goal"
    EXTRA_GOAL = "extra_goal"
    UNRESOLVED = "unresolved"
    AMBIGUOUS = "ambiguous"
    ABSENT_IN_SCENE = "absent_in_scene"
    AFFORDANCE = "affordance"
    WRONG_ORDER = "wrong_order"
    """Unmet now, true in an earlier state."""
    MISSING_STEP = "missing_step"
    """Unmet now, never true before."""
    REDUNDANT_STEP = "redundant_step"
    GOAL_UNREACHED = "goal_unreached"
    BUDGET_EXCEEDED = "budget_exceeded"


class Mistake(Struct, frozen=True):
    """One thing that an answer gets wrong."""

    kind: ErrorKind
    detail: str = ""
    step: int | None = None
    static: bool = False
    secondary: bool = False
    """It follows from an earlier mistake."""


class Score(Struct, frozen=True):
    """Worth of one answered item: `value` in [0, 1], or None when there is nothing to score."""

    value: float | None
    parts: dict[str, float] = field(default_factory=dict)
    errors: tuple[Mistake, ...] = ()
    reading: Reading | None = None
    """The reading the value rests on, where one reply decided."""
    for_people: bool = False
    """No rule gives this reply a value, people rate it. It is covered, and in no mean."""

    def __post_init__(self) -> None:
        if self.value is not None and not 0.0 <= self.value <= 1.0:
            raise ValueError(f"a score is in [0, 1] or None, not {self.value!r}")


Episode: TypeAlias = Generator[tuple[Item, ...], tuple[Reply, ...], Score]
"""Yields the questions to ask side by side, is sent their replies, returns the score. Deterministic."""


class Scored(Struct, frozen=True):
    """One row of `scores.parquet`: an item's score with the evidence behind it."""

    item_id: str
    epoch: int
    benchmark: str
    category: str
    dimension: str
    cluster: str
    kind: str
    value: float | None
    """None: nothing to score. Lowers coverage, never the mean. None with the status of a reply that came (ok,
    refused, truncated): people rate it, and it lowers nothing."""
    status: Literal["ok", "refused", "truncated", "infra_error", "diverged", "unscored"]
    """The request's status; `diverged`: a recorded reply is missing; `unscored`: no judge has come."""
    outcome: Outcome | Literal[""]
    chance: float
    """Expected score of guessing on this item."""
    rule: str = ""
    answer: str = ""
    """The reading's value as JSON, "" if there is none."""
    repairs: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    """The kind of each mistake."""
    details: tuple[str, ...] = ()
    """What each mistake is, for the first of them."""
    parts: dict[str, float] = field(default_factory=dict)


class Aggregate(Struct, frozen=True):
    """How item scores become one number: a weighted mean of stratum means.

    `by` names the column that makes the strata; "" is one stratum, the mean over items (micro).
    `weights` are relative weights of the strata by name; None weighs them equally.
    """

    name: str
    by: Literal["", "benchmark", "category", "dimension"] = ""
    weights: dict[str, float] | None = None
    part: str = ""
    """Which part of the scores is averaged, over the rows that have it; "" is the value itself. So an
    official rule can stand beside an honest one, and may leave rows out that the honest one counts."""


class StopRule(Struct, frozen=True, omit_defaults=True):
    """When a run may end before its last item, and in which order it asks. Budgets are over all models that
    are run together."""

    seed: int
    """Of the random order."""
    settled: bool = False
    """End for a model when all its pairs with the others are settled."""
    confidence: float = 0.95
    """That every verdict on a pair is right."""
    margin: float = 0.0
    """Models no further apart than this are settled as equal, in [0, 1)."""
    order: Literal["random", "information"] = "random"
    """information: items that earlier runs disagree on come first. Exploratory: no error rate can be told."""
    most_tokens: int | None = None
    """Question and reply; where the server does not count them, four characters are one."""
    most_cost: float | None = None
    prices: tuple[float, float] | None = None
    """Of a million tokens of questions and of replies, in the unit of `most_cost`."""
    most_seconds: float | None = None
    """Of one call: a run that is taken up starts anew."""
    against: tuple[str, ...] = ()
    """Earlier runs that the models are set beside, relative to the run folder."""


class Stopped(Struct, frozen=True):
    """Why and where a run ended before its last item."""

    reason: Literal["settled", "tokens", "cost", "time"]
    draws: int
    """Clusters that were asked."""
    asked: int
    """Items that were asked: what the run had planned up to here."""
    items: int
    """Of the whole suite."""
    verdicts: dict[str, str]
    """This model beside each other one: better, worse, equal or open."""
    at: str
    """When, ISO 8601."""

    @property
    def saved(self) -> float:
        """Share of the suite's items that were not asked."""
        return 1.0 - self.asked / self.items


class Interval(Struct, frozen=True):
    """A mean with its 95 % confidence interval (all None when nothing was scored)."""

    mean: float | None
    low: float | None
    high: float | None
    method: str = ""
    """How the interval was made: bootstrap, t, wilson, or confidence sequence (holds however a run ended)."""
    name: str = ""
    """Which aggregate this is: "micro", "macro over category", ..."""


class Slice(Struct, frozen=True):
    """One line of a scorecard: the whole run, a category, or a dimension."""

    name: str
    score: Interval
    """Mean over the scored items."""
    n: int
    """Scored."""
    planned: int
    coverage: float
    """(n + for_people) / planned."""
    bounds: tuple[float, float]
    """The mean if every unscored item were wrong, and if every one were right."""
    unread: float
    """Share of scored replies in which no answer was found."""
    ambiguous: float
    refused: float
    truncated: float
    chance: float
    """Expected mean of guessing."""
    adjusted: Interval
    """(mean - chance) / (1 - chance), with the interval's ends mapped the same way."""

    @property
    def for_people(self) -> int:
        """Replies that no rule scores, since people rate them."""
        return round(self.coverage * self.planned) - self.n


class SubScore(Struct, frozen=True):
    """The mean of one named part of the scores, over the scored rows that have it."""

    name: str
    score: Interval
    """Without an interval where the part is no share of something: a count, a length."""
    n: int


class Scorecard(Struct, frozen=True):
    """What a run showed."""

    benchmark: str
    model: str
    total: Slice
    official: Interval
    micro: Interval
    macro: Interval
    categories: tuple[Slice, ...]
    dimensions: tuple[Slice, ...]
    statuses: dict[str, int]
    """Rows by status."""
    outcomes: dict[str, int]
    """Scored rows by outcome."""
    further: tuple[Interval, ...] = ()
    """Other aggregates that the benchmark names."""
    parts: tuple[SubScore, ...] = ()
    failures: dict[str, int] = field(default_factory=dict)
    """Scored rows by the kind of their first mistake; later ones may only follow from it."""
    protocol: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    stopped: Stopped | None = None
    """Where the run ended before its last item, on purpose: what is planned ends there."""
