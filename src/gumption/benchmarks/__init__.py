"""The benchmark library: one file a benchmark, loaded when it is named.

A benchmark file says where the data is, how an item is asked and scored, and how its authors make one number
of the scores. Nothing else knows anything about it.
"""

from gumption.benchmarks._circular import chance_of
from gumption.benchmarks.asking import Asking, read_prompts
from gumption.benchmarks.benchmark import Benchmark, one_shot
from gumption.benchmarks.prompts import PROMPT_VERSION, PROMPTS, prompted
from gumption.benchmarks.registry import (
    episode_of,
    further_of,
    get,
    names,
    official_of,
    open_benchmark,
    open_suite,
    repeats_of,
    versions_of,
)

__all__ = [
    "PROMPTS",
    "PROMPT_VERSION",
    "Asking",
    "Benchmark",
    "chance_of",
    "episode_of",
    "further_of",
    "get",
    "names",
    "official_of",
    "one_shot",
    "open_benchmark",
    "open_suite",
    "prompted",
    "read_prompts",
    "repeats_of",
    "versions_of",
]
