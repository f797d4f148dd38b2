"""One reader on one damaged input after another, in a process of its own that may be lost."""

from __future__ import annotations

import argparse
import faulthandler
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

from fuzz.mutating import Folder, Link, damaged

MOST_MEMORY = 2**30
"""Bytes that the process may hold at once."""
_ADDRESSES = 4 * 2**30
"""Bytes of addresses beyond those of the imports: what would take more ends here, not the machine."""
MOST_SECONDS = 10.0
"""Of processor, so that a busy machine is no finding; of the clock a waiting reader has `_MOST_WAITED`."""
_MOST_WAITED = 300.0

_output = sys.stdout


def main() -> None:
    parser = argparse.ArgumentParser("fuzz.child")
    parser.add_argument("reader")
    parser.add_argument("seed", type=int)
    parser.add_argument("begin", type=int)
    parser.add_argument("--until", type=float, default=0.0)
    parser.add_argument("--only", action="store_true", help="leave the input where it is, and let it raise")
    asked = parser.parse_args()
    if not asked.only:
        sys.stdout = sys.stderr  # what a reader's libraries print; the output is for `_tell`
    with tempfile.TemporaryDirectory(prefix="fuzz-") as place:
        os.environ["GUMPTION_CACHE"] = str(Path(place, "cache"))
        os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
        from fuzz.readers import READERS

        reader = READERS[asked.reader]
        seeds = reader.seeds()
        reader.read(_written(seeds[0], Path(place)))  # what is loaded late is loaded now
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + _ADDRESSES, used + _ADDRESSES))
        warnings.simplefilter("ignore")
        if asked.only:
            folder = _written(
                _input(seeds, asked.reader, asked.seed, asked.begin),
                Path(tempfile.mkdtemp(prefix="fuzz-only-")),
            )
            print(folder)
            print(repr(reader.read(folder))[:2000])
            return
        _go(reader, seeds, asked, Path(place))


def _input(seeds: list[Folder], reader: str, seed: int, number: int) -> Folder:
    """The seeds as they are, then damaged ones."""
    if number < len(seeds):
        return seeds[number]
    rng = random.Random(f"{reader}/{seed}/{number}")
    return damaged(rng.choice(seeds), seeds, rng)


def _go(reader: Any, seeds: list[Folder], asked: argparse.Namespace, place: Path) -> None:
    told = _nothing()
    faulthandler.register(signal.SIGPROF, chain=True)  # says where, and the process ends
    while time.time() < asked.until:
        folder = _written(_input(seeds, asked.reader, asked.seed, asked.begin), place)
        told["next"] = asked.begin
        _tell(told)  # so that it is known which input ended the process
        told = _nothing()
        start = time.process_time()
        faulthandler.dump_traceback_later(_MOST_WAITED, exit=True)
        signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
        finding = None
        try:
            reader.read(folder)
            told["accepted"] = 1
        except reader.raises as error:
            if _is_of_memory(error):
                finding = _finding(error, folder, asked.begin)
        except BaseException as error:
            finding = _finding(error, folder, asked.begin)
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        if {one.name for one in place.iterdir()} - {"in", "cache", "secret"}:
            raise SystemExit("a file was written outside of the folder")
        if (place / "secret").read_text() != "SECRET":
            raise SystemExit("a file outside of the folder was written through a link")
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        told |= {
            "inputs": 1,
            "slowest_s": round(time.process_time() - start, 2),
            "peak_mb": peak // 2**20,
            "finding": finding,
        }
        asked.begin += 1
        told["next"] = asked.begin
        if peak > MOST_MEMORY:
            told["finding"] = {"what": "over 1 GiB", "where": asked.reader, "n": asked.begin - 1, "times": 0}
            break
    _tell(told)


def _nothing() -> dict[str, Any]:
    return {"inputs": 0, "accepted": 0, "slowest_s": 0.0, "peak_mb": 0, "next": 0, "finding": None}


def _tell(told: dict[str, Any]) -> None:
    _output.write(json.dumps(told) + "\n")
    _output.flush()


def _is_of_memory(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, MemoryError):
            return True
        error = error.__cause__ or error.__context__
    return False


def _finding(error: BaseException, folder: Path, n: int) -> dict[str, Any]:
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "/gumption/" in one.filename]
    last = frames[-1] if frames else None
    where = f"{last.filename.partition('/src/')[2]}:{last.name}" if last else "outside"
    said = str(error).replace(str(folder), "in")
    return {"what": f"{type(error).__name__}: {said[:120]}", "where": where, "n": n, "times": 0}


def _written(folder: Folder, place: Path) -> Path:
    """The input as files, with a secret beside their folder that no reader may get at."""
    root = place / "in"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    (place / "secret").write_text("SECRET")
    for name, content in folder.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        else:
            path.write_bytes(content)
    return root


if __name__ == "__main__":
    main()
