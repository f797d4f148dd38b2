"""A run folder as the report sees it."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from gumption.benchmarks import open_suite
from gumption.benchmarks.asking import asked
from gumption.models.replay import Replay
from gumption.ranking import scorecard
from gumption.records import GumptionError, Item, Reply
from gumption.running import Run
from gumption.suites import Media

__all__ = ["RecordedRun"]


class RecordedRun:
    """Items, replies and scores of a run; pictures from the suite that was asked, where it is still there."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.name = run.info.model
        self.scorecard = scorecard(run.folder)
        self.official = run.info.official
        self.media_problem = ""
        """Why the pictures cannot be shown, "" if they can."""
        self._media = self._open_media()

    def items(self) -> Iterable[Item]:
        """The items as they were shown to the model: in our words, another prompt's, or a file's.

        Bare where the replies were recorded elsewhere, as nobody knows then what was shown.
        """
        elsewhere = self._run.info.protocol.prompt == Replay.prompt
        return self._run.items() if elsewhere else map(asked, self._run.items())

    def replies(self) -> Iterable[Reply]:
        return self._run.replies()

    def scores(self) -> pa.Table:
        return self._run.scores()

    def media(self, sha256: str) -> bytes | None:
        return self._media.read(sha256) if sha256 in self._media else None

    def _open_media(self) -> Media:
        try:
            return open_suite(*self._run.suite_address()).media
        except GumptionError as error:
            self.media_problem = f"{error}; the suite was {self._run.info.suite_address}"
            return Media()
