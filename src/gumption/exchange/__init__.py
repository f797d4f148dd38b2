"""Other tools' logs, made into suites and recorded replies that the normal engine scores."""

from gumption.exchange.viplan import Converted, convert

__all__ = ["Converted", "convert"]
