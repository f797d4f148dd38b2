"""A leaderboard as LaTeX and CSV: hand-worked tables, and names that try to be commands."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.ranking import RankedModel, Ranking
from gumption.records import GumptionError, Interval
from gumption.reporting import Leaderboard
from gumption.reporting._tex import tex
from gumption.reporting.latex import latex_tables
from gumption.reporting.tables import leaderboard_csv

HOSTILE = r"50%_\input{a}&#$~^"


def place(model: str, row: int, rank: int, tier: int, **more) -> RankedModel:
    fields = {"rank_low": rank, "rank_high": rank, "n": 8, "coverage": 0.8, "flagged": True} | more
    return RankedModel(model=model, row=row, score=Interval(0.7, 0.6, 0.8), rank=rank, tier=tier, **fields)


@pytest.fixture
def board(made) -> Leaderboard:
    """Two models: the second that was given is the best. See `make_card` for what each scored."""
    ranking = Ranking(
        models=(place(HOSTILE, 1, 1, 1, rank_high=2), place("plain", 0, 2, 2, rank_low=1)),
        beats=((0.5, 0.98), (0.02, 0.5)),
        aggregate="macro over category",
        items=10,
        clusters=10,
    )
    nothing = {"dimensions": (), "total": made.slice("total", 0.25, 1000, 1000, unread=0.5)}
    return Leaderboard.of(ranking, [made.card("plain", **nothing), made.card(HOSTILE)])


def rows_of(text: str) -> list[list[str]]:
    return [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if line.endswith(r" \\")]


def test_the_leaderboard_by_hand(board: Leaderboard) -> None:
    text = latex_tables(board)
    head, best, second = rows_of(text)[:3]
    assert head[:7] == ["Model", "Rank", "Score", r"95\,\% interval", "Tier", "Items", "Coverage"]
    # Ten planned, eight scored, six right of a guess level of one half; official mean .7 in [.6, .8].
    name = r"50\%\_\textbackslash{}input\{a\}\&\#\$\textasciitilde{}\textasciicircum{}"
    assert best == [name, "1$^*$ (1 to 2)", "70.0", "60.0 to 80.0", "1", "8", "80.0", "50.0", "12.5"]
    assert second == [
        "plain",
        "2 (1 to 2)",
        "70.0",
        "60.0 to 80.0",
        "2",
        r"1\,000",
        "100.0",
        "$-$50.0",
        "50.0",
    ]
    assert r"$^*$ Coverage under 95\,\%" in text


def test_the_parts_by_hand(board: Leaderboard) -> None:
    rows = rows_of(latex_tables(board))
    at = rows.index(["", r"\multicolumn{2}{c}{Count}", r"\multicolumn{2}{c}{Depth}"])
    assert rows[at + 1] == ["Model", "mean", r"95\,\%", "mean", r"95\,\%"]
    assert rows[at + 2][1:] == ["66.7", "56.7 to 76.7", "80.0", "70.0 to 90.0"]


def test_tables_are_whole(board: Leaderboard) -> None:
    """Every environment is closed, every row has as many cells as its table has columns."""
    text = latex_tables(board)
    assert re.findall(r"\\begin\{(\w+)", text) == ["table", "tabular"] * 2
    for tabular in re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", text, re.DOTALL):
        columns, body = tabular
        for row in rows_of(body):
            spans = sum(int(span) - 1 for cell in row for span in re.findall(r"multicolumn\{(\d)\}", cell))
            assert len(row) + spans == len(columns)


def test_without_replies_what_only_they_tell_is_not_made_up(board: Leaderboard, made) -> None:
    ranking = Ranking((place("one", 0, 1, 1),), ((0.5,),), "micro", 10, 10)
    bare = Leaderboard.of(ranking, [made.card("one")], replies=False)
    assert "Unread" not in latex_tables(bare) and "Adjusted" not in latex_tables(bare)
    total = next(csv.DictReader(io.StringIO(leaderboard_csv(bare))))
    assert total["mean"] == "0.75" and total["coverage"] == "0.8"
    assert all(total[name] == "" for name in ("unread", "refused", "truncated", "chance", "adjusted_mean"))


def test_csv_has_places_on_totals_and_every_slice(board: Leaderboard) -> None:
    rows = list(csv.DictReader(io.StringIO(leaderboard_csv(board))))
    assert [(row["model"], row["slice"], row["name"], row["rank"]) for row in rows] == [
        (HOSTILE, "total", "total", "1"),
        (HOSTILE, "category", "Depth", ""),
        (HOSTILE, "category", "Count", ""),
        (HOSTILE, "dimension", "Space", ""),
        ("plain", "total", "total", "2"),
        ("plain", "category", "Depth", ""),
        ("plain", "category", "Count", ""),
    ]
    best = rows[0]
    assert [best[name] for name in ("rank_low", "rank_high", "tier")] == ["1", "2", "1"]
    assert [best[name] for name in ("score_name", "score_mean", "score_low", "score_high")] == [
        "macro over category", "0.7", "0.6", "0.8"
    ]  # fmt: skip
    assert float(best["unread"]) == 0.125


def test_scorecards_that_are_not_the_ranked_models_are_refused(made) -> None:
    ranking = Ranking((place("one", 0, 1, 1),), ((0.5,),), "micro", 10, 10)
    with pytest.raises(GumptionError, match="2 scorecards"):
        Leaderboard.of(ranking, [made.card("one"), made.card("two")])


# What TeX prints for each command (The TeXbook, appendix B and F; LaTeX's text symbols).
PRINTED = {
    r"\textbackslash{}": "\\", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\%": "%",
    r"\_": "_", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", r"\textasciigrave{}": "`", r"\textquotesingle{}": "'",
    r"{\ttfamily\char34}": '"', r"\ldots{}": "…", r"\textendash{}": "–", r"\textemdash{}": "—",
    "{[}": "[", "{]}": "]", "{*}": "*", "{}": "",
}  # fmt: skip
TOKEN = re.compile("|".join(map(re.escape, sorted(PRINTED, key=len, reverse=True))) + "|.", re.DOTALL)
ACTIVE = set("\\{}$&#%_^~")


def typeset(source: str) -> str:
    """What LaTeX prints; anything that is neither a known command nor a plain letter is an error."""
    printed = []
    for token in TOKEN.findall(source):
        assert token in PRINTED or token not in ACTIVE, f"{token!r} would be a command in {source!r}"
        printed.append(PRINTED.get(token, token))
    return "".join(printed)


@given(st.text())
def test_escaped_text_prints_as_it_is(text: str) -> None:
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in " ".join(text.split())
    )
    assert typeset(tex(text)) == shown


@given(st.text(alphabet="-,'`?!<>\"[*\\{}%$&#_^~ab"))
def test_nothing_joins_or_is_an_argument(text: str) -> None:
    """In TeX's fonts -- is a dash, ,, and '' are quotes, ?` and !` are turned marks, \\ [ is an argument."""
    source = tex(text)
    assert not re.search(r"--|,,|''|\?`|!`|<<|>>", source)
    assert not source.startswith(("[", "*"))
    assert typeset(source) == " ".join(text.split())
