"""Everything that runs for long, run for long: `python -m benches.soak --hours 2`, or `--seconds 60`.

Round after round, against a chat server of our own that fails in every way it can: one process asks, takes
up, scores, ranks and reports; `gumption run` is killed by SIGKILL in its middle until a run comes through;
and raters work at a `gumption rate serve`. The first and the last process live as long as the soak. After
each round memory, descriptors, threads, children, temporary files and disk are looked at. It ends with 1
where one of them grew, where a score was another than in the first round, or where something was lost; what
it saw is added to benches/soak.jsonl, with date and commit.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import gc
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benches._raters import Load, lost, work
from benches._soak_watch import Watch
from benches._soak_work import fingerprint
from benches.rating_load import material
from gumption.rating.forms import PLAN_DIMENSIONS
from gumption.rating.store import Store
from gumption.rating.study import Study

# The tests' own servers.
sys.path += [str(Path(__file__).parents[1] / "tests"), str(Path(__file__).parents[1] / "tests" / "rating")]
from serving import free_port, served

from servers import Act, Asked, Server, answer, completion, failure

REPOSITORY = Path(__file__).parents[1]
RESULTS = Path(__file__).with_suffix(".jsonl")
QUESTIONS = 60
RATERS = 4
FAULTY = 0.06
"""Share of the requests that go wrong."""
ROUND_S = 300.0
"""A step that takes longer hangs."""


def main() -> None:
    """Soak for the time that is asked for, and at least one round."""
    parser = argparse.ArgumentParser("benches.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=0.0)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    result = soak(asked.hours * 3600 + asked.seconds, asked.seed)
    with asked.results.open("a") as stream:
        stream.write(json.dumps(result) + "\n")
    print(json.dumps(result, indent=1))
    sys.exit(bool(result["findings"]))


def soak(seconds: float, seed: int) -> dict[str, Any]:
    """What was done and seen."""
    start = time.time()
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="soak-")))
        soaked = _Soak(home, seed, stack)
        while not soaked.rounds or time.time() - start < seconds:
            soaked.round()
        found = [asdict(one) for one in soaked.watch.findings()]
    git = ("git", "-C", str(REPOSITORY), "rev-parse", "--short", "HEAD")
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": subprocess.check_output(git, text=True).strip(),
        "seed": seed,
        "seconds": round(time.time() - start),
        "rounds": soaked.rounds,
        **dict(sorted(soaked.done.items())),
        "seen": {
            name: {
                what: [round(function(values), 1) for function in (_first, min, max, _last)]
                for what, values in kinds.items()
            }
            for name, kinds in soaked.watch.samples.items()
        },
        "findings": [*soaked.wrong, *found],
    }


class _Soak:
    """The processes that live long, and one round of work for them."""

    def __init__(self, home: Path, seed: int, stack: ExitStack) -> None:
        self.rounds, self.done, self.wrong = 0, Counter[str](), list[dict[str, Any]]()
        self._home, self._lot = home, random.Random(seed)
        self._scores: set[str] = set()
        self._questions = _write_questions(home / "quiz.jsonl")
        self._server = stack.enter_context(Server(self._behave, keep=False))
        (home / "temporary").mkdir()
        os.environ.update(
            TMPDIR=str(home / "temporary"), GUMPTION_CACHE=str(home / "cache"), OPENAI_API_KEY="none"
        )
        command = [sys.executable, "-m", "benches._soak_work"]
        self._worker = stack.enter_context(
            subprocess.Popen(
                command, cwd=REPOSITORY, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
        )
        stack.callback(self._worker.kill)
        Store.open(home / "study", create=True).close()
        self._port = free_port()
        web = stack.enter_context(served(home / "study", self._port))
        folders = {"temporary": home / "temporary", "cache": home / "cache"}
        self.watch = Watch({"worker": self._worker.pid, "rate serve": web.pid, "soak": os.getpid()}, folders)

    def round(self) -> None:
        """Ask and report in the long process, kill the short ones, rate, and look."""
        place = self._home / "round"
        place.mkdir()
        self._in_one_process(place)
        self._killed(place)
        self._rated()
        shutil.rmtree(place)
        self.rounds += 1
        self.done["requests"] = self._server.total
        gc.collect()  # of this process: what its raters leave behind waits long to be collected
        self.watch.sample()

    def _in_one_process(self, place: Path) -> None:
        assert self._worker.stdin and self._worker.stdout
        task = {"folder": str(place), "base_url": self._server.base_url, "questions": str(self._questions)}
        print(json.dumps(task), file=self._worker.stdin, flush=True)
        line = self._worker.stdout.readline()
        if not line:
            raise SystemExit(f"round {self.rounds}: the long process ended with {self._worker.wait()}")
        told = json.loads(line)
        self.done["runs"] += told["runs"]
        if not told["pages"] or told["ranked"] != 2:
            self._note("no ranking or no report", told)
        self._same("scores of the long process", told["scores"])
        self._same("scores read again", told["scored_again"])

    def _killed(self, place: Path) -> None:
        """The same run by the command line, killed at any time, until it comes through."""
        command = [sys.executable, "-m", "gumption", "run", str(self._questions), "--model", "openai/soaked"]
        command += ["--base-url", self._server.base_url, "--timeout", "1", "--out", str(place / "killed")]
        kills = self._lot.randint(1, 3)
        for _ in range(100):
            process = subprocess.Popen(
                command, cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            self.done["runs"] += 1
            try:
                if process.wait(self._lot.uniform(0.3, 3.0) if kills else ROUND_S) == 0:
                    break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills -= 1
                self.done["kills"] += 1
        self._same("scores after kills", fingerprint(place / "killed"))

    def _rated(self) -> None:
        """A study from its invitation to its last rating."""
        study = Study(name=f"round {self.rounds}", dimensions=PLAN_DIMENSIONS, raters_wanted=2)
        with Store.open(self._home / "study") as store:
            store.create(study, material(2, 3))
            tokens = [one.token for one in store.invite(study.id, [""] * RATERS)]
        load = Load()
        asyncio.run(work(f"http://127.0.0.1:{self._port}", tokens, study, load))
        self.done["ratings"] += len(load.acknowledged)
        with Store.open(self._home / "study") as store:
            if missing := lost(load, store.records(study.id)):
                self._note("ratings acknowledged and lost", missing)

    def _same(self, what: str, scores: str) -> None:
        self._scores.add(scores)
        if len(self._scores) > 1:
            self._note(f"{what} differ from those of the first round", scores)

    def _note(self, what: str, value: object) -> None:
        self.wrong.append({"round": self.rounds, "what": what, "value": value})

    def _behave(self, asked: Asked) -> Act:
        """By the question, and by how often it was asked before: right or wrong, or one of the faults."""
        lot = random.Random(f"{asked.text}/{asked.turn}")
        if lot.random() < FAULTY:
            name, act = lot.choice(FAULTS)
            self.done[f"server: {name}"] += 1
            return act
        found = re.search(r"Q(\d+):", asked.text)
        assert found
        return SAID[int(found[1]) % len(SAID)]


SAID = (
    answer("A"),
    answer("The answer is (B)."),
    answer("I think that it is hard to say.", reason="stop"),
    answer("First I look at the table, then", reason="length"),
    answer("B"),
)
FAULTS = (
    ("500", failure(500, "boom")),
    ("429", failure(429, "slow down", retry_after="0.05")),
    ("cut in the middle", Act(answer("A").body, end="cut")),
    ("no choices", completion()),
    ("not JSON", Act(b"<html>bad gateway</html>", 502, {"content-type": "text/html"})),
    ("silence", Act(end="hang")),
)


def _write_questions(path: Path) -> Path:
    rows = (
        {
            "id": f"q{n}",
            "question": f"Q{n}: where is it?",
            "choices": ["left", "right"],
            "answer": "AB"[n // 5 % 2],
        }
        for n in range(QUESTIONS)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def _first(values: list[float]) -> float:
    return values[0]


def _last(values: list[float]) -> float:
    return values[-1]


if __name__ == "__main__":
    main()
