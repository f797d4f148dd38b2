"""The diagnosis as a figure for a paper: SVG, PDF or PNG, the same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gumption.grounding.problem_score import SECTIONS
from gumption.grounding.retries import StepDiagnosis
from gumption.records import GumptionError
from gumption.reporting._diagnosis_words import step_name

__all__ = ["draw_diagnosis"]

_COLOURS = {"true": "#0a6b68", "objects": "#e3bf55", "predicates": "#a8321d", "goal": "#a0abae"}
"""In greys too they are dark, light, dark, light: neighbours stay apart."""
_INKS = {"true": "white", "objects": "#1c2326", "predicates": "white", "goal": "#1c2326"}
_LEGIBLE = 0.045
"""Narrower parts, as a share of the bar, carry no number."""


def draw_diagnosis(steps: Sequence[StepDiagnosis], path: Path) -> None:
    """Draw a bar for each step: true outputs, then failures by stage, with a line below for those that
    have a plan.

    path: its suffix says the format, .svg, .pdf or .png. Raises GumptionError for no steps, another suffix,
    and where matplotlib is not installed.
    """
    if not steps:
        raise GumptionError("there is nothing to draw", where=str(path), remedy="Diagnose some outputs.")
    if path.suffix not in (".svg", ".pdf", ".png"):
        raise GumptionError(
            f"figures are not written as {path.suffix or 'a file without a suffix'}",
            where=str(path),
            remedy="Name a .svg, .pdf or .png file.",
        )
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
        from matplotlib.patches import Patch
    except ImportError as error:
        raise GumptionError(
            "figures need matplotlib", where=str(path), remedy="pip install matplotlib"
        ) from error
    # No date and a fixed salt: the file depends on the data alone. Text stays text in SVG and in PDF.
    with mpl.rc_context(
        {
            "svg.hashsalt": "gumption",
            "svg.fonttype": "none",
            "pdf.fonttype": 42,
            "font.size": 8.5,
            "text.parse_math": False,
        }
    ):
        figure = Figure(figsize=(6.6, 1.0 + 0.38 * len(steps)), layout="constrained")
        axes = figure.subplots()
        for row, step in enumerate(steps):
            parts: dict[str, float] = {"true": step.solved, **step.failures}
            left = 0.0
            for name, amount in parts.items():
                width = amount / step.n
                axes.barh(row, width, left=left, height=0.62, color=_COLOURS[name], edgecolor="white")
                if width >= _LEGIBLE:
                    label = f"{amount:.0f}" if name == "true" else f"{amount:.1f}"
                    axes.text(left + width / 2, row, label, ha="center", va="center", color=_INKS[name])
                left += width
            planned = step.planned / step.n
            axes.barh(row + 0.39, planned, height=0.1, color="black")
        axes.set_yticks(range(len(steps)), [f"{step.domain}, {step_name(step)}" for step in steps])
        axes.invert_yaxis()
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1.0], ["0", "25", "50", "75", "100"])
        axes.set_xlabel("outputs, %; in the bars, their number")
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        legend = [Patch(color=_COLOURS["true"], label="valid in gold")]
        legend += [Patch(color=_COLOURS[name], label=f"fails: {name}") for name in SECTIONS]
        legend.append(Patch(color="black", label="have a plan"))
        figure.legend(handles=legend, loc="outside upper center", ncols=len(legend), frameon=False)
        dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
        figure.savefig(path, metadata=dates[path.suffix], dpi=200)
