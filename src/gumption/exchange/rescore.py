"""Old runs of other tools, scored again with our readers, beside what each tool made of the same replies."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from gumption.benchmarks import get
from gumption.exchange._aggregate import aggregated
from gumption.exchange._scored_as import KINDS, Set, sets_of
from gumption.exchange.log import KitLog
from gumption.models.replay import Replay, failure_by
from gumption.records import Aggregate, Item, Key, Reply
from gumption.running import Progress, Run, run
from gumption.suites import Rejected, Suite

__all__ = ["Moved", "Rescored", "Side", "rescore"]

_SAME = 1e-6
"""Scores that differ by less are the same: kits round."""
_EXCERPT = 400
"""Characters of a reply that stand beside an item that moved."""


class Moved(msgspec.Struct, frozen=True):
    """A reply that the kit and we make something else of."""

    item_id: str
    epoch: int
    model: str
    kit: float
    ours: float | None
    """By our reading. None where it is not scored here: a failed request, or a judge that is not there."""
    official: float | None
    """By the benchmark's official rule; None where the data set is of none, or the rule leaves it out."""
    kit_read: str
    read: str
    """What we read, as JSON."""
    rule: str
    outcome: str
    status: str
    gold: str
    """As JSON."""
    reply: str
    """How it ends, where the answer mostly stands."""
    where: str
    """File and row of the kit's log."""


class Side(msgspec.Struct, frozen=True):
    """One model: the kit's mean and ours, over the replies that both scored, and the official number."""

    model: str
    run: Run
    both: int
    kit: float | None
    ours: float | None
    """By our reading."""
    official: float | None
    """The benchmark's official aggregate by its official rule, over every reply that is scored here."""
    kit_rank: int
    rank: int
    """By the official number, where the data set is of a benchmark, else by our reading."""
    up: int
    """Replies that are worth more here (officially, where there is a rule) than to the kit."""
    down: int
    unscored: int
    """Replies that the kit scored and that are not scored here."""
    unjudged: int
    """Replies that the kit gives no score for."""

    @property
    def moved(self) -> int:
        return self.up + self.down + self.unscored


class Rescored(msgspec.Struct, frozen=True):
    """One data set of one kit, best model first."""

    kit: str
    dataset: str
    benchmark: str
    """Whose rules scored it; "" where each answer was scored by what kind it is."""
    rule: str
    """The official rule and aggregate in words, or ours."""
    sides: tuple[Side, ...]
    moved: Path
    """Every `Moved`, one JSON object a line."""
    rejected: tuple[Rejected, ...]
    notes: tuple[str, ...]


def rescore(
    logs: Iterable[KitLog],
    out: Path,
    *,
    benchmark: str = "",
    data: Path | None = None,
    infra_text: str | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> list[Rescored]:
    """Score the replies of logs again, each model's in a run folder `out/KIT-DATASET/MODEL`.

    A data set that is known as one of our benchmarks by its name is scored by that benchmark's official and
    honest rules, and its official aggregate is made; logs of its parts are taken together. benchmark: whose
    rules to use instead, as in `gumption run`, or "none". data: the folder with that benchmark's data, whose
    questions then stand in place of the logged ones. infra_text: replies in which this pattern is found are
    failed requests. progress: called with each model's name. Raises GumptionError where a folder holds
    another run, and where the benchmark that was named cannot score any of the rows.
    """
    told = failure_by(infra_text)
    return [
        _rescored(one, out / _named(f"{one.kit}-{one.dataset}"), told, progress)
        for one in sets_of(logs, benchmark, data)
    ]


def _rescored(
    one: Set,
    out: Path,
    told: Callable[[str], bool],
    progress: Callable[[str], Progress | None],
) -> Rescored:
    suite, logs, refused = _together(one.kit, one.dataset, one.logs)
    sides: list[Side] = []
    moved: list[Moved] = []
    for log in logs:
        replies: dict[Key, Reply] = {}
        for row in log.rows:
            replies |= {reply.key: _failed(reply, told) for reply in row.replies}
        epochs = 1 + max(key[1] for key in replies)
        # Another log of the same name is another run, and is not taken up where this one ended.
        digest = hashlib.sha256(msgspec.json.encode(list(replies.values()))).hexdigest()
        model = Replay(log.model, replies, f"{Path(log.file).name} {digest[:12]}")
        done = run(suite, model, out / _named(log.model), epochs=epochs, progress=progress(log.model))
        side, own = _compared(log, done, replies, one.benchmark)
        sides.append(side)
        moved += own
    out.mkdir(parents=True, exist_ok=True)
    (out / "moved.jsonl").write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in moved))
    kits = [side.kit for side in sides]
    ours = [side.official if one.benchmark else side.ours for side in sides]
    ranked = [
        msgspec.structs.replace(side, kit_rank=_rank(side.kit, kits), rank=_rank(worth, ours))
        for side, worth in zip(sides, ours, strict=True)
    ]
    return Rescored(
        one.kit,
        one.dataset,
        one.benchmark,
        _in_words(one.benchmark),
        tuple(sorted(ranked, key=lambda side: (side.rank, side.model))),
        out / "moved.jsonl",
        (*(row for log in logs for row in log.rejected), *one.rejected, *refused),
        tuple(dict.fromkeys((*one.notes, *(note for log in logs for note in log.notes)))),
    )


def _in_words(benchmark: str) -> str:
    if not benchmark:
        return KINDS
    found = get(benchmark)
    return f"{found.rule}; {found.official.name}"


def _together(kit: str, dataset: str, logs: Sequence[KitLog]) -> tuple[Suite, list[KitLog], list[Rejected]]:
    """Every question of these logs once, the logs without rows that tell one differently, and those rows."""
    items: dict[str, Item] = {}
    agreeing: list[KitLog] = []
    refused: list[Rejected] = []
    for log in logs:
        rows = []
        for number, row in enumerate(log.rows, 1):
            if items.setdefault(row.item.id, row.item).answer == row.item.answer:
                rows.append(row)
                continue
            problem = "another log has another right answer or other options for this question"
            remedy = "give logs of one version of the data set together"
            refused.append(Rejected(log.file, number, row.item.id, problem, remedy))
        if rows:
            agreeing.append(msgspec.structs.replace(log, rows=tuple(rows)))
    provenance = {"kit": kit, "logs": [Path(log.file).name for log in logs]}
    suite = Suite(f"{kit} {dataset}", "recorded", tuple(items.values()), provenance=provenance)
    return suite, agreeing, refused


def _failed(reply: Reply, told: Callable[[str], bool]) -> Reply:
    """The reply, or the failed request that its text tells of."""
    if reply.status == "infra_error" or not told(reply.text):
        return reply
    return msgspec.structs.replace(reply, status="infra_error", text="", error=reply.text)


def _compared(log: KitLog, done: Run, replies: dict[Key, Reply], benchmark: str) -> tuple[Side, list[Moved]]:
    scores = {(row["item_id"], row["epoch"]): row for row in done.scores().to_pylist()}
    rule = get(benchmark).official if benchmark else None
    kit: list[float] = []
    ours: list[float] = []
    moved: list[Moved] = []
    up = down = unscored = unjudged = 0
    for row in log.rows:
        score = scores[row.key]
        value = score["value"]
        official = None if rule is None else _by(rule, score)
        here = value if official is None or value is None else official
        if row.score is None:
            unjudged += 1
            continue
        if value is None:
            unscored += 1
        else:
            kit.append(row.score)
            ours.append(value)
            if abs(here - row.score) <= _SAME:
                continue
            up, down = up + (here > row.score), down + (here < row.score)
        last = replies[row.replies[-1].key]
        moved.append(
            Moved(
                item_id=row.item.id,
                epoch=score["epoch"],
                model=log.model,
                kit=row.score,
                ours=value,
                official=official,
                kit_read=row.read,
                read=score["answer"],
                rule=score["rule"],
                outcome=score["outcome"],
                status=score["status"],
                gold=msgspec.json.encode(row.item.answer.gold).decode(),
                reply=(last.text or last.error)[-_EXCERPT:],
                where=row.where,
            )
        )
    means = (_mean(kit), _mean(ours), _number(rule, scores.values()))
    return Side(log.model, done, len(kit), *means, 0, 0, up, down, unscored, unjudged), moved


def _number(rule: Aggregate | None, scores: Iterable[dict[str, Any]]) -> float | None:
    """The official aggregate over every row of scores."""
    if rule is None:
        return None
    return aggregated(rule, ((str(row[rule.by]) if rule.by else "", _by(rule, row)) for row in scores))


def _by(rule: Aggregate, score: dict[str, Any]) -> float | None:
    """What an aggregate counts of a row of scores."""
    return dict(score["parts"]).get(rule.part) if rule.part else score["value"]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _rank(mean: float | None, means: Sequence[float | None]) -> int:
    """1 + the number of models with a higher mean; those without one stand last."""
    known = [one for one in means if one is not None]
    return 1 + (len(known) if mean is None else sum(one > mean + _SAME for one in known))


def _named(name: str) -> str:
    """The name as a folder's name."""
    kept = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)
    return kept.strip(".-")[:120] or "unnamed"
