"""The pages that set runs side by side: a row for each benchmark, and pages of its pairs of runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from gumption.ranking.people_file import PeopleFile
from gumption.reporting._boards import Board, ranked, ranking_row
from gumption.reporting._pages import FILE_LIMIT, Pages, encode
from gumption.reporting._pairs import MOST_COMPARED, SLICED_BY, pair_rows
from gumption.reporting._people import check_people, people_row
from gumption.reporting._weights import weights_row

__all__ = ["write_boards"]


def write_boards(
    boards: Sequence[Board], people: PeopleFile | None, data: Path, step: Callable[[], None]
) -> int:
    """Write the pages into the folder `data`; the number of pages of boards. `step` is called per board.

    Raises GumptionError where `people` rated too few of the models.
    """
    if people is not None:
        check_people(boards, people)
    pages = Pages(data, "boards", size=FILE_LIMIT)
    for number, board in enumerate(boards):
        row = _write_board(number, board, data)
        pages.add(encode(row if people is None else row | {"people": people_row(board, people)}))
        step()
    pages.close()
    return len(pages.starts)


def _write_board(number: int, board: Board, data: Path) -> dict[str, Any]:
    ranking = ranked(board)
    best_first = [model.row for model in ranking.models] if ranking else list(range(len(board.runs)))
    compared = best_first[:MOST_COMPARED]
    pairs = Pages(data, f"pairs-{number}")
    for row in pair_rows(board, compared):
        pairs.add(encode(row))
    pairs.close()
    return {
        "benchmark": board.benchmark,
        "aggregate": ranking.aggregate if ranking else board.aggregate.name,
        "items": len(board.items),
        "runs": [board.runs[row] for row in best_first],
        **ranking_row(board, ranking),
        "compared": [board.runs[row] for row in compared],
        "slices": {field: [name for name, _ in board.parts(field)] for field in SLICED_BY},
        "pair_starts": pairs.starts,
        "weights": weights_row(board),
    }
