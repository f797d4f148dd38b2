"""Which of our benchmarks a kit's data set is, told by its name in the kit."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Named", "benchmark_named"]

_FRAMES = r"(?:\d+frames?|[\d]+fps)?"
_SPLIT = r"(?:default|test|val|validation)?"
_NAMES = {
    "ai2d": rf"ai2d(?:test)?(?:nomask|lite)?{_SPLIT}",
    "blink": r"blink(?P<part>.*)",
    "cosmos-reason1": r"cosmosreason1(?:benchmark)?",
    "cv-bench": r"cvbench(?P<part>2d|3d)?",
    "egoplan": r"egoplan(?:bench)?",
    "egoplan2": r"egoplan(?:bench)?2",
    "egothink": r"egothink(?P<part>.*)",
    "embspatial": r"embspatial(?:bench)?(?P<part>.*)",
    "erqa": r"erqa(?P<part>.*)",
    "mm-ifeval": r"mmifeval",
    "mmmu": rf"mmmu(?:devval|{_SPLIT}|(?!pro)(?P<part>[a-z]+))",
    "mmstar": rf"mmstar{_SPLIT}",
    "ocrbench": r"ocrbench(?!v2|mini)(?P<part>.*)",
    "omnispatial": r"omnispatial(?:bench)?(?:test|default|manualcot|zeroshotcot)?",
    "openeqa": r"openeqa",
    "refspatial": r"refspatial(?:bench)?(?P<part>.*)",
    "robospatial": r"robospatial(?:home)?(?P<part>.*)",
    "robovqa": r"robovqa",
    "sat": r"sat(?:test|real)?",
    "spatialscore": r"spatialscore(?:hard)?",
    "viewspatial": r"viewspatial(?:bench)?",
    "vsi-bench": rf"vsibench(?:debiased|pruned)?(?:multiimage)?{_FRAMES}",
    "where2place": r"where2place(?:point)?",
}
"""Benchmark to its names in VLMEvalKit, lmms-eval, evalscope and Inspect, in small letters and digits alone.

`part`: kits that write a log for each part of a benchmark (a sub-task, 2D and 3D) append its name.
"""


class Named(NamedTuple):
    """A data set that is known: `part` is "" where it is the whole benchmark."""

    benchmark: str
    whole: str
    """The same for all parts of one data set."""
    part: str


def benchmark_named(dataset: str) -> Named | None:
    """The benchmark that a kit's data set of this name is; None where the name is not known.

    A set of which every question is asked in all rotations is another one and not known.
    """
    name = re.sub(r"[^a-z0-9]", "", dataset.lower())
    for benchmark, pattern in _NAMES.items():
        if found := re.fullmatch(pattern, name):
            part = found.groupdict().get("part") or ""
            if "circular" not in name:
                return Named(benchmark, name.removesuffix(part), part)
    return None
