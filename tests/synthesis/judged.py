"""What the offline scorer makes of the replies of small folders, beside what a reader would say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent
from typing import Any

from other_rules import Other

from gumption.synthesis import Limits, run_sandboxed
from gumption.synthesis.codegen import write_pipeline
from gumption.synthesis.contract import Verdict, rows_of, verdicts_of
from gumption.synthesis.folder import inspect_folder
from gumption.synthesis.offline.scorer import OfflineScorer
from gumption.synthesis.sandbox.mechanisms import in_force
from gumption.synthesis.spec import Spec

SCORING = ("gumption", "msgspec", "numpy")
Worths = dict[tuple[str, str], float | None]


def judged(kinds: Mapping[str, Other], root: Path) -> dict[str, Worths]:
    """The score of each (item, reply) of each kind. A kind whose scoring is not proposed is left out."""
    root.chmod(0o755)  # the sandbox reads as another user
    specs = []
    for name, kind in kinds.items():
        found = OfflineScorer().propose(inspect_folder(kind.write(root / name)), kind.loading, kind.asking)
        if found.scoring is not None:
            specs.append(Spec(name, found.loading, kind.asking, found.scoring, found.doubts))
    asked = {spec.name: [(id, reply) for id, reply, _ in kinds[spec.name].replies] for spec in specs}
    marked = verdicts(specs, asked, root)
    return {
        name: {pair: one.score for pair, one in zip(pairs, marked[name], strict=True)}
        for name, pairs in asked.items()
    }


def verdicts(
    specs: Sequence[Spec], asked: Mapping[str, Sequence[tuple[Any, str]]], root: Path
) -> dict[str, list[Verdict]]:
    """What the pipelines make of (item, reply) where hostile code runs: two calls for all, to save time.

    specs: each of the folder of its name in `root`.
    """
    codes = [indent(write_pipeline(spec), "    ") for spec in specs]
    code = "\n".join(f"def made_{n}():\n{one}\n    return load, score\n" for n, one in enumerate(codes))
    code += f"\nMADE = [{', '.join(f'made_{n}()' for n in range(len(codes)))}]\n"
    code += "\ndef main(job):\n    return MADE[job[0]][job[1]](*job[2:])\n"
    inside = "/data" if in_force() == "bubblewrap" else str(root)
    limits = Limits(wall_s=120, memory_mb=2000, output_kb=50_000)
    loads = [[n, 0, f"{inside}/{spec.name}"] for n, spec in enumerate(specs)]
    packages = (*SCORING, "openpyxl", "et_xmlfile", "pyarrow")
    loaded = run_sandboxed(code, loads, limits, packages=packages, data=root)
    assert loaded.ok, loaded.detail
    jobs = []
    for n, (spec, output) in enumerate(zip(specs, loaded.output, strict=True)):
        rows = {str(row["id"]): row for row in rows_of(output)}
        jobs += [[n, 1, rows[str(id)], reply] for id, reply in asked[spec.name]]
    marked = run_sandboxed(code, jobs, limits, packages=SCORING)
    assert marked.ok, marked.detail
    found = iter(verdicts_of(marked.output))
    return {spec.name: [next(found) for _ in asked[spec.name]] for spec in specs}


def right(kind: Other) -> Worths:
    """What a reader would give."""
    return {(id, reply): worth for id, reply, worth in kind.replies}
