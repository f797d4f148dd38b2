"""Run the usual benches, or those that are named: `python -m benches reading startup`; `--all` for every one.

The usual ones take about ten minutes on two quiet cores, all together some hours.
"""

from __future__ import annotations

import sys
from importlib import import_module

USUAL = (
    "startup",
    "table",
    "asking",
    "peers",
    "reading",
    "recording",
    "question_pool",
    "matching",
    "household",
    "sandbox",
    "curate",
)
LONG = (
    "agreement",
    "tabletop",
    "planning",
    "grounding",
    "golden_prodg",
    "viplan_logs",
    "viplan_oracle",
    "fidelity",
    "bootstrap",
    "adaptive",
    "curation",
    "embedding",
    "induction",
    "streaming",
    "rating_load",
    "ray",
)
BENCHES = (*USUAL, *LONG)


def main() -> None:
    named = [name for name in sys.argv[1:] if not name.startswith("--")]
    for name in named or (BENCHES if "--all" in sys.argv else USUAL):
        if name not in BENCHES:
            sys.exit(f"no bench is called {name!r}: one of {', '.join(BENCHES)}")
        import_module(f"benches.{name}").main()
        print(flush=True)


main()
