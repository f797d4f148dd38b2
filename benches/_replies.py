"""Replies to measure with: BLINK's published ones where the public data are there, else made ones alike."""

from __future__ import annotations

import gzip
import itertools
import os
from pathlib import Path
from random import Random

import msgspec

from gumption.records import Answer

_PUBLIC = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or Path(__file__).parents[2] / "shared" / "data")
_CHOICES = {"A": "the second image", "B": "the third image"}
_SENTENCE = "The lighting of the second image agrees with the first one and the edges continue smoothly. "


def replies(count: int) -> tuple[str, list[tuple[str, Answer]]]:
    """Where they are from, and `count` pairs of a reply and the answer it was asked for."""
    raw = _PUBLIC / "response_matrices" / "blink_raw_val.jsonl.gz"
    if raw.exists():
        items = msgspec.json.decode(
            b"[" + b",".join((raw.parent / "blink_val.items.jsonl").read_bytes().splitlines()) + b"]"
        )
        answers = {
            item["id"]: Answer(
                "choice", item["answer"].strip("()"), item["choices"] or dict.fromkeys("ABCD", "")
            )
            for item in items
        }
        with gzip.open(raw) as stream:
            rows = [msgspec.json.decode(line) for line in stream]
        found = [(row["reply"], answers[row["id"]]) for row in rows]
        Random(0).shuffle(found)
        return "BLINK, 19 models", list(itertools.islice(itertools.cycle(found), count))
    return "made: 60 % a letter, else up to six sentences", made(count)


def made(count: int) -> list[tuple[str, Answer]]:
    """The same for everybody, with public data or without."""
    generator = Random(0)
    pairs = []
    for _ in range(count):
        letter = generator.choice("AB")
        text = (
            letter
            if generator.random() < 0.6
            else f"{_SENTENCE * generator.randrange(6)}The answer is ({letter})."
        )
        pairs.append((text, Answer("choice", generator.choice("AB"), _CHOICES)))
    return pairs
