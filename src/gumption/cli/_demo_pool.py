"""The first half of `gumption demo --full`: a pool of several benchmarks, its dimensions, a compact suite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from gumption.cli._console import bar
from gumption.cli._curating import cache_file, write_suite
from gumption.cli._demo_record import Record, Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gumption.curation.agent import Curation
    from gumption.curation.dossier import Dossier
    from gumption.running import Run
    from gumption.suites import Suite

__all__ = ["Gathered"]

_LOOPS = 3
"""One closed loop for so many scenes."""
_KEPT = 4
"""One item in so many goes into the suite."""


@dataclass
class Gathered:
    """The pool and its suite in the folder `out`: made where they are not there yet."""

    out: Path
    settings: Settings
    record: Record

    @cached_property
    def pool(self) -> Suite:
        """Questions of four benchmarks that are drawn or made by the package."""
        from gumption.benchmarks import household_fresh, open_benchmark
        from gumption.benchmarks.plansim.loop import Budget
        from gumption.benchmarks.tabletop import draw_suite
        from gumption.suites import add_to_pool, read_folder

        folder, scenes, seed = self.out / "pool", self.settings.scenes, self.settings.seed
        if (self.out / "suite" / "suite.json").exists():
            return read_folder(folder)
        with self.record.timed("pool"), bar("Drawing the pool") as progress:
            drawn: tuple[Callable[[], Suite], ...] = (
                lambda: draw_suite(self.out / "pictures", scenes=scenes, seed=seed),
                lambda: household_fresh.draw_suite(tasks=scenes, seed=seed),
                lambda: open_benchmark("vlm-plansim").first(scenes),
                # Tasks of another seed: those of this one are in the pool already.
                lambda: household_fresh.draw_suite(
                    tasks=max(1, scenes // _LOOPS), seed=seed + 1, budget=Budget()
                ),
            )
            for done, draw in enumerate(drawn):
                progress(done, len(drawn))
                add_to_pool(folder, draw())
        return read_folder(folder)

    @cached_property
    def curation(self) -> Curation:
        """Deterministic: a second start makes the same one, from vectors that are kept."""
        from gumption.curation.agent import curate
        from gumption.models.encoder import Encoder

        pool = self.pool
        with TemporaryDirectory() as replies:
            return curate(
                pool,
                "compact",
                Encoder(),
                Path(replies) / "none",
                cache=cache_file(None),
                total=max(1, len(pool.items) // _KEPT),
                seed=self.settings.seed,
                stage=bar,
            )

    @cached_property
    def suite(self) -> Suite:
        """The compact suite. Nobody had been asked when it was chosen."""
        from gumption.suites import read_folder

        folder = self.out / "suite"
        if not (folder / "suite.json").exists():
            self._write()
        return read_folder(folder)

    @cached_property
    def labelled(self) -> Suite:
        """The whole pool, each item with its dimension, scored as the suite is, to compare the two."""
        from gumption.suites import read_folder

        self.suite  # noqa: B018 - writes both
        return read_folder(self.out / "pool-labelled")

    def certificate(self, runs: list[Run], *, anew: bool) -> Dossier:
        """The suite's certificate, with what the models of `runs`, over the whole pool, say of it. The one
        that is there is taken where it is of these models, unless `anew`."""
        from gumption.curation.artefact import certified
        from gumption.curation.dossier import read_dossier

        path = self.out / "suite" / "certificate.json"
        names = tuple(run.info.model for run in runs)
        if path.exists() and not anew:
            there = read_dossier(path)
            if there.fidelity is not None and there.fidelity.models == names:
                return there
        made = self.curation
        with self.record.timed("certificate"), bar("Certifying") as progress:
            dossier = certified(
                made.pool,
                made.suite,
                made.choice,
                made.assignment,
                made.embedded,
                responses=self._responses(runs),
                models=names,
                runs=runs,
                seed=self.settings.seed,
                progress=progress,
            )
            write_suite(replace(made, dossier=dossier), self.out / "suite", overwrite=True)
        return dossier

    def _responses(self, runs: list[Run]) -> NDArray[np.float64]:
        from gumption.curation.response_matrix import matrix_of_runs

        matrix = matrix_of_runs([run.folder for run in runs], force=True)
        return matrix.over([item.id for item in self.pool.items])

    def _write(self) -> None:
        from msgspec import structs

        from gumption.suites import write_folder

        pool = self.pool
        with self.record.timed("suite"):
            made = self.curation
            names = (*made.assignment.dimensions.names, "")
            items = tuple(
                structs.replace(item, dimension=names[label])
                for item, label in zip(pool.items, made.assignment.label.tolist(), strict=True)
            )
            labelled = replace(pool, name="pool-labelled", items=items, official=made.suite.official)
            write_folder(labelled, self.out / "pool-labelled", overwrite=True)
            # Its certificate comes when the models have been asked.
            write_folder(made.suite, self.out / "suite", overwrite=True)
