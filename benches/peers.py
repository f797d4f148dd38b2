"""The same questions with pictures asked by gumption, a bare loop, evalscope and inspect_ai, in one run.

Each client is a command timed from outside, start and imports included; they take turns. Once against a
server that takes 50 ms for a reply, once against one that takes no time, where the client is the limit. After
every command the server's count of requests and the client's own score are checked: all must have asked each
question once and scored all alike.

    python -m benches peers --install       first: the peers' environments, with pip
    python -m benches peers [--items=500] [--repeats=3]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benches._clients import BARE, CLIENTS, GUMPTION, IN_FLIGHT, KITS, Client, Job, install
from benches._processes import Cost, cost_of, median
from benches._questions import PICTURE_BYTES, RIGHT, write
from benches._server import Seen, Served, served
from benches._table import show

LATENCIES_S = (0.05, 0.0)
ITEMS, REPEATS = 500, 3
LIMITS = {"evalscope": 1.5, "inspect_ai": 3.0}
"""How many times the throughput of a peer is asked of `gumption run`."""
OF_BARE = 1.5
"""How many times the bare loop's time it may take."""


def main() -> None:
    if "--install" in sys.argv:
        for kit in KITS:
            print(f"{kit}: {install(kit) or 'installed'}")
        return
    items, repeats = _given("--items", ITEMS), _given("--repeats", REPEATS)
    with tempfile.TemporaryDirectory() as folder:
        quiz = write(Path(folder), items)
        for latency in LATENCIES_S:
            with served(latency) as server:
                runs: dict[str, list[tuple[Cost, Seen]]] = {client.name: [] for client in CLIENTS}
                for _ in range(repeats):  # in turns, so that what else the machine does meets all
                    for client in CLIENTS:
                        if client.python:
                            runs[client.name].append(_ask(client, client.python, quiz, server, items))
            _show({name: own for name, own in runs.items() if own}, latency, items, repeats)


def _ask(client: Client, python: Path, quiz: Path, server: Served, items: int) -> tuple[Cost, Seen]:
    """One run. RuntimeError where it did not do the work, or not that work alone."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(python, quiz, server.base_url, Path(folder) / "out")
        cost = cost_of(*client.command(job), environment=client.environment, log=Path(folder) / "log")
        seen = server.seen()
        scored, share = client.score(job)
    if (seen.requests, scored, share) != (items, items, RIGHT):
        problem = f"{seen.requests} requests, {scored} scored, {share:.4f} right"
        raise RuntimeError(f"{client.name}: {problem}; {items} and {RIGHT} expected")
    return cost, seen


def _show(runs: dict[str, list[tuple[Cost, Seen]]], latency: float, items: int, repeats: int) -> None:
    costs = {name: median([cost for cost, _ in own]) for name, own in runs.items()}
    ours = costs[GUMPTION.name]
    rows = []
    for client in CLIENTS:
        if client.name not in runs:
            rows.append((client.name, "not installed", *[""] * 7))
            continue
        cost, (_, seen) = costs[client.name], runs[client.name][-1]
        rows.append(
            (
                client.name,
                f"{cost.seconds:.2f} s",
                f"{items / cost.seconds:.0f}",
                f"{cost.seconds / ours.seconds:.2f}",
                f"{cost.cpu:.2f} s",
                f"{cost.peak_mb:.0f} MB",
                f"{seen.requests}",
                f"{seen.megabytes:.1f} MB",
                f"{seen.peak}",
            )
        )
    show(
        f"{items:,} pictures of {PICTURE_BYTES // 1000} KB, {IN_FLIGHT} at once, "
        f"{1000 * latency:.0f} ms latency, medians of {repeats}",
        ("whole process", "time", "items a second", "x gumption's time", "CPU", "peak memory", "requests",
         "bytes sent", "most under way"),
        rows,
    )  # fmt: skip
    print()
    limits = [("time, x bare loop", ours.seconds / costs[BARE.name].seconds, f"at most {OF_BARE}")] + [
        (f"throughput, x {name}", costs[name].seconds / ours.seconds, f"at least {limit}")
        for name, limit in LIMITS.items()
        if name in costs
    ]
    show(
        "gumption run, against the limits",
        ("what", "measured", "limit"),
        [(what, f"{measured:.2f}", limit) for what, measured, limit in limits],
    )
    print()


def _given(option: str, usual: int) -> int:
    """The number of `--option=NUMBER`."""
    found = [one.partition("=")[2] for one in sys.argv if one.startswith(f"{option}=")]
    return int(found[-1]) if found else usual
