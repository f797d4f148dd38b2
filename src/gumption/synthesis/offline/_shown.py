"""In which order things are shown, what is shown before the question, and what stands before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.synthesis.offline._readme import entries
from gumption.synthesis.offline._view import View
from gumption.synthesis.offline._words import named, said

__all__ = ["context_of", "image_label_of", "labels_of", "order_of"]

_PARTS = {
    "images": r"\b(?:pictures?|images?|photos?|photographs?|frames?|stills?|shots?|screenshots?|screens?"
    r"|views?|scenes?|drawings?|sketch(?:es)?|figures?|diagrams?|renders?|renderings?)\b",
    "context": r"\b(?:passages?|context|background|story|situation|hints?)\b",
    "question": r"\b(?:questions?|prompts?|query|statement|sentence|instruction|claim|riddle|task)\b",
    "options": r"\b(?:options|choices|choice per line|answers|alternatives|candidates)\b",
}
_ORDERING = re.compile(
    r"(?i)\bthen\b|\bfirst\b|\bbefore\b|\bfollowed by\b|\bafter\b|\bbelow\b|\bprecede|\blast\b|\band ask\b|"
    r"\border\b|\bbehind\b|\bunder\b|\bprompts? (?:is|are|has|have|consists?|contains?)\b"
)
_TELLING = re.compile(r"(?i)\b(?:sen[dt]|show[ns]?|present(?:ed)?|given?|gets?|put|prompts?|reads)\b")
_SCORING = re.compile(
    r"(?i)\bscor(?:e|es|ed|ing)\b|\brepl(?:y|ies)\b.{0,20}\b(?:is|has|if)\b|\bcount(?:s|ed)?\b"
)
_HEADING = re.compile(
    r"(?i)^\W*(?:\w+(?: \w+){0,6}\W*:\s|(?:a|an|the|each|every|our)?\s*prompts?\s+"
    r"(?:is|are|has|have|consists?(?: of)?|contains?)\b)"
)
_TURNED = re.compile(r"(?i)\b(?:after|below|behind|under)\b(?! (?:it|them|that|this)\b(?!\W*$))")
"""What turns the order of two parts; "below it the hint" does not."""
_HEADS = re.compile(
    r"(?i)\b(?:labell?ed|labels?|lettered|marked|numbered|captions?|captioned|headed|preceded|"
    r"(?:before|above|in front of) (?:each|every|it)\b)"
)
_HEAD = re.compile(
    r"[`\"\u201c]((?:(?:image|picture|photo|frame|view|option) )?[(\[]?(?:[Aa1])[)\].:]{0,2})\s?[`\"\u201d]"
    r"|(?<!\w)(\([Aa1]\))",
    re.IGNORECASE,
)


def _statements(view: View) -> list[str]:
    """Sentences with what a semicolon parts, the quoted question by its name."""
    text = view.readme.replace(view.quote, "the question") if view.quote else view.readme
    return [
        one.strip()
        for entry in entries(text)
        for one in re.split(r"(?<=[a-z0-9)`\"'*])[.!?](?=\s|$)", entry)
        if one.strip()
    ]


def _told(sentence: str) -> str:
    """What is shown: what a model is asked for comes last anyway, and a heading is no part."""
    told = _HEADING.sub("", sentence)
    return re.split(r"(?i)(?<=\w)\W+(?:and |then )?(?:finally )?(?:ask|request|tell)\b", told)[0]


def order_of(view: View, context: Sequence[str]) -> tuple[str, ...]:
    """The parts as the README puts them; pictures, context, question and options where it does not say."""
    default = ("images", "context", "question", "options")
    for sentence in _statements(view):
        if not _ORDERING.search(sentence) or _SCORING.search(sentence):
            continue
        told = _told(sentence)
        places = {
            part: match.start()
            for part in default
            if (part != "context" or context) and (match := _part(view, part, context).search(told))
        }
        if len(places) < 2:
            continue
        said = sorted(places, key=lambda part: places[part])
        turned = _TURNED.search(told)
        if turned and len(said) == 2 and places[said[0]] < turned.start() < places[said[1]]:
            said.reverse()
        return (*_with_rest(said, default), "instruction")
    return (*default, "instruction")


def _part(view: View, part: str, context: Sequence[str]) -> re.Pattern[str]:
    """How a README speaks of a part; of question and context also by their columns' names."""
    columns = {"question": view.asked, "context": context}.get(part, ())
    names = [re.escape(name.rpartition(".")[2]) for name in columns if name]
    words = [_PARTS[part], *(rf"(?<![\w.]){name}(?!\w)(?! of\b)" for name in names)]
    if part == "question" and view.template:
        words += [rf"(?<={word} )it(?=\W*$)" for word in ("before", "after", "behind", "above", "below")]
    return re.compile("|".join(words), re.IGNORECASE)


def _with_rest(said: list[str], default: tuple[str, ...]) -> list[str]:
    """Parts that the README leaves out go where they usually stand: behind the one they usually follow."""
    out = list(said)
    for n, part in enumerate(default):
        if part not in out:
            before = [one for one in default[:n] if one in out]
            out.insert(out.index(before[-1]) + 1 if before else 0, part)
    return out


def context_of(view: View, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns of text that is shown beside the question: by what they are called, or that it is said."""
    sentences = [
        _told(one)
        for one in _statements(view)
        if (_TELLING.search(one) or _ORDERING.search(one)) and not _SCORING.search(one)
    ]
    labelled = labels_of(view, [name for name in view.columns if name not in taken])
    found = []
    for column in view.find(lambda one: one.holds == "text", taken):
        name, note = column.name, view.note(column.name)
        if said(note, "gold") or said(note, "category") or said(note, "id"):
            continue
        words = sum(len(text.split()) for text in column.examples) / max(1, len(column.examples))
        by_name = named(name, "context") or said(note, "context")
        certain = named(name, "context") and said(note, "context")
        if (
            certain
            or (by_name and words >= 4)
            or (
                (
                    by_name
                    or not any(named(name, role) for role in ("gold", "category", "id", "unit", "image"))
                )
                and (words >= 2 or name in labelled)
                and any(_shows(one, name) for one in sentences)
            )
        ):
            found.append(name)
    return tuple(found)


def _shows(sentence: str, name: str) -> bool:
    """Whether a sentence on what is shown names the column among other parts."""
    bare = re.escape(name.rpartition(".")[2])
    code = re.search(rf"[`\"']{bare}[`\"']", sentence)
    plain = len(bare) >= 3 and re.search(rf"(?<![\w`]){bare}(?![\w`])", sentence)
    return bool(code or plain) and bool(re.search(_PARTS["question"], sentence, re.IGNORECASE))


def labels_of(view: View, context: Sequence[str]) -> dict[str, str]:
    """What the README quotes as standing before a context's text."""
    found = {}
    for name in context:
        bare = re.escape(name.rpartition(".")[2])
        said = rf"(?:(?:with|and|then|plus|before|followed by|the)\s+){{0,3}}`?{bare}\b"
        match = re.search(
            rf"[`\"\u201c]([A-Z][\w ]{{0,30}}:)\s*(?:[`\"\u201d]\s*{said}|[{{<\[]{bare}[}}>\]])", view.readme
        )
        if match:
            found[name] = f"{match[1]} "
    return found


def image_label_of(view: View) -> str:
    """What the README wants before each picture, shown with the first; "" where it says nothing."""
    for sentence in _statements(view):
        if re.search(_PARTS["images"], sentence, re.IGNORECASE) and _HEADS.search(sentence):
            match = _HEAD.search(sentence)
            if match and not re.search(r"(?i)\b(?:options?|choices?|candidates?|repl(?:y|ies))\b", sentence):
                return next(one for one in match.groups() if one).strip()
    return ""
