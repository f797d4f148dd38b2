"""`gumption denominators`: how many items published percentages can come from."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

__all__ = ["denominators"]

_MOST_SHOWN = 20


def denominators(
    figures: Annotated[list[str], typer.Argument(help="Percentages of one benchmark, as they were printed.")],
    most: Annotated[int, typer.Option("--max", help="The largest number of items that is tried.")] = 6000,
    digits: Annotated[
        int | None,
        typer.Option(help="Digits behind the point, where zeros at the end were left out in writing."),
    ] = None,
    of: Annotated[
        int | None, typer.Option(help="Say for each figure whether it can come from this number of items.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find every n for which all figures are k/n to the printed digits: it shows subsets and dropped items.

    Example:  gumption denominators 58.74 62.94 88.11 73.43 68.53 87.41

    A figure that is alone fits many n. The column "by chance" says how likely an n is to fit any figures.
    """
    import msgspec

    from gumption.ranking.denominators import denominators as find
    from gumption.ranking.denominators import numerators

    if of is not None:
        counts = numerators(figures, of, digits)
        if as_json:
            sys.stdout.write(msgspec.json.encode({"n": of, "counts": counts}).decode() + "\n")
            return
        for figure, count in zip(figures, counts, strict=True):
            print(f"{figure:>8}  {'no' if count is None else f'{count}/{of}'}")
        fit = sum(count is not None for count in counts)
        print(f"{fit} of {len(figures)} figures can come from {of} items.")
        return
    found = find(figures, most, digits)
    if as_json:
        sys.stdout.write(msgspec.json.encode({"denominators": found}).decode() + "\n")
        return
    if not found:
        print(f"No number of items up to {most:,} gives all {len(figures)} figures.")
        print("Some may rest on fewer items: leave figures out, or ask for one number with --of N.")
        return
    print(f"{'n':>7}  {'by chance':>9}  k")
    for one in found[:_MOST_SHOWN]:
        print(f"{one.n:>7,}  {one.by_chance:>9.2g}  {', '.join(map(str, one.counts))}")
    if len(found) > _MOST_SHOWN:
        print(f"and {len(found) - _MOST_SHOWN:,} more up to {most:,}")
