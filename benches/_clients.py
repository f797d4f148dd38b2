"""Programs that ask a server the questions of a file, each as its own documentation says.

All are told the same: so many requests under way, temperature 0, one attempt, nothing from a cache. Each
peer lives in an environment of its own, `GUMPTION_PEERS`/NAME or else `.venv/peers/NAME`, so that what is
installed for one costs the others nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benches._bare_loop import REPLIES
from benches._processes import ROOT

__all__ = ["BARE", "CLIENTS", "GUMPTION", "IN_FLIGHT", "KITS", "Client", "Job", "install"]

IN_FLIGHT = 32
_INSTALL_S = 600
_PEERS = Path(os.environ.get("GUMPTION_PEERS") or ROOT / ".venv" / "peers")


@dataclass(frozen=True)
class Job:
    """What a client is to do."""

    python: Path
    quiz: Path
    base_url: str
    out: Path
    """A new folder."""


@dataclass(frozen=True)
class Client:
    """A program, how it is called, and where it says how many answers were right."""

    name: str
    command: Callable[[Job], list[str | Path]]
    score: Callable[[Job], tuple[int, float]]
    """Items and the share that was right, after the command."""
    environment: Mapping[str, str] = field(default_factory=dict)
    kit: str = ""
    """The peer whose environment it needs; "" for ours."""

    @property
    def python(self) -> Path | None:
        """The interpreter that has it; None where it is not installed."""
        python = _PEERS / self.kit / "bin" / "python" if self.kit else Path(sys.executable)
        return python if python.exists() else None


KITS = {
    "evalscope": ("evalscope==1.14.1",),
    "inspect_ai": ("inspect-ai==0.3.285", "openai==3.57.0"),
}
"""Peers, and what pip is asked for."""


def install(kit: str) -> str:
    """Make the environment of a peer with pip, within ten minutes. What stopped it, "" if nothing did."""
    folder = _PEERS / kit
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    command: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "-q", *KITS[kit]]
    try:
        done = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True, timeout=_INSTALL_S)
    except subprocess.TimeoutExpired:
        return f"not installed within {_INSTALL_S} s"
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


def _bare_command(job: Job) -> list[str | Path]:
    return [job.python, "-m", "benches._bare_loop", job.quiz, job.base_url, str(IN_FLIGHT)]


def _bare_score(job: Job) -> tuple[int, float]:
    gold = {row["id"]: row["answer"] for row in _lines(job.quiz)}
    right = [row["reply"].endswith(gold[row["id"]]) for row in _lines(job.quiz.parent / REPLIES)]
    return len(right), sum(right) / len(right)


def _gumption_command(job: Job) -> list[str | Path]:
    return [
        job.python, "-m", "gumption", "run", job.quiz, "--model", "openai/m", "--base-url", job.base_url,
        "--concurrency", str(IN_FLIGHT), "--out", job.out,
    ]  # fmt: skip


def _gumption_score(job: Job) -> tuple[int, float]:
    from gumption.running import Run

    values = Run.open(job.out).scores().column("value").to_pylist()
    return len(values), sum(value or 0.0 for value in values) / len(values)


def _evalscope_command(job: Job) -> list[str | Path]:
    """Its visual multiple choice of one's own data: general_vmcq."""
    rows = [
        {
            "question": f"<image 1> {row['question']}",
            "options": row["choices"],
            "image_1": str(job.quiz.parent / row["image"]),
            "answer": row["answer"],
        }
        for row in _lines(job.quiz)
    ]
    (job.quiz.parent / "quiz_val.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    data = {"general_vmcq": {"local_path": str(job.quiz.parent), "subset_list": ["quiz"], "few_shot_num": 0}}
    return [
        job.python, "-m", "evalscope.cli.cli", "eval", "--model", "m", "--eval-type", "openai_api",
        "--api-url", job.base_url, "--api-key", "none", "--datasets", "general_vmcq",
        "--dataset-args", json.dumps(data), "--eval-batch-size", str(IN_FLIGHT),
        "--generation-config", json.dumps({"temperature": 0, "retries": 1}),
        "--work-dir", job.out, "--no-timestamp",
    ]  # fmt: skip


def _evalscope_score(job: Job) -> tuple[int, float]:
    report = json.loads((job.out / "reports" / "m" / "general_vmcq.json").read_text())
    (metric,) = report["metrics"]
    return int(metric["num"]), float(metric["score"])


def _inspect_command(job: Job) -> list[str | Path]:
    return [
        job.python, "-m", "inspect_ai", "eval", "benches/_inspect_quiz.py@quiz", "-T", f"file={job.quiz}",
        "--model", "openai-api/mock/m", "--model-base-url", job.base_url, "--temperature", "0",
        "--max-connections", str(IN_FLIGHT), "--max-samples", str(IN_FLIGHT), "--max-retries", "0",
        "--display", "none", "--log-dir", job.out,
    ]  # fmt: skip


def _lean_inspect_command(job: Job) -> list[str | Path]:
    return [*_inspect_command(job), "--no-log-realtime", "--no-log-images"]


def _inspect_score(job: Job) -> tuple[int, float]:
    (log,) = job.out.glob("*.eval")
    command: list[str | Path] = [job.python, "-m", "inspect_ai", "log", "dump", "--header-only", log]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT).stdout
    results = json.loads(said)["results"]
    return int(results["completed_samples"]), float(results["scores"][0]["metrics"]["accuracy"]["value"])


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


_KEY = {"MOCK_API_KEY": "none"}
BARE = Client("bare loop over the openai SDK", _bare_command, _bare_score)
GUMPTION = Client("gumption run", _gumption_command, _gumption_score)
CLIENTS = (
    BARE,
    GUMPTION,
    Client("evalscope", _evalscope_command, _evalscope_score, kit="evalscope"),
    Client("inspect_ai", _inspect_command, _inspect_score, _KEY, "inspect_ai"),
    Client("inspect_ai, lean logs", _lean_inspect_command, _inspect_score, _KEY, "inspect_ai"),
)
