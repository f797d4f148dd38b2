"""Fixtures that every room's tests share."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is no fault of the code under test.
settings.register_profile("gumption", deadline=None)
# For minutes of fuzzing: --hypothesis-profile long, or GUMPTION_HYPOTHESIS_PROFILE=long.
settings.register_profile("long", deadline=None, max_examples=40_000, print_blob=True)
settings.load_profile(os.environ.get("GUMPTION_HYPOTHESIS_PROFILE") or "gumption")

REPOSITORY = Path(__file__).parents[1]
CHROMIUM = Path(os.environ.get("CHROMIUM") or "/usr/bin/chromium")


@pytest.fixture(scope="session")
def public_data() -> Path:
    """The folder of public data sets, which is not part of the repository."""
    folder = Path(os.environ.get("GUMPTION_PUBLIC_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"no public data at {folder}: set GUMPTION_PUBLIC_DATA to the folder that holds it")
    return folder


@pytest.fixture(scope="session")
def cases() -> Path:
    """Hard small inputs with the right answer."""
    return Path(__file__).parent / "cases"


@pytest.fixture(scope="module")
def browser():
    """Debian's Chromium, driven by Playwright."""
    if not CHROMIUM.exists():
        pytest.skip(f"no browser at {CHROMIUM}: install Chromium or name it in CHROMIUM")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="needs playwright: pip install 'gumption[test]'"
    )
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=str(CHROMIUM),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield chromium
        chromium.close()


def pytest_collection_finish() -> None:
    """What was loaded to collect the tests stays; the collector need not look at all of it each time."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failure, unless its reason is in the short list beside this file."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or hasattr(session.config, "workerinput") or reporter is None:
        return
    lines = (Path(__file__).parent / "allowed_skips.txt").read_text().splitlines()
    allowed = [line for line in lines if line and not line.startswith("#")]
    skips = [report.longrepr[2] for report in reporter.stats.get("skipped", ())]
    unexpected = [reason for reason in skips if not any(known in reason for known in allowed)]
    if unexpected:
        reporter.write_line(f"CI allows no skip but those in allowed_skips.txt: {sorted(set(unexpected))}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
