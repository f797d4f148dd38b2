"""The engine: drives episodes, keeps every reply, scores what was kept."""

from gumption.running.run import Progress, run, score_run
from gumption.running.scores import read_scores, scores_table, write_scores
from gumption.running.store import Protocol, Run, RunInfo

__all__ = [
    "Progress",
    "Protocol",
    "Run",
    "RunInfo",
    "read_scores",
    "run",
    "score_run",
    "scores_table",
    "write_scores",
]
