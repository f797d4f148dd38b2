"""Other tools' logs, made into suites and recorded replies that the normal engine scores; and ours for them.

`exchange.inspect_tasks`, which offers our benchmarks to Inspect, is imported by Inspect alone.
"""

from gumption.exchange.inspect_logs import export
from gumption.exchange.kits import read_logs
from gumption.exchange.log import KitLog, Recorded
from gumption.exchange.rescore import Moved, Rescored, Side, rescore
from gumption.exchange.viplan import Converted, convert

__all__ = [
    "Converted",
    "KitLog",
    "Moved",
    "Recorded",
    "Rescored",
    "Side",
    "convert",
    "export",
    "read_logs",
    "rescore",
]
