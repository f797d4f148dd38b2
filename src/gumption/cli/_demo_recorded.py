"""The part of `gumption demo --full` that needs public data: what real models said or scored elsewhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gumption.cli._console import bar
from gumption.cli._curating import cache_file, write_suite
from gumption.cli._demo_asking import ask_both
from gumption.cli._demo_record import Record

if TYPE_CHECKING:
    from gumption.reporting.loop import RecordedSide

__all__ = ["recorded_sides"]

_WITHOUT = (
    "Left out: no folder of public data was named. With --data DIR, or GUMPTION_PUBLIC_DATA, a suite is made "
    "of the question pool (eight public benchmarks) and judged by the recorded results of real models, and "
    "the recorded replies to BLINK are read, scored and ranked."
)
_MATRICES = {
    "visonlyqa": "visonlyqa_noreason.npz",
    "mathvista": "mathvista_testmini.npz",
    "logicvista": "logicvista.npz",
}
"""What the ids of a benchmark begin with in the question pool, and the past results over it."""
_EACH = 500
"""Items of each dimension of the question pool's suite."""
_SHARE = 0.15
"""Of BLINK that goes into its suite."""


def recorded_sides(data: Path | None, out: Path, seed: int, record: Record) -> tuple[list[RecordedSide], str]:
    """A comparison for each set of recorded models in the folder `data`; and why there is none, "" where
    there are. Raises GumptionError where `data` does not hold them."""
    if data is None:
        return [], _WITHOUT
    return [*_question_pool(data, out, seed, record), _blink(data, out, seed, record)], ""


def _question_pool(data: Path, out: Path, seed: int, record: Record) -> list[RecordedSide]:
    """One suite of the whole pool; each matrix judges the part of it that is of its benchmark."""
    from gumption.benchmarks import open_benchmark
    from gumption.curation.agent import curate
    from gumption.curation.response_matrix import read_matrix
    from gumption.models.encoder import Encoder
    from gumption.ranking.suite_against_pool import suite_against_pool
    from gumption.reporting.loop import RecordedSide
    from gumption.suites import read_selection

    folder = out / "question-pool"
    if not (folder / "suite.json").exists():
        with record.timed("question-pool"), TemporaryDirectory() as replies:
            made = curate(
                open_benchmark("question-pool", data),
                "question-pool-compact",
                Encoder(),
                Path(replies) / "none",
                cache=cache_file(None),
                k=_EACH,
                seed=seed,
                stage=bar,
            )
            write_suite(made, folder, overwrite=True)
    kept = {one.id for one in read_selection(folder)}
    sides = []
    for prefix, file in _MATRICES.items():
        matrix = read_matrix(data / "response_matrices" / file)
        chosen = [row for row, item in enumerate(matrix.items) if f"{prefix}/{item.id}" in kept]
        sides.append(
            RecordedSide(
                title=f"{matrix.name}: {len(matrix.models)} models",
                about=f"The suite is {len(kept):,} items of the question pool, balanced over its dimensions; "
                f"{len(chosen):,} of them are of this benchmark.",
                comparison=suite_against_pool(matrix.scores, chosen, models=matrix.models, seed=seed),
                links=(
                    ("certificate of that suite", f"{folder.name}/certificate.html"),
                    ("its dimensions", f"{folder.name}/induction.md"),
                ),
            )
        )
    return sides


def _blink(data: Path, out: Path, seed: int, record: Record) -> RecordedSide:
    """Replies of real models, read and scored here. The public file has no questions, only golds, so the
    sub-tasks stand for dimensions."""
    from gumption.benchmarks import open_benchmark
    from gumption.curation.fit import fit
    from gumption.models import open_models
    from gumption.ranking.suite_against_pool import suite_against_pool_of_runs
    from gumption.reporting.loop import RecordedSide
    from gumption.suites import write_folder

    pool = open_benchmark("blink", data)
    models = open_models(f"replay/{data / 'response_matrices' / 'blink_raw_val.jsonl.gz'}#*")
    size = round(_SHARE * len(pool.items))
    chosen = fit(
        None, size, groups=[item.category for item in pool.items], method="stratified", seed=seed
    ).chosen
    suite = replace(
        pool, name="blink-compact", items=tuple(pool.items[row] for row in sorted(chosen.tolist()))
    )
    address = out / "blink-suite"
    write_folder(suite, address, overwrite=True)
    asked = ask_both((pool, "blink"), (suite, str(address)), models, out / "blink", record)
    sides = [[run.folder for run in runs] for runs in (asked.pool, asked.suite)]
    return RecordedSide(
        title=f"BLINK: replies of {len(models)} models, read and scored here",
        about="The suite is drawn at random within each of the 14 sub-tasks: the public file holds no "
        "questions whose dimensions could be induced.",
        comparison=suite_against_pool_of_runs(*sides, seed=seed),
    )
