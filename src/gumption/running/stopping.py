"""Runs that end before their last item: the models of a suite are asked in step, in random order, until what
one wanted to know is settled or a budget is used up.

After each round of draws every model that is still asked is looked at. When a round ends is a matter of
counts, so a run that is taken up on its recorded replies comes to the same rounds and the same end; only a
budget of time depends on the clock. The statistics are given by the caller: this room only asks.
"""

from __future__ import annotations

import asyncio
import datetime
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from gumption.benchmarks import Asking
from gumption.models import Model
from gumption.records import GumptionError, Item, Key, Reply, Scored, Stopped, StopRule
from gumption.running._asking import Asker, settled
from gumption.running._earlier import Earlier, information, read_earlier
from gumption.running._rounds import item_values, rounds
from gumption.running._writing import Writer
from gumption.running.budget import tokens_of
from gumption.running.cache import ReplyCache
from gumption.running.run import describe
from gumption.running.scores import write_scores
from gumption.running.shard import Progress, drive_rows, rows_of
from gumption.running.store import Run
from gumption.suites import Suite
from gumption.suites.drawing import Drawing, draw

__all__ = ["Settle", "Verdicts", "run_until"]

Floats = npt.NDArray[np.float64]
Reason = Literal["settled", "tokens", "cost", "time"]


class Verdicts(Protocol):
    """What is settled so far."""

    def needs(self, model: str) -> bool:
        """Whether something about the model is open."""

    def of(self, model: str) -> dict[str, str]:
        """The model beside each other one: better, worse, equal or open."""


Settle = Callable[[Floats, Drawing, Sequence[int], Sequence[str]], Verdicts]
"""From models x items scores (NaN where there is none), the drawing, the draws that each model was asked, and
the names: earlier runs first."""


def run_until(
    suite: Suite,
    models: Sequence[Model],
    folders: Sequence[Path],
    rule: StopRule,
    settle: Settle,
    *,
    against: Sequence[Path] = (),
    judge: Model | None = None,
    address: str = "",
    data: Path | None = None,
    asking: Asking | None = None,
    epochs: int = 1,
    concurrency: int = 16,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[Run]:
    """Ask `models`, each with its run folder, in step until `rule` says that it is enough.

    against: runs that were made before, of the same protocol. concurrency: requests under way at once for
    each model. The others as for `run`. A run that ends early says so in `run.json`, under `stopped_early`;
    one that is started again, under this rule or another of the same order, goes on where it was.

    Raises GumptionError where a folder holds something else or another order, an earlier run does not fit,
    two models share a name, or there is nothing to settle between.
    """
    asking = asking or Asking()
    items = asking.applied(suite.items)
    infos = [
        describe(
            suite, items, model, out, judge=judge, address=address, data=data, asking=asking, epochs=epochs
        )
        for model, out in zip(models, folders, strict=True)
    ]
    earlier = [read_earlier(folder, infos[0], items, rule) for folder in against]
    names = [*(run.name for run in earlier), *(model.name for model in models)]
    _check(rule, names)
    priority = information(earlier) if rule.order == "information" else None
    drawing = draw(items, infos[0].official, rule.seed, priority=priority)
    with ExitStack() as stack:
        asked = []
        for model, out, info in zip(models, folders, infos, strict=True):
            model.prepare(items)
            kept = msgspec.structs.replace(
                rule, against=tuple(os.path.relpath(folder, out) for folder in against)
            )
            _check_order(out, kept)
            record, part = stack.enter_context(
                Run.taken(out, msgspec.structs.replace(info, stop=kept), items)
            )
            writer = stack.enter_context(Writer(part))
            asked.append(_Asked(model, record, writer))
        replies = stack.enter_context(ReplyCache(cache)) if cache else None
        session = _Session(items, drawing, epochs, rule, settle, earlier, asked, names)
        asyncio.run(session.ask(suite, judge, concurrency, replies, progress))
        for one in asked:
            one.finish(session)
    return [one.record for one in asked]


@dataclass
class _Asked:
    """One model while it is asked."""

    model: Model
    record: Run
    writer: Writer
    rows: list[Scored] = field(default_factory=list)
    draws: int = 0
    reason: Reason | None = None
    problems: dict[str, int] = field(default_factory=dict)

    def finish(self, session: _Session) -> None:
        """Write the scores, and in run.json that and why the run ended early, if it did."""
        info = self.record.info
        numbers = session.drawing.items(0, self.draws)
        stopped = None
        if self.reason is not None and len(numbers) < len(session.items):
            stopped = Stopped(
                reason=self.reason,
                draws=self.draws,
                asked=len(numbers),
                items=len(session.items),
                verdicts=session.verdicts.of(self.model.name) if session.verdicts else {},
                at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            )
        write_scores(self.record.folder / "scores.parquet", self.rows)
        self.record.write_info(msgspec.structs.replace(info, stopped_early=stopped))
        self.record.problems = self.problems


@dataclass
class _Session:
    """All models of one call, and what they have spent together."""

    items: Sequence[Item]
    drawing: Drawing
    epochs: int
    rule: StopRule
    settle: Settle
    earlier: Sequence[Earlier]
    asked: Sequence[_Asked]
    names: Sequence[str]
    tokens: float = 0.0
    cost: float = 0.0
    verdicts: Verdicts | None = None

    async def ask(
        self,
        suite: Suite,
        judge: Model | None,
        concurrency: int,
        cache: ReplyCache | None,
        progress: Progress | None,
    ) -> None:
        """Round after round, until every model has a reason to end or the suite is at its end."""
        start = time.monotonic()
        askers = [
            Asker(
                _usable(one.record),
                model=one.model,
                judge=judge,
                writer=one.writer,
                media=suite.media.read,
                cache=cache,
                concurrency=concurrency,
            )
            for one in self.asked
        ]
        values = np.full((len(self.names), len(self.items)), np.nan)
        for row, run in enumerate(self.earlier):
            values[row] = run.values
        try:
            for first, last in rounds(self.drawing):
                numbers = self.drawing.items(first, last)
                going = [place for place, one in enumerate(self.asked) if one.reason is None]
                if not going:
                    break
                async with asyncio.TaskGroup() as group:
                    for place in going:
                        group.create_task(self._round(place, numbers, askers[place], concurrency, progress))
                for place in going:
                    one = self.asked[place]
                    one.draws = last
                    by_item = item_values(one.rows[-len(numbers) * self.epochs :], self.epochs, self._part)
                    values[len(self.earlier) + place, numbers] = by_item
                self._look(values, time.monotonic() - start)
        except ExceptionGroup as group_error:
            # The first failure is the reason; the other models were stopped because of it.
            raise group_error.exceptions[0] from None
        finally:
            for model in (*(one.model for one in self.asked), *([judge] if judge else ())):
                await model.close()
        for one, asker in zip(self.asked, askers, strict=True):
            one.problems = dict(asker.problems.most_common())

    async def _round(
        self, place: int, numbers: Sequence[int], asker: Asker, workers: int, progress: Progress | None
    ) -> None:
        async def metered(question: Item, key: Key) -> Reply | None:
            reply = await asker(question, key)
            if reply is not None:
                self._spend(question, reply)
            return reply

        def told(done: int, _: int) -> None:
            if progress:
                before = sum(len(one.rows) for one in self.asked)
                progress(before + done, len(self.asked) * len(self.items) * self.epochs)

        rows = rows_of(numbers, len(self.items), self.epochs)
        self.asked[place].rows += await drive_rows(rows, self.items, metered, workers, told)

    def _spend(self, question: Item, reply: Reply) -> None:
        into, out = tokens_of(question, reply)
        self.tokens += into + out
        if self.rule.prices is not None:
            self.cost += (into * self.rule.prices[0] + out * self.rule.prices[1]) / 1e6

    def _look(self, values: Floats, seconds: float) -> None:
        """Give each model that is enough its reason to end."""
        rule = self.rule
        spent: tuple[tuple[Reason, float, float | None], ...] = (
            ("tokens", self.tokens, rule.most_tokens),
            ("cost", self.cost, rule.most_cost),
            ("time", seconds, rule.most_seconds),
        )
        drawn = [*(run.draws for run in self.earlier), *(one.draws for one in self.asked)]
        if len(self.names) > 1:
            self.verdicts = self.settle(values, self.drawing, drawn, self.names)
        for one in self.asked:
            if one.reason is None:
                over = [name for name, used, most in spent if most is not None and used >= most]
                settled_now = rule.settled and self.verdicts and not self.verdicts.needs(one.model.name)
                one.reason = "settled" if settled_now else over[0] if over else None

    @property
    def _part(self) -> str:
        official = self.asked[0].record.info.official
        return official.part if official else ""


def _usable(record: Run) -> Mapping[Key, Reply]:
    """What need not be asked again."""
    return {key: reply for key, reply in settled(record.replies()).items() if reply.status != "infra_error"}


def _check(rule: StopRule, names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise GumptionError(f"two models are called {twice[0]}", remedy="name each model once")
    if rule.settled and len(names) < 2:
        raise GumptionError(
            "one model alone: there is nothing to settle",
            where="--stop-when settled",
            remedy="name another --model, or an earlier run with --against",
        )


def _check_order(folder: Path, rule: StopRule) -> None:
    """The replies of a folder may only be taken up in the order in which they were asked for."""
    if not (folder / "run.json").exists():
        return
    before = Run.open(folder).info.stop
    if before is not None and (before.seed, before.order) != (rule.seed, rule.order):
        raise GumptionError(
            f"the folder's items were drawn in {before.order} order of seed {before.seed}",
            where=str(folder),
            remedy=f"give --seed {before.seed} --order {before.order}, or another folder with --out",
        )
