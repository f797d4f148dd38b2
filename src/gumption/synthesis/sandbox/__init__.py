"""Running code that nobody vouches for: with limits, and out of reach of everything."""

from gumption.synthesis.sandbox.limits import Limits, SandboxResult
from gumption.synthesis.sandbox.mechanisms import Tried, run_sandboxed, tried

__all__ = ["Limits", "SandboxResult", "Tried", "run_sandboxed", "tried"]
