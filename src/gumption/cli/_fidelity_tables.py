"""What `gumption synthesize fidelity` prints: for a person, or as JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gumption.records import Interval

if TYPE_CHECKING:
    from gumption.synthesis.against import Fidelity
    from gumption.synthesis.fidelity import Pair, ScoringFidelity

__all__ = ["show"]

_SHOWN = 5
"""Replies with another score that are printed."""
_ENDING = 100
"""Characters of how such a reply ends."""


def show(found: Fidelity, *, recorded: Path | None, reference: str | None, as_json: bool) -> None:
    """Print it for a person, or as one line of JSON."""
    import msgspec

    if as_json:
        sys.stdout.write(msgspec.json.encode(_as_json(found)).decode() + "\n")
        return
    who = f"our benchmark {reference}" if reference else f"the scores in {recorded.name if recorded else ''}"
    print(f"The pipeline against {who}.\n")
    for line in (*_inference(found), *_readings(found), *_scoring(found), *_left_out(found)):
        # Names and replies are foreign: no sign of theirs may steer the terminal.
        print("".join(sign if sign.isprintable() else "\ufffd" for sign in line))


def _as_json(found: Fidelity) -> dict[str, Any]:
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(found)
    if found.scores is not None:
        told["scores"]["shifts"] = [
            {**msgspec.to_builtins(one), "shift": one.shift, "band": one.band} for one in found.scores.shifts
        ]
    return told


def _inference(found: Fidelity) -> Iterator[str]:
    yield "Inference fidelity (1 - edit distance / length of the longer; 1 is the same)"
    requests, outputs = found.requests, found.outputs
    if requests is None:
        why = (
            f"the reference's {found.blank:,} items show nothing that can be compared"
            if found.blank
            else "name a benchmark with --reference"
        )
        yield f"  requests   not compared: {why}"
    else:
        yield f"  requests   {requests.text:.4f}  mean over {requests.items:,} items"
        yield f"             {requests.equal:.1%} the same to the byte"
        yield f"             {requests.same_media:.1%} with the same pictures in the same order"
        if requests.unequal:
            yield f"             the first that differ: {', '.join(requests.unequal[:_SHOWN])}"
    if outputs is None:
        yield "  outputs    not compared: give replies to the pipeline's requests with --outputs"
    elif outputs.mean is None:
        yield "  outputs    not compared: no reply is of an item and model that the recorded replies have"
    else:
        missing = f"; {outputs.missing:,} missing" if outputs.missing else ""
        yield f"  outputs    {outputs.mean:.4f}  mean over {outputs.replies:,} replies{missing}"
    yield ""


def _readings(found: Fidelity) -> Iterator[str]:
    readings = found.readings
    if readings is None:
        return
    yield f"Reading: the reference reads an answer in {readings.read:,} of {readings.replies:,} replies"
    if readings.answered is not None:
        worst = f"; least for {readings.worst[0]}: {readings.worst[1]:.2%}" if readings.worst else ""
        yield f"  answered   {readings.answered:.2%}  of these are read here too{worst}"
    if readings.agreement is not None:
        yield f"  agreement  {readings.agreement:.2%}  of what both read is the same answer"
    yield f"  only here  {readings.only_here:,} replies in which the reference reads nothing"
    yield ""


def _scoring(found: Fidelity) -> Iterator[str]:
    scores = found.scores
    if scores is None:
        yield "Scoring fidelity: not measured; name replies with --recorded"
        return
    mean = "mean over categories of their means" if found.macro else "mean over replies"
    yield f"Scoring fidelity, on {scores.pairs:,} replies that both score"
    relative = "not defined: the reference scores 0 throughout"
    if scores.relative is not None:
        relative = f"{scores.relative:.4f}  mean over models of 1 - |score - reference| / reference"
    yield f"  paper's    {relative}"
    yield "  What that figure hides:"
    kappa = _interval(scores.kappa)
    yield f"  agreement  {scores.agreement:.2%}  of replies get the same score; kappa {kappa}"
    if scores.mcnemar is not None:
        yield (
            f"             {scores.lost:,} right by the reference alone, {scores.gained:,} right here alone "
            f"(McNemar p = {scores.mcnemar:.2g})"
        )
    else:
        yield f"             mean difference of a reply's score {scores.difference:.4f}"
    largest = scores.shifts[0]
    yield f"  shift      {100 * abs(largest.shift):.2f} points at most ({largest.model}, {largest.band})"
    if scores.tau.mean is None:
        why = "one model" if len(scores.shifts) < 2 else "one side ties all models"
        yield f"  order      not measured: {why}"
    else:
        pairs = len(scores.shifts) * (len(scores.shifts) - 1) // 2
        gap = f", the widest {100 * scores.largest_gap_swapped:.2f} points apart" if scores.swapped else ""
        tau = _interval(scores.tau)
        yield f"  order      tau {tau}; {scores.swapped} of {pairs} pairs of models swapped{gap}"
    yield ""
    yield from _models(scores, mean)
    yield from _unequal(scores.unequal, scores)


def _models(scores: ScoringFidelity, mean: str) -> Iterator[str]:
    width = max(5, *(len(one.model) for one in scores.shifts))
    yield f"By model ({mean}, in points; EASI's bands: good within 2.5, acceptable within 5)"
    yield f"  {'model':<{width}}  replies   here  reference   shift  band"
    for one in scores.shifts:
        yield (
            f"  {one.model:<{width}}  {one.items:>7,}  {100 * one.score:5.2f}  {100 * one.reference:9.2f}  "
            f"{100 * one.shift:+6.2f}  {one.band}"
        )
    yield ""


def _unequal(pairs: tuple[Pair, ...], scores: ScoringFidelity) -> Iterator[str]:
    if not pairs:
        return
    count = round((1 - (scores.agreement or 0)) * scores.pairs)
    yield f"Replies with another score ({count:,}; the first {min(count, _SHOWN)})"
    for one in pairs[:_SHOWN]:
        ends = " ".join(one.reply.split())[-_ENDING:]
        yield f"  {one.item}, {one.model}: {one.score:g} here, {one.reference:g} by the reference"
        yield f"    ... {ends!r}" if len(one.reply) > _ENDING else f"    {ends!r}"
    yield ""


def _left_out(found: Fidelity) -> Iterator[str]:
    scores = found.scores
    if found.unknown:
        names = ", ".join(found.unknown[:_SHOWN])
        yield f"Left out: replies to {len(found.unknown):,} items that one of the two has not: {names}"
    if found.failed:
        yield f"Left out: {found.failed:,} replies that only say that a request failed"
    if scores is not None and scores.only_score:
        yield f"Left out: {scores.only_score:,} replies that the reference gives no score"
    if scores is not None and scores.only_reference:
        yield f"Left out: {scores.only_reference:,} replies that the pipeline gives no score"
    for said, count in list(found.faults.items())[:_SHOWN]:
        yield f"  {count:,} times {said!r}"


def _interval(value: Interval) -> str:
    if value.mean is None:
        return "not defined"
    around = "" if value.low is None else f" ({value.low:.3f} to {value.high:.3f})"
    return f"{value.mean:.3f}{around}"
