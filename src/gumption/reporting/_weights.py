"""What the order of a board's runs owes to how its dimensions are weighed."""

from __future__ import annotations

from typing import Any

import numpy as np

from gumption.ranking import sensitivity
from gumption.reporting._boards import Board

__all__ = ["weights_row"]

DRAWS = 200


def weights_row(board: Board) -> dict[str, Any]:
    """The places of the board's runs under equal, proportional and random weights of their dimensions.

    Categories stand in where fewer than two dimensions are named. `{"why": ...}` where there is nothing to
    weigh.
    """
    field = next((field for field in ("dimension", "category") if len(board.parts(field)) > 1), None)
    if field is None:
        return {"why": "The items name fewer than two dimensions or categories: there is nothing to weigh."}
    named = [place for place, item in enumerate(board.items) if getattr(item, field)]
    scores = board.values[:, named]
    rows = np.flatnonzero(~np.isnan(scores).all(axis=1))
    if len(rows) < 2:
        return {"why": "Fewer than two runs were scored: there is no order that weights could change."}
    found = sensitivity(
        scores[rows],
        [getattr(board.items[place], field) for place in named],
        models=[board.names[row] for row in rows],
        draws=DRAWS,
    )
    return {
        "by": field,
        "parts": list(zip(found.parts, found.sizes, strict=True)),
        "draws": DRAWS,
        "models": [
            {
                "run": board.runs[row],
                "places": {one.name: one.place[number] for one in found.named.found},
                "range": [model.best, model.worst],
                "most": [model.place_low, model.place_high],
                "shares": [round(share, 4) for share in model.shares],
                "first": round(model.first, 4),
            }
            for number, (row, model) in enumerate(zip(rows.tolist(), found.models, strict=True))
        ],
        "swapped": found.named.swapped,
        "pairs": found.named.pairs,
        "tau": [round(found.tau.mean, 4), round(found.tau.low, 4), round(found.tau.high, 4)],
    }
