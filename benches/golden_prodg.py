"""ViLaIn's published GPT-4 outputs for ProDG: their scores, and what their retries mend.

Needs the public data: `python -m benches golden_prodg`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from benches._table import show
from gumption.grounding.diagnosis import remembering
from gumption.grounding.planners import solve
from gumption.grounding.problem_score import (
    SECTIONS,
    Comparison,
    ProblemScores,
    compare,
    derivable,
    static,
    summarise_problems,
)
from gumption.grounding.prodg_outputs import (
    Output,
    PlanningRates,
    StepScores,
    read_outputs,
    score_output,
    summarise_outputs,
)
from gumption.grounding.release import count_with_credit
from gumption.grounding.retries import diagnose_steps

_PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
_PRODG = _PUBLIC / "prodg"


def main() -> None:
    # Without a limit in seconds: the same plans everywhere.
    planner = remembering(partial(solve, planner="astar", timeout_s=None, memory_mb=None))
    strict = list(read_outputs(_PRODG / "gpt4_outputs", _PRODG / "data"))
    lenient = list(read_outputs(_PRODG / "gpt4_outputs", _PRODG / "data", repair=True))
    steps = summarise_outputs(score_output(one, planner=planner) for one in strict)
    mended = summarise_outputs(map(score_output, lenient))
    show(
        "ProDG outputs, strict reading; R_part, R_all and exact after repairs",
        (
            *("domain, step", "n", "clean", "has plan / valid own / valid gold", "by our A*"),
            *("R_part O/I/G", "R_all", "macro F1 O/I/G", "micro F1 O/I/G", "exact (O/I/G)"),
        ),
        [_golden(step, other) for step, other in zip(steps, mended, strict=True)],
    )
    print()
    show(
        "The same scores, counted otherwise (macro F1 O/I/G)",
        ("domain, step", "after repairs", "without static and derivable", "with permutation credit"),
        [
            (
                f"{step.domain} {step.step}",
                _macro(other.scores),
                _macro(summarise_problems(map(_without_static, _of(strict, step)))),
                _macro(summarise_problems(map(_with_credit, _of(strict, step)))),
            )
            for step, other in zip(steps, mended, strict=True)
        ],
    )
    print()
    show(
        "What the failures are due to, after repairs, by our A* (outputs, Shapley shares)",
        (
            "domain, step",
            "has plan",
            "valid gold",
            *SECTIONS,
            "newly planned / of these true",
            "mended / spoiled",
        ),
        [
            (
                f"{step.domain} {step.step}",
                str(step.planned),
                str(step.solved),
                *(f"{step.failures[name]:.1f}" for name in SECTIONS),
                *(
                    ("", "")
                    if (changes := step.since_first) is None
                    else (
                        f"{changes.newly_planned} / {changes.newly_true}",
                        f"{changes.mended} / {changes.spoiled}",
                    )
                ),
            )
            for step in diagnose_steps(lenient, planner)
        ],
    )


def _golden(step: StepScores, mended: StepScores) -> tuple[str, ...]:
    scores, other = step.scores, mended.scores
    sections = (other.objects, other.predicates, other.goal)
    return (
        f"{step.domain} {step.step}",
        str(scores.n),
        str(step.clean),
        _rates(step.shipped),
        _rates(step.planned),
        "/".join(f"{one.pooled.recall:.2f}" for one in sections),
        f"{other.recalled / other.n:.2f}",
        _macro(scores),
        "/".join(f"{one.micro:.3f}" for one in (scores.objects, scores.predicates, scores.goal)),
        f"{other.exact} ({'/'.join(str(one.exact) for one in sections)})",
    )


def _rates(rates: PlanningRates | None) -> str:
    if rates is None:
        return "–"
    without_steps = f" ({rates.no_steps} of no steps)" if rates.no_steps else ""
    return f"{rates.found} / {rates.valid_own} / {rates.valid_gold}{without_steps}"


def _macro(scores: ProblemScores) -> str:
    return "/".join(f"{one.macro or 0.0:.3f}" for one in (scores.objects, scores.predicates, scores.goal))


def _of(outputs: Iterable[Output], step: StepScores) -> list[Output]:
    return [one for one in outputs if (one.folder, one.step) == (step.domain, step.step)]


def _without_static(output: Output) -> Comparison:
    left_out = static(output.domain) | derivable(output.domain)
    return compare(output.reading.problem, output.gold, without=left_out)


def _with_credit(output: Output) -> Comparison:
    return compare(output.reading.problem, output.gold, counting=count_with_credit)


if __name__ == "__main__":
    main()
