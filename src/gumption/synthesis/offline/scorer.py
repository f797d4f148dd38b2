"""The Scorer without a model: from a README and the rows to the scoring half of a protocol record, by rules.

The README is read sentence by sentence; each rule that is found keeps the sentences on which it rests. What
no recipe can follow, what contradicts itself and what is left open becomes a doubt, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gumption.records import GumptionError
from gumption.synthesis._profile import Column, profile
from gumption.synthesis._withheld import words_of
from gumption.synthesis.folder import BenchmarkFolder
from gumption.synthesis.offline._candidates import candidates_of
from gumption.synthesis.offline._own_tolerance import is_tolerance
from gumption.synthesis.offline._readme import notes, without_orders
from gumption.synthesis.offline._right_answers import find_gold, rivals_of
from gumption.synthesis.offline._rules_choice import choice_rules
from gumption.synthesis.offline._rules_labels import labels_of
from gumption.synthesis.offline._rules_number import number_rules
from gumption.synthesis.offline._rules_point import point_rules
from gumption.synthesis.offline._rules_region import region_of
from gumption.synthesis.offline._rules_text import text_rules
from gumption.synthesis.offline._rules_whole import is_macro, left_over, unread, unread_mean, unsupported
from gumption.synthesis.offline._rules_yes_no import READ_ANYWAY, yes_no_rules
from gumption.synthesis.offline._samples import agreed, samples_of
from gumption.synthesis.offline._statements import Statements, statements_of
from gumption.synthesis.offline._target_size import size_of
from gumption.synthesis.offline._targets import Found
from gumption.synthesis.recipes import load, options
from gumption.synthesis.recipes._cells import places, text_of
from gumption.synthesis.recipes.scoring import gold_unit
from gumption.synthesis.spec import Asking, Gold, Loading, Scoring

__all__ = ["OfflineScorer", "ScoringProposal"]

_NAMED = 1.0
"""The weight above which words speak for a column, beside what its cells allow."""
_SETTLED = ("whole",)


class ScoringProposal(Struct, frozen=True):
    """How replies are to be scored, and what is doubtful about it."""

    scoring: Scoring | None
    """None where no recipe can score as the README says, or no column holds the right answers."""
    loading: Loading
    """As it was given, with columns gathered that the right answer needs."""
    doubts: tuple[str, ...] = ()


class OfflineScorer:
    """Proposes by rules; asks no model and looks at no recorded reply."""

    def propose(self, folder: BenchmarkFolder, loading: Loading, asking: Asking) -> ScoringProposal:
        """The scoring of a folder that is loaded and asked as the Evaluator proposes.

        Raises GumptionError where the rows cannot be loaded.
        """
        rows = load(folder.path, loading)
        columns = [
            one
            for one in profile(rows, folder.media, frozenset(folder.files))
            if one.name not in ("id", "@row", "@file", "@stem", "@folder", "@key")
        ]
        readme = statements_of(folder.readme)
        plain, _ = without_orders(folder.readme)
        told = notes(plain, [column.name for column in columns])
        doubts = ["the README speaks to machines: that part was not read"] if readme.orders else []
        choices = [_options(row, asking) for row in rows]
        taken = _taken(loading, asking, choices) | {
            one.name
            for one in columns
            if (one.holds in ("integer", "number") and is_tolerance(one.name, told.get(one.name, "")))
            or _of_units(one, told, readme)
        }
        found = find_gold(rows, columns, told, choices, plain.lower(), taken)
        if not found:
            return ScoringProposal(None, loading, (*doubts, "no column holds right answers"))
        best = found[0]
        rivals = rivals_of(found, rows, choices)
        doubts += [
            f"{one.gold.column} may be the right answer as well as {best.gold.column}" for one in rivals
        ]
        doubts += best.doubts
        doubts += [why for one in found[1:] if one.unfit and one.weight >= _NAMED for why in one.doubts]
        if rivals or best.unfit:
            return ScoringProposal(None, loading, tuple(doubts))
        if best.weight <= _NAMED and len(found) > 1:
            why = f"no word says which column holds the right answers: {best.gold.column} could"
            return ScoringProposal(None, loading, (*doubts, why))
        reasons = unsupported(readme)
        if reasons:
            return ScoringProposal(None, loading, (*doubts, *reasons))
        scoring = _scoring(best, readme, rows, columns, told, asking, doubts)
        if not scoring.metric:
            return ScoringProposal(None, loading, tuple(dict.fromkeys(doubts)))
        if best.gather:
            loading = replace(loading, gather={**loading.gather, **best.gather})
        return ScoringProposal(scoring, loading, tuple(dict.fromkeys(doubts)))


def _options(row: Mapping[str, Any], asking: Asking) -> dict[str, str]:
    try:
        return options(row, asking)
    except GumptionError:
        return {}


def _taken(loading: Loading, asking: Asking, choices: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """Columns that are shown or are ids."""
    shown = {asking.question, *asking.context, *asking.images, asking.category, loading.id}
    shown |= {*places(asking.template), *places(loading.id)}
    for source in loading.sources:
        shown |= {source.key, source.on} if source.format != "files" else {source.key}
    if any(choices):
        shown |= set(asking.options.columns)
    return frozenset(shown - {""})


def _scoring(
    best: Found,
    readme: Statements,
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    told: Mapping[str, str],
    asking: Asking,
    doubts: list[str],
) -> Scoring:
    metric, gold = "exact", best.gold
    normalise: tuple[str, ...] = ()
    parameters: dict[str, Any] = {}
    region, _ = region_of(readme, _SETTLED)
    numeric = [one.name for one in columns if one.holds in ("integer", "number") and one.name != gold.column]
    if best.kind == "choice":
        parameters = choice_rules(readme, asking.options.label if asking.options.columns else "A. ")
        if best.several:
            metric, parameters = _sets(readme, parameters)
    elif best.kind == "yes_no":
        parameters = yes_no_rules(readme)
        if best.words:
            others = dict.fromkeys((*READ_ANYWAY, "yes", "no"), "")
            parameters["words"] = others | parameters.get("words", {}) | best.words
    elif best.kind == "number":
        metric, gold, parameters = _number(gold, readme, rows, columns, told, doubts)
    elif best.kind == "point":
        parameters, mask, more = point_rules(readme, gold.form, numeric)
        doubts += more
        metric, gold = "share_on_target", replace(gold, **mask)
        parameters |= size_of(gold, parameters.get("scale"), rows, columns, told)
        if parameters.get("size") == "picture" and not asking.images:
            doubts.append("how large the pictures are is not known")
    else:
        metric, parameters, normalise, more = text_rules(readme)
        if best.labels:
            metric, parameters, normalise, more = (
                "label",
                {"labels": labels_of(readme, best.labels)},
                ("lower",),
                [],
            )
        doubts += more
        if metric == "exact" and "contained" not in parameters:
            parameters["whole"] = True
    macro = is_macro(readme)
    if macro and not asking.category:
        doubts.append("categories are averaged first, but no column of categories is known")
    doubts += unread_mean(readme, asking.category)
    samples = samples_of(readme)
    readme.use(*(one.said for one in samples))
    doubts += left_over(readme) or unread(readme)
    proposed = Scoring(
        best.kind,  # type: ignore[arg-type]
        gold,
        metric,
        parameters,
        region,
        normalise,
        "macro" if macro and asking.category else "mean",
        readme.evidence,
    )
    if not metric:
        return proposed
    choices = [one for one in (_options(row, asking) for row in rows) if one] or [
        dict.fromkeys("ABCDEFGH", "")
    ]
    scoring, more = agreed(proposed, list(candidates_of(proposed)), samples, choices)
    doubts += more
    return scoring


def _number(
    gold: Gold,
    readme: Statements,
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    told: Mapping[str, str],
    doubts: list[str],
) -> tuple[str, Gold, dict[str, Any]]:
    """The metric of numbers, the right answer with the column of its unit, and the parameters."""
    numeric = [one.name for one in columns if one.holds in ("integer", "number") and one.name != gold.column]
    metric, parameters, more = number_rules(readme, numeric, told)
    doubts += more
    if "units" in parameters:
        parameters["units"] = _unit(gold, rows, told, doubts)
    if "accepts" in parameters:
        units = [one.name for one in columns if one.name != gold.column and _of_units(one, told, readme)]
        parameters["accepts"] = _accepted(gold, rows, units)
        if not parameters["accepts"]:
            del parameters["accepts"]
            doubts.append("which units are right is not known, so any is taken")
        elif units:
            gold = replace(gold, unit=units[0])
    return metric, gold, parameters


def _unit(gold: Gold, rows: Sequence[Mapping[str, Any]], told: Mapping[str, str], doubts: list[str]) -> str:
    """The unit of all right answers; "" where each row has its own."""
    if all(gold_unit(row.get(gold.unit or gold.column)) for row in rows):
        return ""
    words = [*words_of(gold.column), *re.findall(r"\bin ([a-z]+)", told.get(gold.column, "").lower())]
    units = [word for word in words if len(word) > 1 and gold_unit(word)]
    if not units:
        doubts.append(f"quantities are converted, but the unit of {gold.column} is not known")
    return units[0] if units else ""


def _accepted(gold: Gold, rows: Sequence[Mapping[str, Any]], units: Sequence[str]) -> tuple[str, ...]:
    """The columns that hold units which a number may have; that of the right answers where they have some."""
    own = all(re.fullmatch(r"[-+]?[\d.,]+\s?[^\W\d].*", text_of(row.get(gold.column))) for row in rows)
    return (*units, gold.column) if own else tuple(units)


def _of_units(column: Column, told: Mapping[str, str], readme: Statements) -> bool:
    """Whether a column's cells are units, with no number before them."""
    last = column.name.rpartition(".")[2]
    named = {"unit", "units"} & set(words_of(last))
    quoted = rf"[`\"']{re.escape(last.lower())}[`\"']"
    beside = re.compile(rf"{quoted}[^`.;]{{0,60}}\bunits?\b|\bunits?\b[^`.;]{{0,30}}{quoted}")
    said = "unit" in told.get(column.name, "").lower() or any(beside.search(one.low) for one in readme.all)
    longest = 200 if column.holds == "list" else 30
    short = all(re.fullmatch(r"\D+", one) and len(one) <= longest for one in column.examples)
    return column.holds in ("text", "list") and bool(named or said) and short


def _sets(readme: Statements, parameters: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The metric of options of which several may be right together."""
    share = readme.says(
        r"\b(?:share|fraction|proportion|partial|part) (?:of|credit)\b", r"\bno partial|\bnot\b"
    )
    readme.says(r"\ball (?:of )?(?:the )?(?:right|correct)\b|\bno other\b")
    kept = {name: value for name, value in parameters.items() if name in ("letters", "texts")}
    return ("share_of_set" if share else "exact_set"), kept
