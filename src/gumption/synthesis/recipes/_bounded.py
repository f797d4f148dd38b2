"""Parquet files are read first by a child with little memory.

A page of such a file may unpack to gigabytes whatever the file's directory says of its size. Reading is
deterministic, so what a child reads within its bound takes no more here, and what it refuses is not tried
here. In the sandbox, where pipelines read, memory is bounded already. Only Linux can bound a child so.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from gumption.records import GumptionError

__all__ = ["check_bounded"]

MEMORY, TIMES = 512 * 2**20, 8
"""Bytes that reading may take beyond what the imports do, whatever the file, and for each byte of the file:
rows hold pictures as text, beside the pages that they are unpacked from."""
_SECONDS = 120
_CODE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
from pathlib import Path
import pyarrow.compute, pyarrow.parquet
from gumption.records import GumptionError
from gumption.synthesis.recipes._tables import parquet_rows
now = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (now + {memory}, now + {memory}))
try:
    parquet_rows(Path(sys.argv[1]), "", {most})
except GumptionError as error:
    if isinstance(error.__cause__, MemoryError):
        raise
    print(error.problem)
"""


def check_bounded(path: Path, where: str, most: int) -> None:
    """Raises GumptionError for a Parquet file that a child refuses, or cannot read within its bound.

    most: rows of a file.
    """
    if sys.platform != "linux":
        return
    import resource

    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        return
    about = path.stat()
    problem = _problem(str(path.resolve()), most, about.st_size, about.st_mtime_ns, about.st_ino)
    if problem:
        raise GumptionError(problem, where=where, remedy="write it again, in smaller files")


@lru_cache(maxsize=4096)
def _problem(path: str, most: int, size: int, changed: int, inode: int) -> str:  # noqa: ARG001
    """What is wrong with a file, "" for nothing; a file that changes is another."""
    memory = MEMORY + TIMES * size
    too_much = f"it unpacks to too much: over {memory // 2**20} MB of memory or {_SECONDS} s"
    code = _CODE.format(memory=memory, most=most)
    # Arrow's own pool reserves more than it uses.
    environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", code, path],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return too_much
    return too_much if done.returncode else done.stdout.decode(errors="replace").strip()
