"""A leaderboard and its parts as LaTeX tables (booktabs), every number with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gumption.records import Interval, Slice
from gumption.reporting._percentages import percentage
from gumption.reporting._tex import tex
from gumption.reporting.leaderboard import FULL_ENOUGH, Leaderboard, RankRow

__all__ = ["latex_tables"]

_HEAD = (
    r"% Needs \usepackage{booktabs}. Letters beyond Latin need XeLaTeX or LuaLaTeX.",
    "% All numbers but ranks and counts are percentages.",
)
_SIDE_BY_SIDE = 3
"""Parts that fit beside one another with their intervals."""
_PAGE = 40
"""More models than this are set smaller; over some 60 no longer fit on one page."""


def latex_tables(board: Leaderboard) -> str:
    """The leaderboard, then the parts (dimensions or categories), three beside one another in each table.

    Each is a `table` with a caption and a label, `tab:leaderboard` and `tab:parts-1`, .... Names are escaped:
    nothing in them is a command.
    """
    size = r"\small" if len(board.rows) <= _PAGE else r"\footnotesize"
    tables = [_table(_leaderboard(board), _caption(board), "tab:leaderboard", size)]
    parts = board.parts()
    for number, first in enumerate(range(0, len(parts), _SIDE_BY_SIDE), 1):
        caption = f"{tex(board.suite)} by {board.by}: means and 95\\,\\% intervals."
        tables.append(
            _table(_parts(board, parts[first : first + _SIDE_BY_SIDE]), caption, f"tab:parts-{number}", size)
        )
    return "\n".join([*_HEAD, *tables])


def _leaderboard(board: Leaderboard) -> Iterator[str]:
    measured = any(row.adjusted is not None for row in board.rows)
    head = ["Model", "Rank", "Score", r"95\,\% interval", "Tier", "Items", "Coverage"]
    head += ["Adjusted", "Unread"] if measured else []
    yield f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}"
    yield r"\toprule"
    yield _line(head)
    yield r"\midrule"
    for row, after in zip(board.rows, (*board.rows[1:], None), strict=True):
        cells = [tex(row.model), _places(row), _signed(row.official.mean), _ends(row.official), row.tier]
        cells += [f"{row.n:,}".replace(",", r"\,"), percentage(row.coverage)]
        cells += [_signed(row.adjusted), _signed(row.unread)] if measured else []
        yield _line(cells)
        if after is not None and after.tier != row.tier:
            yield r"\addlinespace"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _parts(board: Leaderboard, parts: Sequence[str]) -> Iterator[str]:
    columns = [board.cells(part) for part in parts]
    yield f"\\begin{{tabular}}{{l{'rr' * len(parts)}}}"
    yield r"\toprule"
    yield _line(["", *(f"\\multicolumn{{2}}{{c}}{{{tex(part)}}}" for part in parts)])
    yield "".join(f"\\cmidrule(lr){{{2 * at + 2}-{2 * at + 3}}}" for at in range(len(parts)))
    yield _line(["Model", *([r"mean", r"95\,\%"] * len(parts))])
    yield r"\midrule"
    for place, row in enumerate(board.rows):
        yield _line([tex(row.model), *(cell for column in columns for cell in _cells(column[place]))])
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _cells(part: Slice | None) -> tuple[str, str]:
    return ("--", "") if part is None else (_signed(part.score.mean), _ends(part.score))


def _table(lines: Iterator[str], caption: str, label: str, size: str) -> str:
    inside = "\n".join(lines)
    return (
        f"\\begin{{table}}\n\\centering{size}\n\\caption{{{caption}}}\\label{{{label}}}\n{inside}\n"
        f"\\end{{table}}\n"
    )


def _caption(board: Leaderboard) -> str:
    said = (
        f"{tex(board.suite)}, ranked by {tex(board.aggregate)}. Rank a (b to c): b to c are the places that "
        r"the data leave open at 95\,\%. Models of one tier are not told apart from its best."
    )
    low = f"{FULL_ENOUGH:.0%}".replace("%", r"\,\%")
    flagged = any(row.coverage < FULL_ENOUGH for row in board.rows)
    return f"{said} $^*$ Coverage under {low}." if flagged else said


def _places(row: RankRow) -> str:
    mark = "" if row.coverage >= FULL_ENOUGH else "$^*$"
    return f"{row.rank}{mark}" + (
        "" if row.rank_low == row.rank_high else f" ({row.rank_low} to {row.rank_high})"
    )


def _ends(interval: Interval) -> str:
    if interval.low is None or interval.high is None:
        return ""
    return f"{_signed(interval.low)} to {_signed(interval.high)}"


def _signed(share: float | None) -> str:
    """A minus as mathematics sets it; two hyphens, which are a dash, where nothing is known."""
    return "--" if share is None else percentage(share).replace("-", "$-$")


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"
