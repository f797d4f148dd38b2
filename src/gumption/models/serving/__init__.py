"""Local weights by name: servers that are started, watched over, asked in turn and stopped."""

from gumption.models.serving.engines import ENGINES, Engine, Found
from gumption.models.serving.failure import Cause, cause_of
from gumption.models.serving.served import Served

__all__ = ["ENGINES", "Cause", "Engine", "Found", "Served", "cause_of"]
