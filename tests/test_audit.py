"""The audit of the dependencies: what it reaches, what it objects to, and that it says what it did not do."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

pytest.importorskip("packaging", reason="needs packaging: pip install 'gumption[test]'")

from audit import advisories
from audit.closure import closure
from audit.licences import imported, licences_of, objections

Install = Callable[..., Distribution]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a distribution of nothing but metadata where it is found."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(name: str, *lines: str, licence_file: str = "") -> Distribution:
        folder = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        folder.mkdir()
        told = [f"Name: {name}", "Version: 1.0", *lines]
        (folder / "METADATA").write_text("Metadata-Version: 2.4\n" + "\n".join(told) + "\n")
        (folder / "RECORD").write_text(f"{folder.name}/LICENSE,,\n" if licence_file else "")
        (folder / "LICENSE").write_text(licence_file)
        return PathDistribution(folder)

    return put


def project(folder: Path, text: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def test_what_is_needed_is_reached_through_all_that_it_needs(install: Install, tmp_path: Path) -> None:
    install("made-one", "Requires-Dist: made-two[more]>=1", 'Requires-Dist: never; python_version < "3"')
    install(
        "made-two", 'Requires-Dist: made-three; extra == "more"', 'Requires-Dist: made-four; extra == "less"'
    )
    install("made-three", "Requires-Dist: made-one")  # a circle ends
    install("made-alone", "Requires-Dist: made-five")
    found = closure(
        project(
            tmp_path,
            '[project]\nname = "mine"\ndependencies = ["Made_One"]\n'
            '[project.optional-dependencies]\nall = ["mine[some]"]\nsome = ["made-absent", "made-two"]\n',
        ),
        ["made-alone"],
    )
    assert set(found.reached) == {"made-one", "made-two", "made-three", "made-alone"}
    assert found.reached["made-two"] == {"", "all", "some"}
    assert found.missing == {"all": {"made-absent"}, "some": {"made-absent"}}


@pytest.mark.parametrize(
    ("lines", "text", "licences"),
    [
        (["License-Expression: MIT AND (Apache-2.0 OR BSD-3-Clause)"], "", "MIT Apache-2.0 BSD-3-Clause"),
        (["Classifier: License :: OSI Approved :: MIT License"], "", "MIT"),
        (
            ["License: BSD", "Classifier: License :: OSI Approved :: Apache Software License"],
            "",
            "Apache-2.0",
        ),
        (["License: Apache 2.0"], "", "Apache-2.0"),
        (["License: UNKNOWN"], "\n   Apache License\n   Version 2.0", "Apache-2.0"),
        (["License: Proprietary"], "All rights reserved", ""),
        ([], "", ""),
    ],
)
def test_the_licence_is_what_the_metadata_say(
    install: Install, lines: list[str], text: str, licences: str
) -> None:
    found = install("made", *lines, licence_file=text)
    assert licences_of(found) == tuple(licences.split())
    assert bool(list(objections(found))) == (not licences)


@pytest.mark.parametrize(
    ("name", "licence", "refused"),
    [
        ("some-tool", "GPL-3.0-only", True),
        ("some-tool", "MIT AND GPL-3.0-only", True),
        ("up-fast-downward", "GPL-3.0-only", False),
        ("up-fast-downward", "AGPL-3.0-only", True),
        ("psycopg", "GPL-3.0-only", True),
    ],
)
def test_other_licences_need_a_rule_of_their_own(
    install: Install, name: str, licence: str, refused: bool
) -> None:
    assert bool(list(objections(install(name, f"License-Expression: {licence}")))) == refused


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f():\n    from numpy.linalg import norm\n    return norm\n")
    (tmp_path / "b.py").write_text('import os, PIL.Image\nfrom . import numpy\ntext = "import scipy"\n')
    assert imported(tmp_path) == {"numpy": {"a.py"}, "pillow": {"b.py"}}


def fake_service(monkeypatch: pytest.MonkeyPatch, knows: Callable[[str, str], str]) -> None:
    """pip-audit answers as `knows` does of a service and the pins."""
    monkeypatch.setattr(advisories.importlib.util, "find_spec", lambda name: name)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        pins = Path(command[command.index("-r") + 1]).read_text()
        said = knows(command[command.index("--vulnerability-service") + 1], pins)
        return subprocess.CompletedProcess(command, 0, said, "no connection")

    monkeypatch.setattr(advisories.subprocess, "run", run)


WEAK = '{"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}]}'
WELL = '{"dependencies": [{"name": "a", "version": "1", "vulns": []}]}'


@pytest.mark.parametrize(
    ("answers", "service", "found", "not_made"),
    [
        ({"pypi": (WEAK, WELL)}, "pypi", (), ""),
        ({"pypi": (WEAK, WEAK)}, "pypi", ("a 1: X-1, mended in 2",), ""),
        ({"osv": (WEAK, WELL)}, "osv", (), ""),
        # A service that knows nothing of a version with a known weakness has said nothing.
        ({"pypi": (WELL, WELL), "osv": (WELL, WELL)}, "", (), "no advisory for requests==2.19.0"),
        ({}, "", (), "no connection"),
        ({"pypi": (WEAK, "")}, "", (), "no connection"),
    ],
)
def test_only_a_service_that_answers_is_believed(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    answers: dict[str, tuple[str, str]],
    service: str,
    found: tuple[str, ...],
    not_made: str,
) -> None:
    (tmp_path / "pins.txt").write_text("a==1\n")
    fake_service(
        monkeypatch, lambda asked, pins: answers.get(asked, ("", ""))[advisories.CONTROL not in pins]
    )
    told = advisories.ask(tmp_path / "pins.txt")
    assert (told.service, told.found) == (service, found)
    assert not_made in told.not_made and bool(told.not_made) == (not service)


def test_this_repository_links_to_nothing_under_the_gpl() -> None:
    """The rest of the audit is CI's: what is installed here is not this test's."""
    repository = Path(__file__).parents[1]
    found = imported(repository / "src")
    assert {"numpy", "msgspec", "pyarrow"} <= set(found)
    assert not {"up-fast-downward", "krippendorff", "fast-downward-translate"} & set(found)
