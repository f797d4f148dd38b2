"""JSON and CSV hold the numbers of the scorecard, unrounded, where a reader looks for them."""

from __future__ import annotations

import csv
import io
import json

from gumption.reporting import scorecard_csv, scorecard_json

KEYS = {
    *("benchmark", "model", "official", "micro", "macro", "n", "planned", "coverage", "bounds"),
    *("unread", "refused", "truncated", "ambiguous", "chance", "adjusted"),
    *(
        "categories",
        "dimensions",
        "further",
        "statuses",
        "outcomes",
        "parts",
        "failures",
        "protocol",
        "notes",
        "stopped",
    ),
}


def test_json_has_the_agreed_keys_and_hand_worked_numbers(made):
    plain = json.loads(json.dumps(scorecard_json(made.card())))
    assert set(plain) == KEYS
    assert plain["official"] == {
        "mean": 0.7, "low": 0.6, "high": 0.8, "method": "bootstrap", "name": "macro over category",
    }  # fmt: skip
    assert (plain["micro"]["mean"], plain["n"], plain["planned"], plain["coverage"]) == (0.75, 8, 10, 0.8)
    # Six right of ten planned: 0.6 if the two missing were wrong, 0.8 if they were right.
    assert plain["bounds"] == [0.6, 0.8]
    # One of eight scored was unread, two were truncated.
    assert (plain["unread"], plain["truncated"], plain["refused"], plain["ambiguous"]) == (0.125, 0.25, 0, 0)
    # (0.75 - 0.5) / (1 - 0.5)
    assert plain["adjusted"]["mean"] == 0.5
    assert [(part["name"], part["score"]["mean"], part["n"]) for part in plain["categories"]] == [
        ("Depth", 0.8, 5),
        ("Count", 2 / 3, 3),
    ]
    assert plain["dimensions"][0]["score"]["mean"] is None


def test_csv_parses_back_to_one_row_per_slice(made):
    cards = [made.card("Model, A"), made.card('Model "B"\nsecond line')]
    rows = list(csv.DictReader(io.StringIO(scorecard_csv(cards), newline="")))
    assert [(row["model"], row["slice"], row["name"]) for row in rows] == [
        (card.model, kind, name)
        for card in cards
        for kind, name in [
            ("total", "total"),
            ("category", "Depth"),
            ("category", "Count"),
            ("dimension", "Space"),
        ]
    ]
    total, depth, count, space = rows[:4]
    assert {row["benchmark"] for row in rows} == {"Toy"}
    numbers = {"mean": 0.75, "low": 0.65, "high": 0.85, "coverage": 0.8, "bound_low": 0.6, "bound_high": 0.8}
    assert {name: float(total[name]) for name in numbers} == numbers
    assert (total["official_name"], float(total["official_mean"])) == ("macro over category", 0.7)
    assert (depth["official_mean"], depth["official_name"]) == ("", "")
    assert float(count["mean"]) == 2 / 3, "unrounded"
    assert (space["mean"], space["adjusted_mean"], space["n"], space["planned"]) == ("", "", "0", "1")


def test_csv_of_no_scorecard_is_a_header():
    assert scorecard_csv([]).splitlines()[0].split(",")[:4] == ["benchmark", "model", "slice", "name"]
