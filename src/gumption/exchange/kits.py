"""Which kit wrote a log, and every log below a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gumption.exchange import evalscope, inspect_logs, lmms_eval, vlmevalkit
from gumption.exchange.log import KitLog
from gumption.lines import read_lines
from gumption.records import GumptionError

__all__ = ["read_logs"]

_MOST_FILES = 100_000
_SUFFIXES = {".xlsx", ".tsv", ".json", ".jsonl", ".eval", ".pkl", ".gz"}


def read_logs(path: Path, model: str = "") -> tuple[list[KitLog], list[str]]:
    """The logs in a file, or in all files below a folder; of a folder also what was left out, and why.

    Which kit wrote a file is told by its name and its first bytes. Where a folder has several logs of one
    model on one data set, as VLMEvalKit leaves them, the one with the most verdicts stands. model: its name,
    for logs that do not say it. Raises GumptionError where nothing can be read.
    """
    if not path.is_dir():
        return [_reader(path)(path, model)], []
    logs: dict[tuple[str, str, str], KitLog] = {}
    left_out: list[str] = []
    files = sorted(file for file in path.rglob("*") if file.suffix.lower() in _SUFFIXES and file.is_file())
    if len(files) > _MOST_FILES:
        raise GumptionError(f"over {_MOST_FILES:,} files", where=str(path), remedy="give a smaller folder")
    for file in files:
        try:
            log = _reader(file)(file, model)
        except GumptionError as error:
            left_out.append(f"{file}: {error.problem}")
            continue
        key = log.kit, log.dataset, log.model
        other = logs.get(key)
        if other is not None:
            worse = log if other.scored >= log.scored else other
            left_out.append(f"{worse.file}: another log of the same run has as many verdicts or more")
        if other is None or other.scored < log.scored:
            logs[key] = log
    if not logs:
        raise GumptionError(
            "no log that can be read" + (f"; {left_out[0]}" if left_out else ""),
            where=str(path),
            remedy="give the output folder of VLMEvalKit, lmms-eval, evalscope or Inspect, or one file of it",
        )
    return list(logs.values()), left_out


def _reader(path: Path) -> Callable[[Path, str], KitLog]:
    if not path.is_file():
        raise GumptionError("no such file or folder", where=str(path), remedy="check the path")
    name = path.name.lower().removesuffix(".gz")
    if name.endswith(".eval"):
        return inspect_logs.read
    if name.endswith((".xlsx", ".tsv", ".pkl", ".pickle")):
        return vlmevalkit.read
    if name.endswith(".json"):
        with path.open("rb") as stream:
            head = stream.read(4096)
        # Inspect's own writer begins with the version and the specification of the evaluation.
        return inspect_logs.read if b'"eval"' in head else vlmevalkit.read
    if name.endswith(".jsonl"):
        first = next((line for _, line in read_lines(path) if line is None or line.strip()), b"") or b""
        if b'"sample_score"' in first or b'"model_output"' in first:
            return evalscope.read
        if b'resps"' in first:
            return lmms_eval.read
    raise GumptionError(
        "not a log of VLMEvalKit, lmms-eval, evalscope or Inspect",
        where=str(path),
        remedy="give MODEL_DATASET.{xlsx,tsv,json}, ..._samples_TASK.jsonl, reviews/MODEL/*.jsonl or *.eval",
    )
