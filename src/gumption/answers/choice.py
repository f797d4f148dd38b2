"""Which option a reply settles on.

Evidence is weighed in one order: what stands in an answer tag or alone, the last announced answer, a line
that is only an option, the one option that is named, the one that is concluded on. A letter counts only
where it cannot be a word, an option's text only as whole tokens and where it is not denied.
"""

from __future__ import annotations

from collections.abc import Mapping

from gumption.answers._explicit import OUTSIDE, TWO, alone, announced, on_a_line
from gumption.answers._implied import (
    bare_letters,
    concluded,
    last_letter,
    leading_letter,
    left_over,
    mentioned,
    only_letter,
    sentences,
)
from gumption.answers._options import Options, options_of
from gumption.answers._refusal import refuses
from gumption.answers._reply import Passage
from gumption.answers.yes_no import read_yes_no
from gumption.records import Reading

__all__ = ["read_choice"]

_ANY = dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")


def read_choice(passage: Passage, choices: Mapping[str, str] | None = None) -> Reading:
    """Read the letter of the option that a reply settles on.

    `choices` maps the item's letters to their texts; None accepts any capital letter and no text.
    A letter outside the choices, a denied option and two options side by side are never an answer.
    """
    options = options_of(choices if choices else _ANY)
    text = passage.text
    if not text:
        return Reading("unanswered", repairs=passage.repairs)
    found, rule = alone(text, options), "letter" if passage.whole else "answer_tag"
    if found is None:
        found, rule = announced(text, options), "explicit"
    if found is None:
        found, rule = on_a_line(text, options), "line"
    if found == TWO:
        return Reading("ambiguous", rule=rule, repairs=passage.repairs)
    if found == OUTSIDE:
        return Reading("unanswered", rule="outside_choices", repairs=passage.repairs)
    return passage.reading(found, rule) if found else _implied(passage, options)


def _implied(passage: Passage, options: Options) -> Reading:
    """What a reply settles on without announcing it."""
    text = passage.text
    if options.yes_no:
        said = read_yes_no(passage)
        for option, word in options.yes_no.items():
            if word == said.value:
                return passage.reading(option, "yes_no")
        if said.outcome == "ambiguous":
            return said
    mentions = mentioned(text, options)
    named = {mention.letter for mention in mentions if not mention.negated}
    if letter := leading_letter(text, options):
        if named <= {letter}:
            return passage.reading(letter, "leading")
        return Reading("ambiguous", rule="several_options", repairs=passage.repairs)
    if len(named) == 1:
        return passage.reading(named.pop(), "only_option")
    spans = sentences(text)
    if letter := concluded(text, mentions, spans):
        return passage.reading(letter, "conclusion")
    if letter := last_letter(text, spans, mentions, options):
        return passage.reading(letter, "last_letter")
    if letter := left_over(text, options):
        return passage.reading(letter, "not_denied")
    if refuses(text):
        return Reading("refused", rule="refusal", repairs=passage.repairs)
    if letter := only_letter(text, options):
        return passage.reading(letter, "only_letter")
    if named or len(bare_letters(text, options)) > 1:
        return Reading("ambiguous", rule="several_options", repairs=passage.repairs)
    return Reading("unanswered", repairs=passage.repairs)
