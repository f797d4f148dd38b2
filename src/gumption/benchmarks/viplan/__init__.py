"""ViPlan: symbolic planning from what a model sees, the model as grounder or as planner.

Merler et al., "ViPlan: A Benchmark for Visual Planning with Symbolic Predicates and Vision-Language Models",
2025 (arXiv 2505.13180); github.com/merlerm/ViPlan, MIT. `grounder` and `planner` are the two protocols,
`blocksworld` and `household` the two domains, `recorded` scores logs of the release.
"""

from __future__ import annotations

from functools import partial

from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.viplan import grounder, planner, recorded
from gumption.benchmarks.viplan.blocksworld import BLOCKSWORLD, HOME, load_blocksworld
from gumption.benchmarks.viplan.household import HOUSEHOLD, load_household
from gumption.benchmarks.viplan.options import Options, options_of
from gumption.benchmarks.viplan.planning import MAX_EXPANSIONS
from gumption.records import Aggregate

__all__ = [
    "BLOCKSWORLD_GROUNDER",
    "BLOCKSWORLD_PLANNER",
    "HOUSEHOLD_GROUNDER",
    "HOUSEHOLD_PLANNER",
    "RECORDED",
]

_OFFICIAL = Aggregate("macro over the splits", by="category")
_N = "75 = 25 each of simple, medium and hard"
_GROUNDED = "yes or no 1/2 for each atom; a task is not solved by guessing"
_PLANNED = "0 % (plans are written, nothing is chosen)"

BLOCKSWORLD_GROUNDER = Benchmark(
    name="viplan-blocksworld",
    title="ViPlan Blocksworld, model as grounder",
    homepage=HOME,
    licence="MIT",
    rule="the goal holds in the simulator; tasks solved per split, unweighted mean over the three",
    official=_OFFICIAL,
    load=lambda data: load_blocksworld(data, "viplan-blocksworld", Options()),
    configure=lambda data, told: load_blocksworld(data, "viplan-blocksworld", options_of(told)),
    episode=partial(grounder.episode, scene=BLOCKSWORLD),
    version=f"1, planner astar {MAX_EXPANSIONS}",
    n=_N,
    chance=_GROUNDED,
    checked="two blocks worked by hand; oracles of known accuracy against the share of right atoms; a task "
    "of each split by a right and a wrong oracle",
)
BLOCKSWORLD_PLANNER = Benchmark(
    name="viplan-blocksworld-planner",
    title="ViPlan Blocksworld, model as planner",
    homepage=HOME,
    licence="MIT",
    rule="the goal holds in the simulator; tasks solved per split, unweighted mean over the three",
    official=_OFFICIAL,
    load=lambda data: load_blocksworld(data, "viplan-blocksworld-planner", Options()),
    configure=lambda data, told: load_blocksworld(data, "viplan-blocksworld-planner", options_of(told)),
    episode=partial(planner.episode, scene=BLOCKSWORLD),
    n=_N,
    chance=_PLANNED,
    checked="two blocks worked by hand; a task of each split by a right and a wrong oracle",
)
HOUSEHOLD_GROUNDER = Benchmark(
    name="viplan-household-symbolic",
    title="ViPlan Household in words, model as grounder (not comparable with published rates)",
    homepage=HOME,
    licence="MIT",
    rule="the goal holds in the PDDL world; tasks solved per split, unweighted mean over the three",
    official=_OFFICIAL,
    load=lambda data: load_household(data, "viplan-household-symbolic", Options()),
    configure=lambda data, told: load_household(data, "viplan-household-symbolic", options_of(told)),
    episode=partial(grounder.episode, scene=HOUSEHOLD),
    version=f"1, planner astar in turn {MAX_EXPANSIONS}",
    n=f"{_N}; 16 different scenes",
    chance=_GROUNDED,
    checked="right answers to all 16 scenes; a task of each split by a right and a wrong oracle",
)
HOUSEHOLD_PLANNER = Benchmark(
    name="viplan-household-symbolic-planner",
    title="ViPlan Household in words, model as planner (not comparable with published rates)",
    homepage=HOME,
    licence="MIT",
    rule="the goal holds in the PDDL world; tasks solved per split, unweighted mean over the three",
    official=_OFFICIAL,
    load=lambda data: load_household(data, "viplan-household-symbolic-planner", Options()),
    configure=lambda data, told: load_household(data, "viplan-household-symbolic-planner", options_of(told)),
    episode=partial(planner.episode, scene=HOUSEHOLD),
    n=f"{_N}; 16 different scenes",
    chance=_PLANNED,
    checked="plans in lists by hand; a task of each split by a right and a wrong oracle",
)
RECORDED = Benchmark(
    name="viplan-recorded",
    title="ViPlan, logs of the release",
    homepage=HOME,
    licence="MIT",
    rule="the goal holds in the simulator, for Household as its log says; tasks solved per split",
    official=_OFFICIAL,
    load=recorded.load,
    episode=recorded.episode,
    version="1, planner recorded",
    n="the tasks of the logs that are given",
    chance="not defined: what models answered is replayed",
    checked="the logged gold in every state of Blocksworld, the logged outcome in Household",
)
