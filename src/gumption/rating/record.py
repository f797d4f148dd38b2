"""What the organiser sees of a study: everything that is judged, and everything that was said of it."""

from __future__ import annotations

from msgspec import Struct

from gumption.rating.study import Values

__all__ = ["Judged", "Record"]


class Judged(Struct, frozen=True):
    """What is judged at once: an output, a pair, or an item to be labelled. Organiser's side."""

    scenario: str
    models: tuple[str, ...]
    """One in a rating, two in a comparison, none in labelling."""
    outputs: tuple[str, ...]
    """Public ids, in the same order."""

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """As `Record.unit`."""
        return self.scenario, self.outputs


class Record(Struct, frozen=True):
    """A task with everything that is known of it. Organiser's side; a rater is only a pseudonym in it."""

    task: str
    rater: str
    number: int
    scenario: str
    models: tuple[str, ...]
    """One in a rating, two in a comparison, none in labelling and checks."""
    outputs: tuple[str, ...]
    """Public ids, in the same order."""
    label: str
    """The scenario's machine label."""
    repeat: bool
    """Whether it is the second showing to this rater."""
    expected: Values | None
    """The right answer of an attention check, None elsewhere."""
    live: bool
    """Given out, not submitted, and still kept for the rater."""
    values: Values
    """Empty until submitted. In a comparison LEFT is for the first of `models`, wherever it stood."""
    comment: str
    seconds: float
    revision: int
    """0 until submitted."""
    submitted: float

    @property
    def unit(self) -> tuple[str, tuple[str, ...]]:
        """What was judged: the same for everybody who judged it."""
        return self.scenario, self.outputs

    @property
    def passed(self) -> bool | None:
        """Whether an attention check was answered as it asks; None where there is nothing to pass."""
        return None if self.expected is None or not self.revision else self.values == self.expected
