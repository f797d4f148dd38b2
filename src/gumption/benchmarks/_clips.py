"""Clips as models are shown them: frames taken evenly, or the clip itself where a server takes one.

How many frames there are and how they were taken stands in every item's `meta`, and in its protocol where
it is not what the authors do.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gumption.benchmarks._frames import count_at, frames_of
from gumption.benchmarks._hub import Shelf
from gumption.benchmarks._options import check_names, count_of, protocol_of
from gumption.records import GumptionError, Part, Text

__all__ = ["OPTIONS", "Showing"]

OPTIONS = ("frames", "shown")
_SHOWN = ("frames", "video")


@dataclass(frozen=True)
class Showing:
    """How clips are shown in one suite."""

    frames: int
    """Of each clip; 0 where they go by time, or where the clip itself is shown."""
    fps: int
    """Frames a second; 0 where their number is given, or where the clip itself is shown."""
    protocol: str
    """What differs from the usual way, "" where nothing does."""
    taken: dict[str, tuple[Part, ...]] = field(default_factory=dict, compare=False, repr=False)
    """What was shown of a clip before: many questions are about one."""

    @classmethod
    def told(
        cls,
        benchmark: str,
        options: Mapping[str, str],
        usual: int = 0,
        *,
        fps: int = 0,
        others: Collection[str] = (),
    ) -> Showing:
        """As `frames=N` or `shown=video` say, else the usual number of frames, or that many a second.

        others: options of the benchmark that are none of ours. Raises GumptionError for what they cannot say.
        """
        check_names(benchmark, options, (*OPTIONS, *others))
        shown, told = options.get("shown", "frames"), "frames" in options
        if shown not in _SHOWN or (shown == "video" and told):
            raise GumptionError(
                f"shown={shown}{', with frames' if told else ''}",
                where=benchmark,
                remedy="frames=N shows N frames, shown=video the clip itself",
            )
        if shown == "video":
            return cls(0, 0, protocol_of(shown="video"))
        if fps and not told:
            return cls(0, fps, "")
        frames = count_of(benchmark, options, "frames", usual or 8)
        return cls(frames, 0, protocol_of(frames=None if frames == usual else frames))

    def parts(self, shelf: Shelf, path: str | Path) -> tuple[Part, ...]:
        """What of the clip at `path` in the shelf's folder is shown."""
        if not self.frames and not self.fps:
            return (shelf.file(path),)
        if str(path) not in self.taken:
            count = self.frames or count_at(shelf.path(path), self.fps)
            self.taken[str(path)] = frames_of(shelf, path, count)
        return self.taken[str(path)]

    def words(self, question: str) -> Text:
        """The question, told of what the pictures before it are."""
        said = "The pictures are frames of one video, in order.\n" if self.frames or self.fps else ""
        return Text(said + question)

    @property
    def meta(self) -> dict[str, Any]:
        """How the clip was taken apart."""
        if self.fps:
            return {"sampling": f"{self.fps} frames a second, evenly, first and last frame in"}
        if not self.frames:
            return {"sampling": "the clip itself"}
        return {"frames": self.frames, "sampling": "evenly, first and last frame in"}
