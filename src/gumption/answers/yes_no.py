"""Reading a yes or a no."""

from gumption.answers._reply import Passage
from gumption.records import Reading


def read_yes_no(passage: Passage) -> Reading:
    return Reading("unanswered")
