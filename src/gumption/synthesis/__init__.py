"""The Eval Agent: evaluation code that is written, run in a sandbox, and proven."""

from gumption.synthesis.sandbox import Limits, SandboxResult, run_sandboxed

__all__ = ["Limits", "SandboxResult", "run_sandboxed"]
