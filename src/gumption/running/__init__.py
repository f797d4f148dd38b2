"""The engine: drives episodes, keeps every reply, scores what was kept."""

from gumption.running._asking import settled
from gumption.running.run import run, score_run
from gumption.running.scores import read_scores, scores_table, write_scores
from gumption.running.shard import Asked, Progress, ask_shard
from gumption.running.spread import Spread, opened_model
from gumption.running.stopping import run_until
from gumption.running.store import Protocol, Run, RunInfo
from gumption.running.talks import Talk, TalkProgress, hold

__all__ = [
    "Asked",
    "Progress",
    "Protocol",
    "Run",
    "RunInfo",
    "Spread",
    "Talk",
    "TalkProgress",
    "ask_shard",
    "hold",
    "opened_model",
    "read_scores",
    "run",
    "run_until",
    "score_run",
    "scores_table",
    "settled",
    "write_scores",
]
