"""A run folder as a log that `inspect view` opens."""

from __future__ import annotations

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from gumption import __version__
from gumption.benchmarks import open_suite
from gumption.models.inspect import message_of
from gumption.models.replay import Replay
from gumption.records import GumptionError, Image, Item, Key, Reply, Status, Text, Video
from gumption.running import Run
from gumption.running.episodes import drive
from gumption.suites import Media

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessage, ModelOutput
    from inspect_ai.scorer import Score

__all__ = ["ITEM", "REPLIES", "SCORER", "about", "export", "score_of", "target_of"]

ITEM, REPLIES = "gumption_item", "gumption_replies"
"""Keys of a sample's metadata under which our logs carry the item and every reply of its episode."""
SCORER = "gumption"
_STOP: dict[Status, Literal["stop", "max_tokens", "content_filter", "unknown"]] = {
    "ok": "stop",
    "truncated": "max_tokens",
    "refused": "content_filter",
    "infra_error": "unknown",
}


def export(run_folder: Path, path: Path, *, pictures: bool = True) -> int:
    """Write a run as an Inspect log and return how many samples it has.

    path: ends in `.eval`, or in `.json` for a log that any editor opens. pictures: put the pictures into the
    log, where the suite is still there; otherwise their place is named. The whole log is held in memory.
    Raises GumptionError where inspect_ai is not installed, and where the run has no scores.
    """
    try:
        from inspect_ai.log import EvalLog, write_eval_log
    except ImportError as error:
        raise GumptionError(
            "a log for Inspect needs inspect_ai", where=str(path), remedy="pip install 'gumption[inspect]'"
        ) from error
    if path.suffix not in {".eval", ".json"}:
        raise GumptionError(
            "an Inspect log ends in .eval or .json", where=str(path), remedy="name it like run.eval"
        )
    run = Run.open(run_folder)
    items = {item.id: item for item in run.items()}
    rows = run.scores().to_pylist()
    replies: dict[tuple[str, int], list[Reply]] = defaultdict(list)
    for reply in run.replies():
        replies[reply.item_id, reply.epoch].append(reply)
    show = _shown(run, pictures)
    elsewhere = run.info.protocol.prompt == Replay.prompt
    samples = [
        _sample(items[row["item_id"]], row, replies[row["item_id"], row["epoch"]], show, elsewhere=elsewhere)
        for row in rows
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    log = EvalLog(
        status="success",
        eval=_spec(run, len(items)),
        results=_results(rows),
        samples=samples,
        stats=_stats(run),
    )
    write_eval_log(log, str(path))
    return len(samples)


def score_of(row: dict[str, Any]) -> Score:
    """A row of `scores.parquet` as a score of Inspect. One without a value is kept and never counted."""
    from inspect_ai.scorer import Score

    evidence = {
        "status": row["status"],
        "outcome": row["outcome"],
        "rule": row["rule"],
        "chance": row["chance"],
        "parts": dict(row["parts"]),
        "errors": list(row["errors"]),
    }
    fields: dict[str, Any] = {
        "answer": row["answer"],
        "explanation": "\n".join(row["details"])
        or f"{row['status']}, {row['outcome']} {row['rule']}".strip(),
        "metadata": evidence,
    }
    value = row["value"]
    return Score.unscored(reason=row["status"], **fields) if value is None else Score(value=value, **fields)


def _sample(
    item: Item,
    row: dict[str, Any],
    replies: Sequence[Reply],
    show: Callable[[Item], ChatMessage],
    *,
    elsewhere: bool,
) -> EvalSample:
    """elsewhere: the replies were asked for by another tool, so what was shown is not known but the item."""
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ChatMessageAssistant

    talk: list[tuple[Item | None, Reply | None]]
    if elsewhere:
        talk = [(item, None), *((None, reply) for reply in replies)]
    else:
        talk = list(asyncio.run(_talk(item, row["epoch"], replies)))
    messages: list[ChatMessage] = []
    for question, reply in talk:
        messages += [show(question)] if question else []
        messages += [ChatMessageAssistant(content=reply.text, model=reply.model)] if reply else []
    failed = next((reply.error for reply in replies if reply.status == "infra_error"), "")
    error = EvalError(message=failed, traceback="", traceback_ansi="") if failed else None
    return EvalSample(
        id=item.id,
        epoch=row["epoch"] + 1,
        input=messages[:1],
        choices=list((item.answer.choices or {}).values()) or None,
        target=target_of(item),
        messages=messages,
        output=_output(replies),
        scores={SCORER: score_of(row)},
        metadata={**about(item), REPLIES: msgspec.to_builtins(list(replies))},
        error=error,
    )


async def _talk(item: Item, epoch: int, replies: Sequence[Reply]) -> list[tuple[Item, Reply | None]]:
    """Every question of the item's episode as it was sent, with what was replied."""
    recorded = {reply.key: reply for reply in replies}
    talk: list[tuple[Item, Reply | None]] = []

    async def ask(question: Item, key: Key) -> Reply | None:
        talk.append((question, recorded.get(key)))
        return recorded.get(key)

    # The score stands in the run already: files that only scoring needs may be gone.
    with suppress(GumptionError):
        await drive(item, epoch, ask)
    return talk


def about(item: Item) -> dict[str, Any]:
    """The metadata of a sample: what it is grouped by, and the item itself."""
    return {
        "benchmark": item.benchmark,
        "category": item.category,
        "dimension": item.dimension,
        "cluster": item.cluster or item.id,
        ITEM: msgspec.to_builtins(item),
    }


def target_of(item: Item) -> str | list[str]:
    """The gold in words, for people to see beside the reply."""
    gold = item.answer.gold
    if isinstance(gold, str):
        return gold
    if isinstance(gold, list) and all(isinstance(one, str) for one in gold):
        return gold
    return "" if gold is None else msgspec.json.encode(gold).decode()


def _output(replies: Sequence[Reply]) -> ModelOutput:
    from inspect_ai.model import ModelOutput

    if not replies:
        return ModelOutput()
    last = replies[-1]
    return ModelOutput.from_content(
        last.model, last.text, stop_reason=_STOP[last.status], error=last.error or None
    )


def _shown(run: Run, pictures: bool) -> Callable[[Item], ChatMessage]:
    """How a question is shown: with the pictures that are there."""
    media = _media(run) if pictures else Media()

    def show(question: Item) -> ChatMessage:
        parts = [
            part if isinstance(part, Text) or part.sha256 in media else _named(part)
            for part in question.parts
        ]
        return message_of(msgspec.structs.replace(question, parts=tuple(parts) or (Text(""),)), media.read)

    return show


def _named(part: Image | Video) -> Text:
    return Text(f"[{part.media_type} {part.sha256[:12]}]")


def _media(run: Run) -> Media:
    try:
        return open_suite(*run.suite_address()).media
    except GumptionError:
        return Media()  # the suite has moved: its pictures are named by their hash instead


def _spec(run: Run, items: int) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalSpec

    info = run.info
    known_by = hashlib.sha256(msgspec.json.encode(info)).hexdigest()[:22]
    return EvalSpec(
        eval_id=known_by,
        run_id=known_by,
        task_id=known_by,
        created=info.created,
        task=f"gumption/{info.suite}",
        task_version=info.suite_version,
        model=info.model,
        dataset=EvalDataset(name=info.suite, samples=items),
        config=EvalConfig(epochs=info.protocol.epochs),
        packages={"gumption": __version__},
        metadata={"gumption": msgspec.to_builtins(info)},
    )


def _stats(run: Run) -> Any:
    from inspect_ai.log import EvalStats

    return EvalStats(started_at=run.info.created, completed_at=run.info.created)


def _results(rows: Sequence[dict[str, Any]]) -> Any:
    from inspect_ai.log import EvalMetric, EvalResults, EvalScore

    values = [row["value"] for row in rows if row["value"] is not None]
    metrics = {"mean": EvalMetric(name="mean", value=sum(values) / len(values))} if values else {}
    metrics["coverage"] = EvalMetric(name="coverage", value=len(values) / len(rows) if rows else 0.0)
    score = EvalScore(
        name=SCORER,
        scorer=SCORER,
        scored_samples=len(values),
        unscored_samples=len(rows) - len(values),
        metrics=metrics,
    )
    return EvalResults(total_samples=len(rows), completed_samples=len(values), scores=[score])
