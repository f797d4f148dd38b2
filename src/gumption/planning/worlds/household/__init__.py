"""A symbolic AI2-THOR."""

from gumption.planning.worlds.household._state import Agent, State
from gumption.planning.worlds.household.household import Household, decode_state
from gumption.planning.worlds.household.options import Options

__all__ = ["Agent", "Household", "Options", "State", "decode_state"]
