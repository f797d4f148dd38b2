"""A new benchmark to begin with: its file, its test and its line in the registry, for a checkout.

`benchmark.txt` and `test.txt` are the two files as they are written, for a benchmark called my-benchmark.
"""

from __future__ import annotations

import re
from pathlib import Path

from gumption.atomic import replacing
from gumption.records import GumptionError

__all__ = ["write_benchmark"]

_NAME = re.compile(r"[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){0,5}", re.ASCII)
_BENCHMARKS = Path("src", "gumption", "benchmarks")
_TESTS = Path("tests", "benchmarks")
_ENTRY = re.compile(r' {4}"([a-z0-9-]+)": "[\w.:]+",\n')


def write_benchmark(name: str, checkout: Path) -> tuple[Path, ...]:
    """Write a benchmark that loads, asks and scores, with a test that passes, and enter it in the registry.

    checkout: the folder of a clone of gumption. Returns the files that were written. Raises GumptionError for
    a name that is none or is taken, and for a folder that is no checkout; then nothing is written.
    """
    if not _NAME.fullmatch(name):
        raise GumptionError(
            f"{name!r} is no name of a benchmark",
            remedy="use small letters, digits and hyphens: my-benchmark",
        )
    module = name.replace("-", "_")
    registry = checkout / _BENCHMARKS / "registry.py"
    targets = {
        "benchmark.txt": checkout / _BENCHMARKS / f"{module}.py",
        "test.txt": checkout / _TESTS / f"test_{module}.py",
    }
    if not registry.is_file() or not (checkout / _TESTS).is_dir():
        raise GumptionError(
            "no checkout of gumption", where=str(checkout), remedy="clone the repository and run this in it"
        )
    text = registry.read_text(encoding="utf-8")
    taken = [path for path in targets.values() if path.exists()]
    if taken or name in _ENTRY.findall(text):
        where = str(taken[0] if taken else registry)
        raise GumptionError(
            f"there is a benchmark {name!r} already", where=where, remedy="choose another name"
        )
    for template, path in targets.items():
        _write(path, _filled((Path(__file__).parent / template).read_text(encoding="utf-8"), name))
    _write(registry, _entered(text, name, module))
    return (*targets.values(), registry)


def _filled(template: str, name: str) -> str:
    title = name.replace("-", " ").capitalize()
    return template.replace("my-benchmark", name).replace("My benchmark", title)


def _entered(registry: str, name: str, module: str) -> str:
    """The registry with the benchmark's line, in alphabetical order."""
    entries = list(_ENTRY.finditer(registry))
    later = next((entry.start() for entry in entries if entry[1] > name), entries[-1].end())
    return f'{registry[:later]}    "{name}": "gumption.benchmarks.{module}",\n{registry[later:]}'


def _write(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
