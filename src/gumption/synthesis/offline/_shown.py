"""In which order things are shown, what is shown before the question, and what stands before it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gumption.synthesis.offline._order import ORDERING, PARTS, SCORING, TELLING, ordered, shown_of, statements
from gumption.synthesis.offline._view import View, texts
from gumption.synthesis.offline._words import named, said

__all__ = ["context_of", "image_label_of", "image_labels_of", "labels_of", "order_of", "unit_of"]

_HEADS = re.compile(
    r"(?i)\b(?:labell?ed|labels?|lettered|marked|numbered|captions?|captioned|headed|preceded|"
    r"(?:before|above|in front of) (?:each|every|it)\b)"
)
_HEAD = re.compile(
    r"[`\"\u201c]((?:(?:image|picture|photo|frame|view|option) )?[(\[]?(?:[Aa1])[)\].:]{0,2})\s?[`\"\u201d]"
    r"|(?<!\w)(\([Aa1]\))",
    re.IGNORECASE,
)

_TOLD = re.compile(r"(?i)\btold\b")


def order_of(view: View, context: Sequence[str]) -> tuple[str, ...]:
    """The parts as the README puts them; pictures, context, question and options where it does not say.

    A column of the context that does not stand with the others is named by itself.
    """
    parts = {"images": _spoken(PARTS["images"]), **{f"@{name}": _column(name, context) for name in context}}
    parts["question"] = _spoken(PARTS["question"], *view.asked, it=bool(view.template))
    parts["options"] = _spoken(PARTS["options"])
    found = [*ordered(view, parts), "instruction"]
    at = found.index(f"@{context[0]}") if context else 0
    if context and found[at : at + len(context)] == [f"@{name}" for name in context]:
        found[at : at + len(context)] = ["context"]
    return tuple(part.removeprefix("@") for part in found)


def _column(name: str, context: Sequence[str]) -> re.Pattern[str]:
    """How a README speaks of a column that is shown; of the only one in words for any such."""
    return _spoken(PARTS["context"] if len(context) == 1 else r"(?!)", name)


def _spoken(words: str, *columns: str, it: bool = False) -> re.Pattern[str]:
    names = [re.escape(name.rpartition(".")[2]) for name in columns if name]
    told = [words, *(rf"(?<![\w.]){name}(?!\w)(?! of\b)" for name in names)]
    if it:
        told += [rf"(?<={word} )it(?=\W*$)" for word in ("before", "after", "behind", "above", "below")]
    return re.compile("|".join(told), re.IGNORECASE)


def context_of(view: View, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns of text that is shown beside the question: by what they are called, or that it is said."""
    sentences = [
        shown_of(one)
        for one in statements(view)
        if (TELLING.search(one) or ORDERING.search(one)) and not SCORING.search(one)
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


def unit_of(view: View, taken: Sequence[str]) -> dict[str, str]:
    """The column of the unit that an answer is asked for in, with what stands before it, where the README
    says that it is shown: as it quotes that for some row, or else in our words."""
    for column in view.find(lambda one: one.holds == "text" and named(one.name, "unit"), taken):
        bare = re.escape(column.name.rpartition(".")[2])
        about = re.compile(rf"(?i)(?<!\w)(?:{bare}|units?)(?!\w)")
        told = [
            one for one in statements(view) if any(says.search(one) for says in (TELLING, ORDERING, _TOLD))
        ]
        told = [one for one in told if about.search(shown_of(one)) and not SCORING.search(one)]
        told = [one for one in told if re.search(PARTS["question"], one, re.IGNORECASE)]
        if told and not any(re.search(r"(?i)\b(?:not|never|no)\b|n't\b", one) for one in told):
            return {column.name: _quoted_before(view, column.name) or "Unit: "}
    return {}


def _quoted_before(view: View, name: str) -> str:
    """What stands before a row's cell, or the column's name in brackets, in a line that the README quotes."""
    cells = sorted({re.escape(text) for text in texts(view, name) if text}, key=len, reverse=True)
    bare = re.escape(name.rpartition(".")[2])
    line = rf"([A-Z][\w ,]{{1,60}}[ (:]{{1,2}})(?:{'|'.join(cells[:200])}|[{{<\[]{bare}[}}>\]])[).]{{0,2}}"
    found = re.search(rf"[`\"\u201c]{line}[`\"\u201d]", view.readme)
    return found[1] if found else ""


def _shows(sentence: str, name: str) -> bool:
    """Whether a sentence on what is shown names the column among other parts."""
    bare = re.escape(name.rpartition(".")[2])
    code = re.search(rf"[`\"']{bare}[`\"']", sentence)
    plain = len(bare) >= 3 and re.search(rf"(?<![\w`]){bare}(?![\w`])", sentence)
    return bool(code or plain) and bool(re.search(PARTS["question"], sentence, re.IGNORECASE))


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


def image_labels_of(view: View, images: Sequence[str]) -> dict[str, str]:
    """What the README wants before the pictures of each column: words in quotes, or before a colon at the
    beginning of a line, that are the column's name or that it ties to it; none where it does not for all."""
    if len(images) < 2:
        return {}
    lines = [line.strip(" \t>*-|`") for line in view.readme.splitlines()]
    heads = [m[1] for line in lines if (m := re.match(r"([A-Z][\w ]{0,30}:)[*_`]{0,2}(?:\s|$)", line))]
    heads += [m[1] for one in statements(view) for m in re.finditer(_WORD_BEFORE, one) if _PLACES.search(one)]
    found = {}
    for name, told in ((name, _called(name)) for name in images):
        head = next((one for one in heads if one.strip(" :").casefold().replace(" ", "") == told), "")
        head = head or labels_of(view, (name,)).get(name, "").strip()
        if head:
            found[name] = head
    if len(found) == len(images):
        return found
    # In the order of the pictures, where as many words as columns stand in one sentence that puts them there.
    for one in statements(view):
        quoted = [m[1] for m in re.finditer(_WORD_BEFORE, one)]
        if _PLACES.search(one) and re.search(PARTS["images"], one, re.I) and len(quoted) == len(images):
            return dict(zip(images, quoted, strict=True))
    return {}


_WORD_BEFORE = re.compile(r"[\"\u201c`'*]([A-Z][\w ]{0,30}[:.]?)[\"\u201d`'*]")
_PLACES = re.compile(
    r"(?i)\b(?:in front of|before|above|over|ahead of|headed|labell?ed|labels?|captions?|captioned|preceded"
    r"|titled?|under the (?:words?|headings?))\b"
)


def _called(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.rpartition(".")[2].casefold())


def image_label_of(view: View) -> str:
    """What the README wants before each picture, shown with the first; "" where it says nothing."""
    for sentence in statements(view):
        if re.search(PARTS["images"], sentence, re.IGNORECASE) and _HEADS.search(sentence):
            match = _HEAD.search(sentence)
            if match and not re.search(r"(?i)\b(?:options?|choices?|candidates?|repl(?:y|ies))\b", sentence):
                return next(one for one in match.groups() if one).strip()
    return ""
