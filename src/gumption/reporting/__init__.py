"""Scorecards and their evidence: to a terminal, to JSON and CSV, and as a folder of pages to look through."""

from gumption.reporting.leaderboard import Leaderboard, RankRow, rank_rows
from gumption.reporting.recorded import RecordedRun
from gumption.reporting.site import RunView, write_site
from gumption.reporting.standings import print_ranking
from gumption.reporting.tables import scorecard_csv, scorecard_json
from gumption.reporting.terminal import print_scorecard

__all__ = [
    "Leaderboard",
    "RankRow",
    "RecordedRun",
    "RunView",
    "print_ranking",
    "print_scorecard",
    "rank_rows",
    "scorecard_csv",
    "scorecard_json",
    "write_site",
]
