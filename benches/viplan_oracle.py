"""All 75 tasks of ViPlan's Blocksworld, drawn, against baselines that are right with a known probability.

As theory has it: the atoms are right as often as the baseline is, a state of n atoms is right in full with
that probability to the power of n, and tasks fall much faster than atoms.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from benches._table import show
from benches.viplan_logs import rows_of
from gumption.benchmarks import open_suite
from gumption.benchmarks.viplan.figures import figures
from gumption.benchmarks.viplan.world import read_world
from gumption.models.baseline import Oracle
from gumption.running import Run, run

ACCURACIES = (1.0, 0.995, 0.99, 0.98, 0.95, 0.9, 0.8)


def main() -> None:
    data = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or "../shared/data")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("viplan-blocksworld", "viplan-blocksworld-planner"):
            suite = open_suite(name, data)
            sizes = [len(read_world(item).atoms) for item in suite.items]
            table = []
            for accuracy in ACCURACIES:
                start = time.perf_counter()
                done = run(suite, Oracle(accuracy), Path(folder) / f"{name}-{accuracy}")
                seconds = time.perf_counter() - start
                found = figures(rows_of(done))
                row = [f"{accuracy:g}", f"{found['task_accuracy']:.3f}", *_by_split(done)]
                if name == "viplan-blocksworld":
                    row += [
                        f"{found['predicate_accuracy']:.4f}",
                        f"{found['f1']:.3f}",
                        f"{found['f1_without_static']:.3f}",
                        f"{found['exact_states']:.0f}",
                        f"{sum(accuracy**size for size in sizes):.1f}",
                    ]
                table.append([*row, f"{found['action_accuracy']:.3f}", f"{seconds:.0f} s"])
            header = ["oracle", "tasks solved", "simple", "medium", "hard"]
            if name == "viplan-blocksworld":
                header += ["atoms right", "F1", "F1 without static", "exact states", "expected"]
            show(name, (*header, "actions right", "time"), table)
            print()


def _by_split(done: Run) -> list[str]:
    table = done.scores()
    pairs = zip(table.column("category").to_pylist(), table.column("value").to_pylist(), strict=True)
    values: dict[str, list[float]] = {}
    for split, value in pairs:
        values.setdefault(split, []).append(value)
    return [f"{sum(one) / len(one):.2f}" for one in values.values()]


if __name__ == "__main__":
    main()
