"""Old runs of other tools, scored again with our readers, beside what each tool made of the same replies."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from gumption.exchange.log import KitLog
from gumption.models.replay import Replay
from gumption.records import GumptionError, Item, Key, Reply
from gumption.running import Progress, Run, run
from gumption.suites import Rejected, Suite

__all__ = ["Moved", "Rescored", "Side", "rescore"]

_SAME = 1e-6
"""Scores that differ by less are the same: kits round."""
_EXCERPT = 400
"""Characters of a reply that stand beside an item that moved."""
_PATTERN_WINDOW = 4096
"""Characters of a reply in which a failure pattern is looked for."""


class Moved(msgspec.Struct, frozen=True):
    """A reply that the kit and we make something else of."""

    item_id: str
    epoch: int
    model: str
    kit: float
    ours: float | None
    """None where it is not scored here: a failed request, or a benchmark without its judge."""
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
    """One model: the kit's mean and ours, over the replies that both scored."""

    model: str
    run: Run
    both: int
    kit: float | None
    ours: float | None
    kit_rank: int
    rank: int
    up: int
    """Replies that are worth more here than to the kit."""
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
    sides: tuple[Side, ...]
    moved: Path
    """Every `Moved`, one JSON object a line."""
    rejected: tuple[Rejected, ...]
    notes: tuple[str, ...]


def rescore(
    logs: Iterable[KitLog],
    out: Path,
    *,
    infra_text: str | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> list[Rescored]:
    """Score the replies of logs again, each model's in a run folder `out/KIT-DATASET/MODEL`.

    infra_text: replies in which this pattern is found are failed requests. progress: called with each model's
    name. Raises GumptionError where a folder holds another run.
    """
    together: dict[tuple[str, str], list[KitLog]] = defaultdict(list)
    for log in logs:
        together[log.kit, log.dataset].append(log)
    return [
        _rescored(kit, dataset, same, out / _named(f"{kit}-{dataset}"), _pattern(infra_text), progress)
        for (kit, dataset), same in together.items()
    ]


def _rescored(
    kit: str,
    dataset: str,
    logs: Sequence[KitLog],
    out: Path,
    failure: re.Pattern[str] | None,
    progress: Callable[[str], Progress | None],
) -> Rescored:
    suite, logs, refused = _together(kit, dataset, logs)
    sides: list[Side] = []
    moved: list[Moved] = []
    for log in logs:
        replies: dict[Key, Reply] = {}
        for row in log.rows:
            replies |= {reply.key: _failed(reply, failure) for reply in row.replies}
        epochs = 1 + max(key[1] for key in replies)
        # Another log of the same name is another run, and is not taken up where this one ended.
        digest = hashlib.sha256(msgspec.json.encode(list(replies.values()))).hexdigest()
        model = Replay(log.model, replies, f"{Path(log.file).name} {digest[:12]}")
        done = run(suite, model, out / _named(log.model), epochs=epochs, progress=progress(log.model))
        side, own = _compared(log, done, replies)
        sides.append(side)
        moved += own
    out.mkdir(parents=True, exist_ok=True)
    (out / "moved.jsonl").write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in moved))
    kits, ours = [side.kit for side in sides], [side.ours for side in sides]
    ranked = [
        msgspec.structs.replace(side, kit_rank=_rank(side.kit, kits), rank=_rank(side.ours, ours))
        for side in sides
    ]
    return Rescored(
        kit,
        dataset,
        tuple(sorted(ranked, key=lambda side: (side.rank, side.model))),
        out / "moved.jsonl",
        (*(row for log in logs for row in log.rejected), *refused),
        tuple(dict.fromkeys(note for log in logs for note in log.notes)),
    )


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


def _failed(reply: Reply, failure: re.Pattern[str] | None) -> Reply:
    """The reply, or the failed request that its text tells of."""
    if failure is None or reply.status == "infra_error" or not failure.search(reply.text[:_PATTERN_WINDOW]):
        return reply
    return msgspec.structs.replace(reply, status="infra_error", text="", error=reply.text)


def _pattern(text: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(text) if text else None
    except re.error as error:
        raise GumptionError(
            f"--infra-text {text!r} is not a regular expression: {error}", remedy="mend it"
        ) from error


def _compared(log: KitLog, done: Run, replies: dict[Key, Reply]) -> tuple[Side, list[Moved]]:
    scores = {(row["item_id"], row["epoch"]): row for row in done.scores().to_pylist()}
    kit: list[float] = []
    ours: list[float] = []
    moved: list[Moved] = []
    up = down = unscored = unjudged = 0
    for row in log.rows:
        score = scores[row.key]
        value = score["value"]
        if row.score is None:
            unjudged += 1
            continue
        if value is None:
            unscored += 1
        else:
            kit.append(row.score)
            ours.append(value)
            if abs(value - row.score) <= _SAME:
                continue
            up, down = up + (value > row.score), down + (value < row.score)
        last = replies[row.replies[-1].key]
        moved.append(
            Moved(
                item_id=row.item.id,
                epoch=score["epoch"],
                model=log.model,
                kit=row.score,
                ours=value,
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
    side = Side(log.model, done, len(kit), _mean(kit), _mean(ours), 0, 0, up, down, unscored, unjudged)
    return side, moved


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
