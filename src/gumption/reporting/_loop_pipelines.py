"""The part of a loop's page about the pipelines that were written, beside the built-in scorers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gumption.reporting._certificate_words import decimal
from gumption.reporting._percentages import percentage
from gumption.reporting._pieces import grid, said

if TYPE_CHECKING:
    from gumption.reporting.loop import Loop, PipelineRow

__all__ = ["pipelines_html"]


def pipelines_html(loop: Loop) -> Iterator[str]:
    """The section on pipelines."""
    yield '<h2 id="pipelines">Pipelines that were written, beside the built-in scorers</h2>'
    if loop.no_pipelines:
        yield f'<p class="fault">Left out: {said(loop.no_pipelines)}</p>'
        return
    yield (
        "<p>Questions of the pool were laid into folders as strangers publish them: a README, data, "
        "pictures. From each the Eval Agent, here by rules and without a model, wrote how it is asked and "
        "scored, and proved it in a sandbox. Then both scorers marked the same replies of all models.</p>"
    )
    yield from grid(
        ("Folder", "Items", "Result", "Checks", "Faults noticed", "Same score", "kappa", "Request"),
        map(_pipeline, loop.pipelines),
    )
    yield (
        "<p class='quiet'>Checks: those that passed, on made replies among others. Faults noticed: small "
        "changes put into the code, of those that change any score. Same score: replies to which both give "
        "the same. Request: how alike the words of the question are to ours (1 - edit distance / length), "
        "with the share of items that show the same pictures below.</p>"
    )
    for one in loop.pipelines:
        yield f"<details><summary>{said(one.name)}</summary><ul>"
        for name, words in (
            ("pipeline.py", "the code"),
            ("spec.json", "the protocol record it follows"),
            ("validation.json", "what every gate found"),
            ("synthesis.json", "how it came about"),
        ):
            if one.validation is not None or name == "synthesis.json":
                yield f'<li><a href="{said(one.folder)}/{name}">{name}</a>: {words}</li>'
        yield from (f"<li>Doubtful: {said(doubt)}</li>" for doubt in one.account.doubts)
        yield "</ul>"
        yield from _unequal(one)
        yield "</details>"


def _pipeline(one: PipelineRow) -> tuple[str, ...]:
    if one.validation is None or one.fidelity is None:
        return one.name, f"{one.items:,}", f"not written\n{one.account.stopped_because}", *["–"] * 5
    checks = sum(gate.checks for gate in one.validation.gates)
    mutants, scores, asked = one.validation.mutants, one.fidelity.scores, one.fidelity.requests
    return (
        one.name,
        f"{one.items:,}",
        f"written\nattempt {one.account.spent.attempts}, {one.validation.mechanism}",
        f"{checks:,}",
        "–" if mutants is None else f"{mutants.caught} of {mutants.total - len(mutants.unseen)}",
        "–" if scores is None else f"{percentage(scores.agreement)} %\nof {scores.pairs:,}",
        "–" if scores is None else decimal(scores.kappa.mean),
        "–" if asked is None else f"{decimal(asked.text)}\npictures {percentage(asked.same_media)} %",
    )


def _unequal(one: PipelineRow) -> Iterator[str]:
    scores = one.fidelity.scores if one.fidelity else None
    if scores is None or not scores.unequal:
        return
    yield from grid(
        ("Item", "Model", "Reply", "Pipeline", "Built in"),
        (
            (pair.item, pair.model, pair.reply[-100:], f"{pair.score:g}", f"{pair.reference:g}")
            for pair in scores.unequal[:5]
        ),
        wide=True,
    )
