"""Every code block of the documentation: run as a reader would run it, or else parsed and checked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from doc_blocks import NOT_RUN, Block, blocks_of, documents
from doc_commands import check, check_mention, command_lines, words_of
from doc_files import make_files

REPOSITORY = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("doc_runner.py")
PAGES = {path.relative_to(REPOSITORY).as_posix(): path for path in documents(REPOSITORY)}
BLOCKS = {page: list(blocks_of(path, REPOSITORY)) for page, path in PAGES.items()}
ALL = [block for blocks in BLOCKS.values() for block in blocks]
RUN = {"sh": "command", "python": "python", "sql": "sql", "text": "text"}
CHECKED = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}


def test_the_marks_are_known_and_not_stale() -> None:
    for block in ALL:
        unknown = set(block.not_run) - NOT_RUN.keys()
        assert not unknown, f"{block.where}: {unknown} is none of {list(NOT_RUN)}"
        lines = list(command_lines(block.lines)) if block.language == "sh" else [block.text]
        assert not block.not_run or any(map(block.is_left_out, lines)), f"{block.where}: all of it can run"


def test_every_block_says_what_it_is() -> None:
    odd = [block.where for block in ALL if block.language not in RUN | CHECKED]
    assert not odd, f"a fence needs one of {[*RUN, *CHECKED]}"


@pytest.mark.parametrize("page", [page for page, blocks in BLOCKS.items() if blocks])
def test_commands_and_data_are_well_formed(page: str) -> None:
    wrong = []
    for block in BLOCKS[page]:
        try:
            if block.language == "sh":
                for line in command_lines(block.lines):
                    check(words_of(line), REPOSITORY)
            elif block.language == "python":
                compile(block.text, block.where, "exec")
            elif block.language in CHECKED:
                _read(block)
        except Exception as error:  # told with its place, and the next block is looked at too
            wrong.append(f"{block.where}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


def test_what_can_run_here_runs(tmp_path: Path) -> None:
    pages = []
    for number, (page, blocks) in enumerate(BLOCKS.items()):
        steps = [step for block in blocks for step in _steps(block)]
        if steps:
            folder = tmp_path / f"{number}-{Path(page).stem}" / "reader"
            make_files(folder)
            pages.append({"folder": str(folder), "steps": steps})
    (tmp_path / "pages.json").write_text(json.dumps(pages))
    surroundings = {**os.environ, "COLUMNS": "100", "GUMPTION_PUBLIC_DATA": str(tmp_path / "none")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", RUNNER, tmp_path / "pages.json"],
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_running_text_mentions_exists() -> None:
    wrong = []
    for page, path in PAGES.items():
        prose = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for mention in re.findall(r"`(gumption [a-z][^`]*)`", prose):
            try:
                check_mention(mention.split())
            except ValueError as error:
                wrong.append(f"{page}: {mention}: {error}")
    assert not wrong, "\n".join(wrong)


def _steps(block: Block) -> list[dict[str, Any]]:
    """What the runner does for a block; nothing for data, and for lines that are left out."""
    steps = [_command(line, block) for line in block.before]
    kind = RUN.get(block.language)
    if kind == "command":
        steps += [_command(line, block) for line in command_lines(block.lines) if not block.is_left_out(line)]
    elif kind and not block.is_left_out(block.text):
        steps.append({"where": block.where, "kind": kind, "source": block.text})
    return steps


def _command(line: str, block: Block) -> dict[str, Any]:
    words = words_of(line)
    assert words[0] == "gumption", f"{block.where}: mark the block as not run: {line}"
    return {
        "where": block.where,
        "kind": "command",
        "source": {"words": words, "code": int("code 1" in line)},
    }


def _read(block: Block) -> None:
    """As one document, or as JSON lines."""
    if block.language == "json" and len(block.lines) > 1:
        try:
            for line in block.lines:
                json.loads(line)
            return
        except json.JSONDecodeError:
            pass
    CHECKED[block.language](block.text)
