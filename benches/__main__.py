"""Run every bench, or those that are named: `python -m benches reading startup`."""

from __future__ import annotations

import sys
from importlib import import_module

BENCHES = (
    "startup",
    "reading",
    "recording",
    "asking",
    "agreement",
    "tabletop",
    "planning",
    "grounding",
    "golden_prodg",
    "viplan_logs",
    "viplan_oracle",
    "matching",
    "household",
    "fidelity",
    "bootstrap",
    "adaptive",
    "curation",
    "embedding",
    "question_pool",
    "induction",
    "curate",
    "streaming",
    "sandbox",
    "rating_load",
)


def main() -> None:
    wanted = sys.argv[1:] or BENCHES
    for name in wanted:
        if name not in BENCHES:
            sys.exit(f"no bench is called {name!r}: one of {', '.join(BENCHES)}")
        import_module(f"benches.{name}").main()
        print()


main()
