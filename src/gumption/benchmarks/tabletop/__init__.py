"""Tabletop: drawn scenes with full ground truth, made by the package itself and fresh by seed.

Coloured shapes stand on a table, in a tray, on mats or a shelf, within a gripper's reach, or are built into a
tower. Fourteen capabilities are asked for, over every kind of answer that has a default score.
"""

from gumption.benchmarks.tabletop.scene import SIZE
from gumption.benchmarks.tabletop.suite import BENCHMARK, PER_SCENE, draw_suite

__all__ = ["BENCHMARK", "PER_SCENE", "SIZE", "draw_suite"]
