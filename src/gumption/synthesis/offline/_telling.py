"""How a model is told what form of answer is wanted: one that scores as the README says."""

from __future__ import annotations

import re

from gumption.records import Convention
from gumption.synthesis.offline._asked import ASKS_FOR_FORM, quoted
from gumption.synthesis.offline._gold import Kind, answer_words, pieces
from gumption.synthesis.offline._regions import COORDINATES
from gumption.synthesis.offline._rules_choice import choice_rules
from gumption.synthesis.offline._rules_region import region_of
from gumption.synthesis.offline._rules_yes_no import yes_no_rules
from gumption.synthesis.offline._statements import Statements, statements_of
from gumption.synthesis.offline._view import View
from gumption.synthesis.recipes._cells import is_messages
from gumption.synthesis.recipes._parts import SETS_APART
from gumption.synthesis.spec import Asking, Gold

__all__ = ["instruction_of"]

_IMPERATIVE = re.compile(
    r"(?i)(?:please )?(?:answer|reply|respond|choose|pick|select|write|end|finish|output|return|think|put"
    r"|tick|state)\b"
)
_TOLD = re.compile(
    r"(?i)\b(?:tell|ask|instruct)(?:s|ed)?(?: (?:the )?(?:models?|it|them))? to "
    r"((?:answer|reply|respond|think|finish|end|write|put|give)\b[^.!?]*(?:\.\d[^.!?]*)*)"
)
_ASKED_FOR = re.compile(
    r"(?i)\b(?:asks?|asked|asking|requests?) (?:(?:the )?models? |it )?(?:only |just )?for "
    r"((?:an?|the|one|its|yes|only|just|all)\b[^.;:?!`{}]{1,100}?)"
    r"(?=[.;:?!]|, (?:where|so|since|because|as|then)\b|$)"
)
_ASKED = re.compile(
    r"(?i)\b(?:ask(?:s|ed|ing)?|whether|requests?|prompts?|want(?:s|ed)?|told|tell|must|should)\b"
)
_JUDGED = re.compile(r"(?i)\b(?:repl(?:y|ies)|accept(?:s|ed)?|counts?|taken?|scor(?:e[sd]?|ing))\b")
"""A sentence on what is made of a reply, which may allow other words than are asked for."""
_MARKED = {
    "after": "End with a line that holds `{}` and then the answer.",
    "mark": "End with a line that holds `{}` and then the answer.",
    "tag": "Put the answer into <{0}></{0}>.",
    "json": 'Write the answer as a JSON object with the key "{}".',
    "between": "Write the answer between the signs {}.",
}


def instruction_of(
    view: View, asking: Asking, gold: Gold | None, kind: Kind, convention: Convention | None
) -> str:
    """The request for a form of answer, "" where the questions make it themselves.

    The README's own where it quotes one, else ours; with a mark or a tag where only what they hold counts.
    """
    if any(is_messages(cell) for cell in view.cells(view.question)):
        return ""
    asked = view.questions()
    if sum(bool(ASKS_FOR_FORM.search(text)) for text in asked) >= 0.9 * len(asked):
        return ""
    rules = statements_of(view.readme)
    own = _own(view, kind, tuple(asking.labels[name] for name in asking.closing))
    if own and (ASKS_FOR_FORM.search(own) or kind == "point"):
        return _marked(own, rules)
    return _marked(f"{own} {_form(view, asking, gold, kind, convention, rules)}".strip(), rules)


def _own(view: View, kind: Kind, said: tuple[str, ...]) -> str:
    """What the README itself quotes, or says that models are told, but for what begins as is said already."""
    for one in quoted(view.readme):
        if said and one.text.startswith(said):
            continue
        if one.raw != view.quote and _IMPERATIVE.match(one.text) and len(one.text.split()) >= 2:
            return one.text if one.text.endswith((".", "!")) else f"{one.text}."
    if kind == "point":
        return ""  # where the scale stands may be elsewhere
    told = _TOLD.search(" ".join(view.readme.split()))
    words = re.sub(r"\band to\b", "and", told[1]).strip(" *,;:") if told else ""
    if not told and kind in ("text", "number"):
        asked = (found[1] for one in view.sentences if (found := _ASKED_FOR.search(" ".join(one.split()))))
        wanted = next(asked, "").strip(" *,")
        words = f"{'give' if 'answer' in wanted else 'answer with'} {wanted}" if wanted else ""
    return f"{words[0].upper()}{words[1:]}." if words else ""


def _form(
    view: View,
    asking: Asking,
    gold: Gold | None,
    kind: Kind,
    convention: Convention | None,
    rules: Statements,
) -> str:
    if kind == "choice":
        return _choice(view, asking, gold, rules)
    answers = answer_words(view, gold.column) if gold and kind in ("yes_no", "text") else ()
    if answers and not {*answers} <= {"yes", "no", "true", "false"}:
        return f"Answer with {', '.join(answers[:-1])} or {answers[-1]} only."
    if kind == "yes_no":
        words = yes_no_rules(rules).get("words", {})
        neither = words.get("yes") == "" or not re.search(r"(?i)\byes\b", view.readme)
        true = neither and re.search(r"(?i)\btrue\b.{0,40}\bfalse\b", view.readme)
        return "Answer true or false." if true or _asks_for_truth(view) else "Answer yes or no."
    if kind == "number":
        return "Answer with one number only."
    if kind == "point":
        how, where = COORDINATES[convention] if convention else ("(x, y)", "")
        many = how if _one_point(view) else f"[{how}, ...]"
        return f"Answer with {'one point' if _one_point(view) else 'a list of points'} as {many}{where}."
    return "Give the answer only, without a sentence around it."


def _asks_for_truth(view: View) -> bool:
    """Whether the README has a model asked for true or false, and not for yes or no."""
    asks = [one for one in view.sentences if _ASKED.search(one) and not _JUDGED.search(one)]
    true, yes = (
        any(re.search(rf"(?i)\b{words}\b", one) for one in asks)
        for words in (r"true\W+(?:or|and|/)?\W*false", r"yes\W+(?:or|and|/)?\W*no")
    )
    return true and not yes


def _choice(view: View, asking: Asking, gold: Gold | None, rules: Statements) -> str:
    numbered = bool(set("01") & set(asking.options.label))
    sign = "number" if numbered else "letter"
    if not numbered and choice_rules(rules).get("letters") == "none":
        sign = "text"
    if gold is not None and any(len(pieces(cell)) > 1 for cell in view.cells(gold.column)):
        return f"More than one option may be right. Answer with the {sign}s of all right options only."
    return f"Answer with the {sign} of the right option only."


def _marked(instruction: str, rules: Statements) -> str:
    """With the sign that must stand before or around the answer, where nothing else counts."""
    parts, _ = region_of(rules, ("whole",))
    if any(part.partition(":")[0] not in SETS_APART for part in parts):
        return instruction
    kind, _, name = parts[0].partition(":")
    kind, name = {"answer_mark": ("mark", "Answer:"), "answer_tag": ("tag", "answer")}.get(kind, (kind, name))
    signs = name.split(" ") if kind == "between" else [name or "boxed"]
    if all(one.lower() in instruction.lower() for one in signs):
        return instruction
    mark = "Put the answer into \\boxed{}." if kind == "boxed" else _MARKED[kind].format(name)
    return f"{instruction} {mark}"


def _one_point(view: View) -> bool:
    return bool(
        re.search(r"(?i)\b(?:one|single|exactly one|the predicted) point\b", view.readme)
    ) and not re.search(r"(?i)\b(?:one or more|up to \w+|list of|more) points\b", view.readme)
