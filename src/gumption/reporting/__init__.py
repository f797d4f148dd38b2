"""Scorecards and their evidence: to a terminal, to JSON and CSV, and as a folder of pages to look through."""

from gumption.reporting.recorded import RecordedRun
from gumption.reporting.site import RunView, write_site
from gumption.reporting.tables import scorecard_csv, scorecard_json
from gumption.reporting.terminal import RankRow, print_ranking, print_scorecard

__all__ = [
    "RankRow",
    "RecordedRun",
    "RunView",
    "print_ranking",
    "print_scorecard",
    "scorecard_csv",
    "scorecard_json",
    "write_site",
]
