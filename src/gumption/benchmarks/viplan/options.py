"""How the tasks are asked and read, where one can choose: `gumption run viplan-blocksworld:yes_no=viplan`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from gumption.grounding.render import Style
from gumption.records import GumptionError

__all__ = ["Options", "YesNo", "options_of"]

YesNo = Literal["strict", "viplan"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Their values, and what is usual."""

    yes_no: YesNo = "strict"
    """How yes/no replies are read: as everywhere here, or as the release does (`reading.read_viplan`)."""
    style: Style = "sprite"
    """Of Blocksworld's pictures."""

    @property
    def changed(self) -> str:
        """Those that are not the usual ones, as they are written behind a name; "" if all are usual."""
        return ",".join(f"{name}={value}" for name, value in msgspec.to_builtins(self).items())


def options_of(told: Mapping[str, str]) -> Options:
    """Raises GumptionError for an option or a value that is not known."""
    try:
        return msgspec.convert(dict(told), Options)
    except msgspec.ValidationError as error:
        raise GumptionError(
            f"no such option: {error}",
            where="viplan",
            remedy="options: yes_no=strict or viplan, style=sprite or isometric",
        ) from error
