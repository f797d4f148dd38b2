"""The fenced code blocks of the documentation, with the marks that stand before them.

<!-- not run: REASON -->   parsed and checked, but not run; REASON is a key of NOT_RUN, several with ";"
<!-- before: COMMAND -->   what the reader has done before; it is run first
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["NOT_RUN", "Block", "blocks_of", "documents"]

NOT_RUN = {
    "needs a model server": r"(openai|inspect|vllm|sglang)/|^export OPENAI",
    "needs data from elsewhere": r"",
    "needs people": r"",
    "needs a sandbox": r"",
    "takes minutes": r"",
    "run in a guide": r"",
    "changes the clone": r"",
    "another program": r"^(?!gumption )",
    "a form to fill in": r"\.\.\.|[A-Z]{3}|\b(RUN|NAME|FILE|DIR|URL)\b",
    "a diagram": r"",
    "an output of a long run": r"",
}
"""The reasons that are allowed, each with the lines of a block that it is about; the others are run."""

FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,})(?P<language>\w*)[^`]*$")
MARK = re.compile(r"^ *<!-- (?P<kind>not run|before): (?P<text>.*) -->$")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: str
    """From the repository's root."""
    line: int
    language: str
    lines: tuple[str, ...]
    not_run: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def where(self) -> str:
        return f"{self.page}:{self.line}"

    def is_left_out(self, line: str) -> bool:
        """Whether a reason that the block is marked with is about this line."""
        return any(re.search(NOT_RUN[reason], line) for reason in self.not_run)


@dataclass
class _Marks:
    not_run: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)


def documents(repository: Path) -> list[Path]:
    """Every page that a reader may follow."""
    return [
        repository / "README.md",
        repository / "CONTRIBUTING.md",
        *sorted((repository / "docs").rglob("*.md")),
    ]


def blocks_of(path: Path, repository: Path) -> Iterator[Block]:
    """The blocks of a page in order. Raises ValueError for an open fence, and for a mark before no block."""
    page = path.relative_to(repository).as_posix()
    marks = _Marks()
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    for number, line in lines:
        mark, fence = MARK.match(line), FENCE.match(line)
        if mark:
            if mark["kind"] == "before":
                marks.before.append(mark["text"])
            else:
                marks.not_run += mark["text"].split("; ")
        elif fence:
            inside = []
            for _, further in lines:
                if further.strip() == fence["ticks"]:
                    break
                inside.append(further.removeprefix(fence["indent"]))
            else:
                raise ValueError(f"{page}:{number}: a fence that is not closed")
            yield Block(
                page, number, fence["language"], tuple(inside), tuple(marks.not_run), tuple(marks.before)
            )
            marks = _Marks()
        elif line.strip() and (marks.not_run or marks.before):
            raise ValueError(f"{page}:{number}: a mark stands right before its block")
