"""Reading a reply: pure functions from what a model said to what it settled on.

`read` is the one way in; each kind of answer has a module of its own. Reading never asks, never guesses and
can be run again on any recorded reply: the version below goes into every run.
"""

from gumption.answers._refusal import refuses
from gumption.answers._reply import passage_of, visible
from gumption.answers.choice import read_choice
from gumption.answers.number import read_number
from gumption.answers.point import read_point
from gumption.answers.scoring import guess, inside, score
from gumption.answers.text import read_text
from gumption.answers.yes_no import read_yes_no
from gumption.records import Answer, GumptionError, Reading

__all__ = [
    "READING_VERSION",
    "SCORING_VERSION",
    "guess",
    "inside",
    "passage_of",
    "read",
    "refuses",
    "score",
    "visible",
]

READING_VERSION = "2"
"""Raised with every change that can read a reply differently."""
SCORING_VERSION = "1"
"""Raised with every change to the default scoring of a reading."""


def read(reply: str, answer: Answer) -> Reading:
    """What `reply` settles on, for the kind of answer that `answer` asks for.

    Returns a Reading whose value is a letter (choice), "yes" or "no" (yes_no), a float (number), a list of
    (x, y) in pixels (point) or a string (text); None, or an empty list for points, unless the outcome is
    "answered". The gold in `answer` is never looked at.

    Raises GumptionError for a kind that another room reads (actions, problem, atoms), and for points without
    an explicit convention.
    """
    passage = passage_of(reply)
    match answer.kind:
        case "choice":
            return read_choice(passage, answer.choices)
        case "yes_no":
            return read_yes_no(passage)
        case "number":
            return read_number(passage)
        case "point":
            return read_point(passage, answer.convention, answer.size)
        case "text":
            return read_text(passage)
    raise GumptionError(
        f"answers of kind {answer.kind!r} are not read here",
        remedy="gumption.planning reads actions, gumption.grounding reads problems and atoms",
    )
