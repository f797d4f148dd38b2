"""The diagnosis as a page that opens from a file system, in the look of the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path

from gumption.grounding.problem_score import SECTIONS
from gumption.grounding.retries import StepDiagnosis
from gumption.records import GumptionError
from gumption.reporting._diagnosis_words import (
    ABOUT,
    findings,
    kinds,
    notes,
    share,
    step_name,
    suffices,
    true_rate,
)
from gumption.reporting._folder import replacing_folder
from gumption.reporting._pieces import grid, opening, said

__all__ = ["write_diagnosis_page"]

_STYLE = "report.css"
_FILLS = {
    "true": 'fill="var(--measure)"',
    "objects": 'fill="var(--partly)" fill-opacity="0.5"',
    "predicates": 'fill="var(--trouble)"',
    "goal": 'fill="var(--soft)" fill-opacity="0.6"',
}
_LEGIBLE = 0.035
"""Narrower parts, as a share of the bar, carry no number."""
_WIDTH, _LINE = 900, 34
_LABEL, _BAR = 220, 650


def write_diagnosis_page(
    steps: Sequence[StepDiagnosis], out: Path, *, title: str = "What retries mend", made: str = ""
) -> Path:
    """Write the page into the folder `out` and return the path of its `index.html`.

    An earlier page in `out` is replaced in one step. `made` is a line of the caller's, shown under the title:
    planner, data, date. Raises GumptionError if there is no step, or if `out` holds anything else.
    """
    if not steps:
        raise GumptionError("there is nothing to report", where=str(out), remedy="Diagnose some outputs.")
    style = resources.files("gumption.reporting") / "site_files" / _STYLE
    with replacing_folder(out, frozenset({"index.html", _STYLE})) as folder:
        (folder / _STYLE).write_bytes(style.read_bytes())
        (folder / "index.html").write_text("\n".join(_page(steps, title, made)) + "\n", encoding="utf-8")
    return out / "index.html"


def _page(steps: Sequence[StepDiagnosis], title: str, made: str) -> Iterator[str]:
    yield from opening(title, (_STYLE,), linked=True)
    if made:
        yield f'<p class="quiet">{said(made)}</p>'
    for sentence in findings(steps):
        yield f"<p>{said(sentence)}</p>"
    yield f'<figure><div class="scroll">{_figure(steps)}</div>'
    yield f"<figcaption>{said(ABOUT)}</figcaption></figure>"
    yield "<h2>Planability and truth</h2>"
    yield from grid(
        ("Outputs", "n", "Have a plan", "Valid in gold", "95 %", *(f"Fails: {name}" for name in SECTIONS)),
        (_numbers(step) for step in steps),
    )
    yield "<p class='quiet'>Failures are outputs, with the share of all failures of the step below.</p>"
    for note in notes(steps):
        yield f"<p class='quiet'>{said(note)}</p>"
    yield "<h2>What it suffices to put right</h2>"
    yield "<p>The smallest sets of stages whose gold makes a failed output succeed.</p>"
    yield from grid(("Minimal sufficient sets", *map(_name, steps)), _sufficient(steps))
    for secondary, heading in ((False, "Mistakes"), (True, "Mistakes that follow from one about an object")):
        found = kinds(steps, secondary=secondary)
        if found:
            yield f"<h2>{heading}</h2>"
            rows = ((kind.value.replace("_", " "), *map(_count, numbers)) for kind, numbers in found)
            yield from grid(("Kind", *map(_name, steps)), rows)
    yield "</main></body></html>"


def _name(step: StepDiagnosis) -> str:
    return f"{step.domain}, {step_name(step)}"


def _count(number: int) -> str:
    return f"{number:,}" if number else "–"


def _numbers(step: StepDiagnosis) -> tuple[str, ...]:
    rate = true_rate(step)
    ends = (
        "–" if rate.low is None or rate.high is None else f"{100 * rate.low:.0f} to {100 * rate.high:.0f} %"
    )
    failures = []
    for name in SECTIONS:
        part = share(step, name)
        failures.append(f"{step.failures[name]:.1f}" + ("" if part is None else f"\n{100 * part:.0f} %"))
    unbroken = ends.replace(" ", "\N{NO-BREAK SPACE}")
    return _name(step), f"{step.n:,}", f"{step.planned:,}", f"{step.solved:,}", unbroken, *failures


def _sufficient(steps: Sequence[StepDiagnosis]) -> Iterator[tuple[str, ...]]:
    counts = [step.sufficient for step in steps]
    for subsets in sorted(
        {one for own in counts for one in own}, key=lambda one: -sum(own[one] for own in counts)
    ):
        yield suffices(subsets), *(_count(own[subsets]) for own in counts)


def _figure(steps: Sequence[StepDiagnosis]) -> str:
    """A bar for each step: true outputs, failures by stage, and below it those that have a plan."""
    height = 40 + _LINE * len(steps) + 24
    parts = [
        f'<svg width="{_WIDTH}" height="{height}" role="img" font-size="14" fill="var(--ink)" '
        f'aria-label="Outputs that are valid in gold, and failures by stage, for each step">'
    ]
    at = 0.0
    for name, label in (("true", "valid in gold"), *((name, f"fails: {name}") for name in SECTIONS)):
        parts.append(f'<rect x="{at:.0f}" y="4" width="14" height="14" {_FILLS[name]}/>')
        parts.append(f'<text x="{at + 20:.0f}" y="16">{label}</text>')
        at += 40 + 7.5 * len(label)
    parts.append(f'<rect x="{at:.0f}" y="10" width="14" height="3"/>')
    parts.append(f'<text x="{at + 20:.0f}" y="16">have a plan</text>')
    for row, step in enumerate(steps):
        parts.append(_bar(step, 36 + _LINE * row))
    for percent in (0, 25, 50, 75, 100):
        x = _LABEL + _BAR * percent / 100
        anchor = f'x="{x:.0f}" y="{height - 6}" text-anchor="middle" fill="var(--soft)"'
        parts.append(f"<text {anchor}>{percent} %</text>")
    return "".join([*parts, "</svg>"])


def _bar(step: StepDiagnosis, top: int) -> str:
    middle = top + _LINE / 2
    marks = [f'<text x="{_LABEL - 12}" y="{middle + 3:.0f}" text-anchor="end">{said(_name(step))}</text>']
    left = float(_LABEL)
    amounts: dict[str, float] = {"true": step.solved, **step.failures}
    for name, amount in amounts.items():
        width = _BAR * amount / step.n
        label = f"{amount:.0f}" if name == "true" else f"{amount:.1f}"
        place = f'x="{left:.2f}" y="{top + 4}" width="{width:.2f}" height="{_LINE - 10}"'
        title = f"<title>{'valid in gold' if name == 'true' else f'fails: {name}'}, {label}</title>"
        marks.append(f'<rect {place} {_FILLS[name]} stroke="var(--paper)">{title}</rect>')
        if amount / step.n >= _LEGIBLE:
            ink = "var(--paper)" if name in ("true", "predicates") else "var(--ink)"
            centre = f'x="{left + width / 2:.2f}" y="{middle + 4:.0f}" text-anchor="middle"'
            marks.append(f'<text {centre} fill="{ink}">{label}</text>')
        left += width
    planned = f'x="{_LABEL}" y="{top + _LINE - 6}" width="{_BAR * step.planned / step.n:.2f}" height="3"'
    marks.append(f"<rect {planned}><title>have a plan, {step.planned:,}</title></rect>")
    return "".join(marks)
