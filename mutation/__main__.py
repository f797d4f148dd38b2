"""`python -m mutation ROOM [--sample 300] [--seed 0] [--jobs N]`: how many changes its tests notice."""

from __future__ import annotations

import argparse
import datetime
import hashlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutation.mutants import Mutant, applied, mutants_of
from mutation.rooms import ROOMS, Room
from mutation.worker import IMPORTING

REPOSITORY = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results")
REASONS = Path(__file__).with_name("survivors.md")
_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def main() -> None:
    """Exits with 1 where a mutant survives that `survivors.md` does not explain."""
    parser = argparse.ArgumentParser("mutation", description=__doc__)
    parser.add_argument("room", choices=ROOMS)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--longest", type=float, default=1.0, help="seconds of a test that still counts")
    parser.add_argument("--again", action="store_true", help="those alone that did not die the last time")
    parser.add_argument("--only", metavar="NAME", help="one mutant: show it, judge it, record nothing")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutation-") as place:
        trees = [_tree(Path(place, str(job))) for job in range(asked.jobs)]
        with _workers(trees) as workers:
            sys.exit(_judged(asked, trees[0], workers))


def _judged(asked: argparse.Namespace, tree: Path, workers: Workers) -> int:
    room = ROOMS[asked.room]
    sources = {file: (tree / file).read_text() for file in room.source_files(tree)}
    every = [mutant for file, source in sources.items() for mutant in mutants_of(file, source)]
    chosen = [one for one in every if one.name == asked.only] if asked.only else _sample(every, asked)
    result = _Result(asked, len(every), chosen)
    tests = _recorded(room, sources, tree, workers, asked.longest)

    def judged(mutant: Mutant) -> None:
        names = tests.that_may_notice(mutant)
        said: dict[str, Any] = {"by": None, "seconds": 0.0}
        if names:
            source = applied(sources[mutant.file], mutant)
            seconds = {name: tests.seconds[name] for name in names}
            said = workers.ask("judge", file=mutant.file, source=source, tests=names, seconds=seconds)
        result.tell(mutant, said["by"], said["seconds"], len(names))

    with ThreadPoolExecutor(asked.jobs) as pool:
        list(pool.map(judged, result.left()))
    return result.conclude()


def _sample(every: list[Mutant], asked: argparse.Namespace) -> list[Mutant]:
    """By a hash of each one's name: what is edited elsewhere in the room does not change who is drawn.

    In that order they are judged too, so that a run which is ended early has judged a smaller sample.
    """
    ranked = sorted(every, key=lambda one: hashlib.sha256(f"{asked.seed} {one.name}".encode()).digest())
    return ranked[: asked.sample]


# ── the tests ────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Tests:
    """The tests that count, their seconds of processor under the tracer, and those that run each line."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, set[str]]]

    def that_may_notice(self, mutant: Mutant) -> list[str]:
        """Quick ones first. What runs while modules are imported may be noticed by any."""
        lines = self.lines[mutant.file]
        names: set[str] = set()
        for line in range(mutant.first_line, mutant.last_line + 1):
            names |= lines.get(line, set())
        everywhere = IMPORTING in names
        ranked = self._quick_first(names & self.seconds.keys())
        if everywhere:
            near = set().union(*lines.values()) & self.seconds.keys()
            ranked += self._quick_first(near - names) + self._quick_first(self.seconds.keys() - near - names)
        return ranked

    def _quick_first(self, names: Iterable[str]) -> list[str]:
        # Those of one file together where their time is alike, as they share what they set up.
        def rank(name: str) -> tuple[int, str]:
            return sum(self.seconds[name] > one for one in _BUCKETS), name.partition("::")[0]

        return sorted(names, key=rank)


def _recorded(room: Room, sources: dict[str, str], tree: Path, workers: Workers, longest: float) -> Tests:
    """Runs every test file under the tracer, unless neither it nor the room has changed since."""
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "gumption-mutation")
    kept.mkdir(parents=True, exist_ok=True)

    def recorded(test_file: str) -> Any:
        state = repr((sources, (tree / test_file).read_text()))
        path = kept / f"{hashlib.sha256(state.encode()).hexdigest()}.json"
        if not path.exists():
            told = workers.ask("record", test_file=test_file, sources=list(sources))
            path.write_text(json.dumps(told))
            print(f"{test_file}: {len(told['seconds'])} tests recorded", file=sys.stderr, flush=True)
        return json.loads(path.read_text())

    tests = Tests({}, {file: {} for file in sources})
    modules: dict[str, None] = {}
    with ThreadPoolExecutor(workers.number) as pool:
        for told in pool.map(recorded, room.test_files(tree)):
            modules.update(dict.fromkeys(told["modules"]))
            tests.seconds.update(
                (name, seconds)
                for name, seconds in told["seconds"].items()
                if name not in told["failed"] and seconds <= longest
            )
            if told["failed"]:
                print(f"left out, as they fail as it is: {told['failed']}", file=sys.stderr)
            for file, lines in told["lines"].items():
                for line, names in lines.items():
                    tests.lines[file].setdefault(int(line), set()).update(names)
    workers.ask_all("load", modules=list(modules), test_files=room.test_files(tree))
    return tests


# ── processes ────────────────────────────────────────────────────────────────────────────────────────


class Workers:
    """Processes that answer one question at a time, each in a tree of its own."""

    def __init__(self, processes: list[subprocess.Popen[str]]) -> None:
        self.idle: queue.Queue[subprocess.Popen[str]] = queue.Queue()
        self.number = len(processes)
        for one in processes:
            self.idle.put(one)

    def ask(self, question: str, **about: Any) -> Any:
        worker = self.idle.get()
        try:
            return _answer(worker, {"ask": question, **about})
        finally:
            self.idle.put(worker)

    def ask_all(self, question: str, **about: Any) -> None:
        for _ in range(self.number):
            self.ask(question, **about)


def _answer(worker: subprocess.Popen[str], question: dict[str, Any]) -> Any:
    assert worker.stdin is not None and worker.stdout is not None
    worker.stdin.write(json.dumps(question) + "\n")
    worker.stdin.flush()
    line = worker.stdout.readline()
    if not line:
        raise RuntimeError(f"a worker ended with {worker.wait()}; its last words are above")
    return json.loads(line)


@contextmanager
def _workers(trees: list[Path]) -> Iterator[Workers]:
    data = os.environ.get("GUMPTION_PUBLIC_DATA") or str(REPOSITORY.parent / "shared" / "data")
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "mutation.worker"],
            cwd=tree,
            env={**os.environ, **threads, "PYTHONPATH": str(tree / "src"), "GUMPTION_PUBLIC_DATA": data},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for tree in trees
    ]
    try:
        yield Workers(processes)
    finally:
        for one in processes:
            one.kill()
            one.wait()


def _tree(place: Path) -> Path:
    """A copy of what the repository holds and git does not ignore."""
    git = ("git", "-C", str(REPOSITORY), "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in subprocess.check_output(git, text=True).split("\0"):  # noqa: S603
        if name and (REPOSITORY / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, place / name, follow_symlinks=False)
    return place


# ── what came of it ──────────────────────────────────────────────────────────────────────────────────


class _Result:
    """`results/ROOM.json`, written after each mutant, so that what is interrupted goes on with --again."""

    def __init__(self, asked: argparse.Namespace, every: int, chosen: list[Mutant]) -> None:
        self._path = RESULTS / f"{asked.room}.json"
        self._recording = not asked.only
        self._chosen = {one.name: one for one in chosen}
        self._killed: dict[str, str] = {}
        self._survived: dict[str, int] = {}
        self._lock = threading.Lock()
        if asked.again and self._path.exists():
            before = json.loads(self._path.read_text())["killed_by"]
            self._killed = {name: by for name, by in before.items() if name in self._chosen}
        git = ("git", "-C", str(REPOSITORY))
        commit = subprocess.check_output([*git, "rev-parse", "--short", "HEAD"], text=True).strip()  # noqa: S603
        changed = subprocess.check_output(  # noqa: S603
            [*git, "status", "--porcelain", *ROOMS[asked.room].folders()], text=True
        )
        self._head = {
            "room": asked.room,
            "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "commit": commit,
            "changed": sorted(line[3:] for line in changed.splitlines()),
            "seed": asked.seed,
            "longest_test_s": asked.longest,
            "mutants": every,
            "sample": len(chosen),
        }

    def left(self) -> list[Mutant]:
        return [one for name, one in self._chosen.items() if name not in self._killed]

    def tell(self, mutant: Mutant, by: str | None, seconds: float, tests: int) -> None:
        with self._lock:
            if by is None:
                self._survived[mutant.name] = tests
            else:
                self._killed[mutant.name] = by
            place = f"{mutant.name} {mutant.file}:{mutant.line}"
            end = f"killed by {by}" if by else f"SURVIVED {tests} tests: {mutant.before} → {mutant.after}"
            print(f"{place} {mutant.kind}, {seconds:.1f} s, {end}", file=sys.stderr, flush=True)
            self._write()

    def _write(self) -> None:
        if not self._recording:
            return
        result = {
            **self._head,
            "killed": len(self._killed),
            "unjudged": len(self._chosen) - len(self._killed) - len(self._survived),
            "survived": sorted(
                (_told(self._chosen[name], tests) for name, tests in self._survived.items()),
                key=lambda one: (one["file"], one["line"], one["name"]),
            ),
            "killed_by": dict(sorted(self._killed.items())),
        }
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
        part.replace(self._path)

    def conclude(self) -> int:
        killed, sample = len(self._killed), len(self._chosen)
        reasons = REASONS.read_text() if REASONS.exists() else ""
        unexplained = [name for name in self._survived if name not in reasons]
        print(f"{killed} of {sample} killed ({killed / max(1, sample):.1%}); unexplained: {unexplained}")
        self._write()
        return int(bool(unexplained))


def _told(mutant: Mutant, tests: int) -> dict[str, Any]:
    return {
        "name": mutant.name,
        "file": mutant.file,
        "line": mutant.line,
        "function": mutant.function,
        "kind": mutant.kind,
        "before": mutant.before,
        "after": mutant.after,
        "tests": tests,
    }


if __name__ == "__main__":
    main()
