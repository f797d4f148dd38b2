"""Reading and validating against unified-planning: the verdicts, and the time both take. Reading 4 MB.

Needs unified-planning (extra `test`) and the public data.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import median
from typing import Any

from benches import _unified_planning
from benches._mutations import DOMAINS, PUBLIC, Plan, Task, gold_tasks, mutated
from benches._table import show
from gumption.grounding import read_domain, read_problem, validate

MUTATED = 70
"""Plans made from the plans of each of the 151 problems."""
TIMED = 3
EVERY = 5
"""For the times, of every fifth problem, and of fewer plans: unified-planning takes most of it."""
_DOMAIN = "(define (domain d) (:types block) (:predicates (on ?x ?y - block)))"


def main() -> None:
    if not PUBLIC.is_dir():
        print(f"Reading and validating: no public data at {PUBLIC}")
        return
    tasks = list(gold_tasks())
    _times(tasks[::EVERY])
    print()
    _verdicts(tasks)
    print()
    _four_megabytes()


def _plans(task: Task, count: int) -> list[Plan]:
    domain, problem = task.read()
    plans = task.plans()
    made = [mutated(plans[i % len(plans)], domain, problem, f"{task.path.name} {i}") for i in range(count)]
    return plans + made


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _times(tasks: list[Task]) -> None:
    """Read both texts and validate, every time anew: for each plan the best of three times."""
    spent: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for task in tasks:
        text = task.text

        def ours(plan: Plan, faults: Any, task: Task = task, text: str = text) -> bool:
            domain = read_domain(task.domain_text)
            problem = read_problem(text, domain).problem
            assert problem is not None
            return validate(domain, problem, plan, faults=faults).valid

        def theirs(plan: Plan, task: Task = task, text: str = text) -> bool:
            return _unified_planning.validate(_unified_planning.read(task.domain_text, text), plan)

        for plan in _plans(task, TIMED):
            first = min(_seconds(partial(ours, plan, "first")) for _ in range(3))
            every = min(_seconds(partial(ours, plan, "all")) for _ in range(3))
            other = min(_seconds(partial(theirs, plan)) for _ in range(3))
            spent[task.domain_name].append((first, every, other))
    rows = []
    for name in DOMAINS:
        first, every, other = (median(column) for column in zip(*spent[name], strict=True))
        rows.append(_row(name, len(spent[name]), first, every, other))
    everything = [times for column in spent.values() for times in column]
    first, every, other = (sum(column) for column in zip(*everything, strict=True))
    rows.append(_row("all (sums)", len(everything), first, every, other))
    show(
        "Read and validate against unified-planning 1.3 (medians)",
        ("domain", "plans", "verdict only", "all faults", "unified-planning", "ratio", "ratio, all faults"),
        rows,
    )


def _row(name: str, count: int, first: float, every: float, other: float) -> tuple[str, ...]:
    times = (f"{1000 * seconds:.2f} ms" for seconds in (first, every, other))
    return (name, str(count), *times, f"{other / first:.0f}", f"{other / every:.0f}")


def _verdicts(tasks: list[Task]) -> None:
    counts: dict[str, Counter[str]] = {name: Counter() for name in DOMAINS}
    with ProcessPoolExecutor() as pool:
        for task, count in zip(tasks, pool.map(_compare, tasks, chunksize=4), strict=True):
            counts[task.domain_name] += count
    rows = [
        (name, f"{count.total():,}", f"{count['valid']:,}", f"{count['different']:,}")
        for name, count in (*counts.items(), ("all", sum(counts.values(), Counter())))
    ]
    show("Verdicts on mutated plans", ("domain", "plans", "valid", "unlike unified-planning"), rows)


def _compare(task: Task) -> Counter[str]:
    domain, problem = task.read()
    other = _unified_planning.read(task.domain_text, task.text)
    count: Counter[str] = Counter()
    for plan in _plans(task, MUTATED):
        valid = validate(domain, problem, plan).valid
        same = valid == _unified_planning.validate(other, plan)
        count["different" if not same else "valid" if valid else "invalid"] += 1
    return count


def _four_megabytes() -> None:
    domain = read_domain(_DOMAIN)
    names = " ".join(f"b{number}" for number in range(20_000))
    rows = []
    for what, atom in {
        "the same atom again and again": "(on b1 b2)",
        "always another atom": "(on b{} b{})",
        "a finding in every line": "(on b1 c{0}_{1})",
    }.items():
        pieces = [f"(define (problem p) (:domain d) (:objects {names} - block) (:init "]
        size, number = len(pieces[0]), 0
        while size < 4 * 1024**2 - 100:
            pieces.append(f"{atom.format(number % 20_000, number % 19_997)}\n")
            size, number = size + len(pieces[-1]), number + 1
        text = "".join((*pieces, ") (:goal (on b1 z)))"))
        seconds = min(_seconds(partial(read_problem, text, domain)) for _ in range(3))
        findings = len(read_problem(text, domain).errors)
        rows.append((what, f"{len(text) / 1024**2:.2f} MB", f"{findings:,}", f"{seconds:.2f} s"))
    show(
        "Reading one long problem, with the place of every finding",
        ("text", "size", "findings", "time"),
        rows,
    )
