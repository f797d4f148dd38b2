"""What the command line does for a quick start, and that it hides nothing for good."""

from __future__ import annotations

import subprocess
import sys

SPARED = """
import sys
import pyarrow as pa
from gumption.cli._start import spare_pandas
spare_pandas()
assert pa.table({"a": ["x", None], "b": [1.5, 2.5]}).to_pylist()[0] == {"a": "x", "b": 1.5}
assert "pandas" not in sys.modules
import pandas
"""
LOADED = """
import pandas
import pyarrow as pa
from gumption.cli._start import spare_pandas
spare_pandas()
assert pa.table({"a": [1]}).to_pandas()["a"].tolist() == [1]
"""
COLLECTED = """
import gc
from gumption.cli import main
before = gc.get_threshold()[0]
try:
    main()
except SystemExit:
    pass
assert gc.isenabled()
assert gc.get_threshold()[0] > before
"""


def test_arrow_does_without_pandas_and_others_may_still_load_it():
    subprocess.run([sys.executable, "-c", SPARED], check=True)


def test_pandas_that_is_loaded_already_stays_known_to_arrow():
    subprocess.run([sys.executable, "-c", LOADED], check=True)


def test_garbage_is_still_collected():
    subprocess.run([sys.executable, "-c", COLLECTED, "--help"], check=True, stdout=subprocess.DEVNULL)
