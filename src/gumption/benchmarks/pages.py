"""The pages of the benchmark library, made from what the benchmark files say.

    python -m gumption.benchmarks.pages [docs/benchmarks]

Writes NAME.md for every benchmark that has no page written by hand (NAME.md, or the page of its family:
viplan.md serves viplan-blocksworld), and README.md, the table of all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from gumption.benchmarks._hub import Source
from gumption.benchmarks._hub.source import home_of
from gumption.benchmarks.benchmark import Benchmark
from gumption.benchmarks.prompts import PROMPT_VERSION
from gumption.benchmarks.registry import get, names
from gumption.records import Aggregate

__all__ = ["index", "main", "page", "pages"]

MADE = "<!-- Made from the benchmark's file by `python -m gumption.benchmarks.pages`. -->"
"""The first line of a page that is made, and of no other."""
NOT_RUN = "<!-- not run: needs a model server -->"
"""What tells the test of the documentation to read the commands below it, and not to run them."""


def pages(folder: Path) -> dict[str, str]:
    """File name to text of every page that is made for a folder in which the others are written by hand."""
    made = {f"{name}.md": page(get(name)) for name in names() if not _by_hand(name, folder)}
    return {**made, "README.md": index(folder)}


def page(benchmark: Benchmark) -> str:
    """Everything that the benchmark's file says, as Markdown."""
    name = benchmark.name
    facts = [
        ("source", _source(benchmark)),
        ("questions", benchmark.n),
        ("licence", benchmark.licence),
        ("official rule", benchmark.rule),
        ("official score", benchmark.formula),
        ("official number", _aggregate(benchmark.official)),
        *(("also", _aggregate(aggregate)) for aggregate in benchmark.further),
        ("chance", benchmark.chance),
        ("repeats", _repeats(benchmark)),
        ("prompt", f"`{PROMPT_VERSION}`, in words of our own{benchmark.asked and f': {benchmark.asked}'}"),
        ("version", benchmark.version),
    ]
    run = f"gumption run {name} --model openai/NAME --base-url URL"
    blocks = [
        f"{MADE}\n\n# {benchmark.title}",
        _introduction(benchmark),
        "\n".join(["| | |", "|---|---|", *(f"| {label} | {_cell(fact)} |" for label, fact in facts if fact)]),
        f"{NOT_RUN}\n```sh\n{run}\n{run} --from DIR    # a local mirror of the source\n```",
        "With our own words this is the official scoring rule, never the official number.",
    ]
    if benchmark.quirks:
        blocks.append("\n".join(["## Quirks\n", *(f"- {quirk}" for quirk in benchmark.quirks)]))
    if benchmark.kits:
        rows = [f"| {_cell(kit)} | {_cell(what)} |" for kit, what in benchmark.kits]
        blocks.append(
            "\n".join(["## Where public kits differ\n", "| kit | what it does |", "|---|---|", *rows])
        )
    if benchmark.checked:
        blocks.append(f"## How it was checked\n\n{benchmark.checked}")
    return "\n\n".join(blocks) + "\n"


def index(folder: Path) -> str:
    """The table of all benchmarks, each with a link to its page."""
    head = ("benchmark", "n", "licence", "official rule", "chance", "checked")
    lines = [f"{MADE}\n", "# Benchmarks\n", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name in names():
        one = get(name)
        where = _by_hand(name, folder) or f"{name}.md"
        cells = (f"[{name}]({where})", one.n, one.licence, one.rule, one.chance, one.checked)
        lines.append(f"| {' | '.join(_cell(cell) for cell in cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the pages, and take away those whose benchmark is no more."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/benchmarks")
    made = pages(folder)
    for path in folder.glob("*.md"):
        if path.name not in made and _is_made(path):
            path.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")
    print(f"{len(made)} pages in {folder}")


def _by_hand(name: str, folder: Path) -> str:
    """The file name of the page that a person wrote for this benchmark or its family; "" if there is none."""
    words = name.split("-")
    for count in range(len(words), 0, -1):
        path = folder / f"{'-'.join(words[:count])}.md"
        if path.is_file() and not _is_made(path):
            return path.name
    return ""


def _is_made(path: Path) -> bool:
    return path.read_text(encoding="utf-8").startswith(MADE)


def _introduction(benchmark: Benchmark) -> str:
    """What the benchmark's file says at its top, without the headline."""
    load = getattr(benchmark.load, "func", benchmark.load)  # of a partial
    _, _, rest = (sys.modules[load.__module__].__doc__ or "").partition("\n")
    return rest.strip()


def _source(benchmark: Benchmark) -> str:
    source = benchmark.source
    if source is None:
        return benchmark.homepage and f"<{benchmark.homepage}>"
    files = ", ".join(f"`{pattern}`" for pattern in source.files)
    return f"[{source.repo}]({home_of(source)}), {files}; {_revision(source)}; home: <{benchmark.homepage}>"


def _repeats(benchmark: Benchmark) -> str:
    often = benchmark.repeats
    return f"each question is asked {often} times, as the authors do; `--epochs N` asks N times" * (often > 1)


def _revision(source: Source) -> str:
    if source.kind == "tsv":
        return f"MD5 {source.md5}" if source.md5 else "no checksum is published"
    return "the revision is resolved at the first download and kept in `suite.json`"


def _aggregate(aggregate: Aggregate) -> str:
    over = f", over the strata of `{aggregate.by}`" if aggregate.by else ""
    weights = ", ".join(f"{name} {weight:g}" for name, weight in (aggregate.weights or {}).items())
    part = f", of the part `{aggregate.part}`" if aggregate.part else ""
    return f"{aggregate.name}{over}{f' weighted {weights}' if weights else ''}{part}"


def _cell(text: str) -> str:
    """On one line, with bars that do not end the cell."""
    return " ".join(text.split()).replace("|", r"\|")


if __name__ == "__main__":
    main()
