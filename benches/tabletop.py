"""Tabletop: how fast it draws, whether pictures agree with scene graphs, what words alone are worth, and
whether the known order comes out.

    python -m benches tabletop            all of it, about a quarter of an hour
    GUMPTION_BENCH_SEEDS=5 ...            the known order over fewer seeds
    GUMPTION_BENCH_FIRST_SEED=9000 ...    everything on other seeds
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Pillow

from benches._table import show
from gumption.answers import guess, read, score
from gumption.benchmarks.tabletop import draw_suite
from gumption.models import open_models
from gumption.ranking import Ranking, rank_runs
from gumption.records import Image
from gumption.running import run
from gumption.suites import Suite

_ORACLES = (0.65, 0.8, 0.95)
"""As in `gumption demo`."""
_CHECK = Path(__file__).parents[1] / "tests" / "benchmarks" / "tabletop_pixels.py"


def main() -> None:
    first = int(os.environ.get("GUMPTION_BENCH_FIRST_SEED") or 0)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        suite = draw_suite(Path(folder) / "2000", scenes=400, seed=first + 1)
        seconds = time.perf_counter() - start
        print(f"{len(suite.items):,} items with pictures drawn in {seconds:.1f} s on one core.\n")
        _pixels(draw_suite(Path(folder) / "5000", scenes=1000, seed=first + 2))
        _blind(
            [
                draw_suite(Path(folder) / str(seed), scenes=2000, seed=seed)
                for seed in range(first + 3, first + 8)
            ]
        )
    _order(first, int(os.environ.get("GUMPTION_BENCH_SEEDS") or 100))


def _pixels(suite: Suite) -> None:
    """The front views against the scene graphs, with the check that the tests use."""
    spec = importlib.util.spec_from_file_location("tabletop_pixels", _CHECK)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(_CHECK)
    check: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    fronts = {item.cluster: item for item in suite.items if item.id.split("/")[1] not in ("order", "above")}
    wrong = []
    for cluster, item in fronts.items():
        image = next(part for part in item.parts if isinstance(part, Image))
        with Pillow.open(suite.media.path(image.sha256) or "") as picture:
            wrong += [
                f"{cluster}: {what}"
                for what in check.mismatches(item.meta["scene"], np.asarray(picture.convert("RGB")))
            ]
    print(
        f"{len(fronts):,} scenes, {len(wrong)} mismatches between pixels and scene graph. {wrong[:3] or ''}\n"
    )


def _blind(suites: list[Suite]) -> None:
    """Each suite by itself: learnt from one half, asked of the other."""
    values: dict[str, list[tuple[float, float]]] = defaultdict(list)

    async def ask_all(suite: Suite) -> None:
        (blind,) = open_models("baseline/blind")
        blind.prepare(suite.items)
        for item in suite.items:
            reply = await blind.ask(item, (item.id, 0, ""), suite.media.read)
            value = score(item.answer, read(reply.text if reply else "", item.answer)).value
            values[item.category].append((value or 0.0, guess(item.answer)))

    for suite in suites:
        asyncio.run(ask_all(suite))
    rows = []
    for category, pairs in sorted(values.items()):
        above = [100 * (value - chance) for value, chance in pairs]
        error = statistics.stdev(above) / len(above) ** 0.5
        mean, chance = (100 * statistics.mean(column) for column in zip(*pairs, strict=True))
        rows.append(
            (category, str(len(pairs)), f"{mean:.1f}", f"{chance:.1f}", f"{mean - chance:+.1f} ± {error:.1f}")
        )
    show("What words alone are worth", ("capability", "items", "blind", "guessing", "above (± 1 s.e.)"), rows)
    print()


def _ranked(seed: int) -> Ranking:
    """The demo's ranking for a seed."""
    with tempfile.TemporaryDirectory() as folder:
        suite = draw_suite(Path(folder) / "pictures", scenes=80, seed=seed)
        models = [open_models(f"baseline/{name}", seed=seed)[0] for name in ("random", "blind", "eyes")]
        models += [open_models("baseline/oracle", accuracy=one, seed=seed)[0] for one in _ORACLES]
        folders = [Path(folder) / model.name.replace("/", "-") for model in models]
        for model, own in zip(models, folders, strict=True):
            run(suite, model, own)
        return rank_runs(folders)


def _order(first: int, seeds: int) -> None:
    """Random and blind are worth the same, so either may come last."""
    known = [f"baseline/oracle-{one:g}" for one in reversed(_ORACLES)] + ["baseline/eyes"]
    held: Counter[str] = Counter()
    scores: dict[str, list[float]] = defaultdict(list)
    start = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for ranking in pool.map(_ranked, range(first, first + seeds)):
            names = [model.model for model in ranking.models]
            tiers = {model.model: model.tier for model in ranking.models}
            held["the known order"] += names[: len(known)] == known
            held["a tier of its own for each of the four best"] += [tiers[one] for one in known] == [
                1,
                2,
                3,
                4,
            ]
            held["random and blind in one tier"] += tiers["baseline/random"] == tiers["baseline/blind"]
            every = True
            for model in ranking.models:
                scores[model.model].append(model.score.mean or 0.0)
                if "oracle" in model.model:
                    truth = float(model.model.rpartition("-")[2])
                    covered = (model.score.low or 0.0) <= truth <= (model.score.high or 0.0)
                    held[f"interval of {model.model} holds {truth:g}"] += covered
                    every = every and covered
            held["all three intervals hold"] += every
    show(
        f"The demo over {seeds} seeds",
        ("what", "seeds"),
        [(what, str(n)) for what, n in sorted(held.items())],
    )
    print()
    rows = [
        (name, f"{100 * statistics.mean(own):.1f}", f"{100 * min(own):.1f} to {100 * max(own):.1f}")
        for name, own in sorted(scores.items(), key=lambda pair: -statistics.mean(pair[1]))
    ]
    show("Scores over these seeds", ("model", "mean", "range"), rows)
    print(f"\n{(time.perf_counter() - start) / seeds:.1f} s a seed.")
