"""Every benchmark and suite as a task of Inspect: `inspect eval gumption/tabletop --model PROVIDER/NAME`.

Inspect finds this module by the package's entry point. Inspect asks, repeats what failed and keeps the log;
the episode of the benchmark decides what is asked and what it is worth, so that the score is the one of
`gumption run`. Questions to a judge go to the model role `grader` and to nothing else: without one they stay
unscored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageUser,
    ContentImage,
    ContentText,
    Model,
    get_model,
    model_roles,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from gumption.benchmarks import names, official_of, open_suite, versions_of
from gumption.benchmarks.asking import asked as shown
from gumption.exchange._aggregate import aggregated
from gumption.exchange._inspect_export import ITEM, REPLIES, SCORER, about, score_of, target_of
from gumption.models.inspect import message_of, reply_of
from gumption.records import Aggregate, GumptionError, Image, Item, Key, Reply, Text
from gumption.running.episodes import drive, is_judge
from gumption.suites import Media, Suite

__all__ = ["GRADER", "TASKS", "suite"]

GRADER = "grader"
"""The model role that marks free answers: `--model-role grader=PROVIDER/NAME`."""


def _benchmark(name: str) -> Callable[..., Task]:
    """The task of a benchmark. Its name has underscores, as names of tasks do."""

    def make(data: str | None = None, options: str = "") -> Task:
        """data: the folder with the benchmark's data. options: as in `gumption run NAME:OPTION=VALUE`."""
        return _opened(f"{name}:{options}" if options else name, Path(data) if data else None)

    made: Callable[..., Task] = task(name=name.replace("-", "_"))(make)
    return made


def _suite(path: str) -> Task:
    """path: a suite folder, a .tsv or a .jsonl file of questions."""
    return _opened(path, None)


def _opened(address: str, data: Path | None) -> Task:
    try:
        return _task(open_suite(address, data))
    except GumptionError as error:
        error.add_note(f"To mend it: {error.remedy}")  # Inspect prints the error and its notes
        raise


def _task(asked: Suite) -> Task:
    aggregate = asked.official or official_of(asked.items) or Aggregate("micro")
    return Task(
        dataset=MemoryDataset([_sample(item, asked.media) for item in asked.items], name=asked.name),
        solver=drive_episode(asked.media),
        scorer=score_episode(),
        metrics=[
            mean(),
            stderr(cluster="cluster"),
            official(aggregate.by, aggregate.weights, aggregate.part),
        ],
        version=asked.version,
        metadata={
            "suite": asked.checksum,
            "benchmarks": versions_of(asked.items),
            "official": aggregate.name,
        },
    )


def _sample(item: Item, media: Media) -> Sample:
    """The item as Inspect shows it before it is asked; pictures by their path, loaded when needed."""
    content: list[Any] = []
    for part in shown(item).parts:
        path = None if isinstance(part, Text) else media.path(part.sha256)
        if isinstance(part, Image) and path:
            content.append(ContentImage(image=str(path)))
        else:
            content.append(ContentText(text=part.text if isinstance(part, Text) else part.media_type))
    return Sample(
        id=item.id,
        input=[ChatMessageUser(content=content)],
        target=target_of(item),
        metadata=about(item),
    )


def _drive_episode(media: Media) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - an episode asks itself
        item = msgspec.convert(state.metadata[ITEM], Item)
        said: dict[Key, tuple[list[ChatMessage], Reply]] = {}

        async def ask(question: Item, key: Key) -> Reply | None:
            model = _grader() if is_judge(key[2]) else get_model()
            if model is None:
                return None
            message = message_of(question, media.read)
            output = await model.generate([message])
            reply = reply_of(output, key, str(model))
            if reply.status == "infra_error":
                raise RuntimeError(reply.error)  # a failed sample of Inspect, which may ask it again
            if not is_judge(key[2]):
                state.output = output
            said[key] = [message, output.message], reply
            return reply

        await drive(item, state.epoch - 1, ask)
        state.messages = [message for messages, _ in said.values() for message in messages]
        state.metadata[REPLIES] = msgspec.to_builtins([reply for _, reply in said.values()])
        state.completed = True
        return state

    return solve


def _grader() -> Model | None:
    found = model_roles().get(GRADER)
    return found[0] if isinstance(found, list) else found


def _score_episode() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001 - the item has its gold
        """The episode again, on the replies that were kept: so `inspect score` reads them anew."""
        item = msgspec.convert(state.metadata[ITEM], Item)
        kept = msgspec.convert(state.metadata.get(REPLIES, []), list[Reply])
        replies = {reply.key: reply for reply in kept}

        async def recorded(question: Item, key: Key) -> Reply | None:  # noqa: ARG001
            return replies.get(key)

        return score_of(msgspec.to_builtins(await drive(item, state.epoch - 1, recorded)))

    return score


def _stratum_and_value(rule: Aggregate, one: SampleScore) -> tuple[str, float | None]:
    stratum = str((one.sample_metadata or {}).get(rule.by, "")) if rule.by else ""
    parts: dict[str, float] = (one.score.metadata or {}).get("parts", {})
    return stratum, parts.get(rule.part) if rule.part else one.score.as_float()


def _official(by: Any, weights: dict[str, float] | None, part: str) -> Metric:
    """The benchmark's official aggregate: a weighted mean of stratum means, see `records.Aggregate`."""
    rule = Aggregate("official", by, weights, part)

    def aggregate(scores: Sequence[SampleScore]) -> float:
        mean = aggregated(rule, (_stratum_and_value(rule, one) for one in scores))
        return float("nan") if mean is None else mean

    return aggregate


drive_episode: Callable[[Media], Solver] = solver(name="drive_episode")(_drive_episode)
score_episode: Callable[[], Scorer] = scorer(metrics=[mean()], name=SCORER)(_score_episode)
official: Callable[..., Metric] = metric(name="official")(_official)
suite: Callable[..., Task] = task(name="suite")(_suite)
TASKS: dict[str, Callable[..., Task]] = {name: _benchmark(name) for name in names()}
