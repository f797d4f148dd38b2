"""A validated pipeline as a folder that can be reviewed, edited by hand, checked again and run.

    pipeline.py        load, build and score
    spec.json          the protocol record that it follows
    tests.jsonl        made replies with what each must be worth
    validation.json    what every gate found
    manifest.json      hashes of these, of the data, who wrote it, in which sandbox it was checked
    synthesis.json     how it came about; also there where nothing came of it
    attempts/          every attempt, with its evidence
    transcript.jsonl   every question to a model, with its reply

`manifest.json` is written last and only for what passed every gate: a folder without one is not run, nor is
one whose files are no longer those of its hashes.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from gumption import __version__
from gumption.atomic import replacing, written
from gumption.lines import read_whole
from gumption.records import GumptionError
from gumption.synthesis.data import Data, data_of
from gumption.synthesis.roles import Evidence
from gumption.synthesis.spec import Spec
from gumption.synthesis.spent import Spent

__all__ = [
    "CODE",
    "MANIFEST",
    "Manifest",
    "Pipeline",
    "read_edited",
    "read_pipeline",
    "version_of",
    "write_pipeline_folder",
]

T = TypeVar("T")

CODE, SPEC, TESTS, VALIDATION, MANIFEST = (
    "pipeline.py",
    "spec.json",
    "tests.jsonl",
    "validation.json",
    "manifest.json",
)
_HASHED = (CODE, SPEC, TESTS, VALIDATION)
FORMAT = 1
_LARGEST = 64 * 2**20


class Manifest(Struct, frozen=True):
    """What `manifest.json` says."""

    name: str
    """Of the benchmark."""
    version: str
    """Hash of code and record: a repair makes another one."""
    files: dict[str, str]
    """Name to SHA-256 of what must be as it was checked."""
    address: str
    """The benchmark's folder, relative to this one."""
    data: Data
    sandbox: str
    """In which it was checked; "none" where that was waived."""
    roles: dict[str, str]
    spent: Spent | None
    doubts: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    """Earlier versions, the first one first."""
    gumption: str = ""
    format: int = FORMAT


@dataclass(frozen=True)
class Pipeline:
    """A pipeline that is as it was checked."""

    folder: Path
    manifest: Manifest
    spec: Spec
    code: str

    def root(self, data: Path | None = None) -> Path:
        """The benchmark's folder, `data` where it lies elsewhere now.

        Raises GumptionError where it is not there or holds other data than were checked.
        """
        root = data or Path(os.path.normpath(self.folder / self.manifest.address))
        if not root.is_dir():
            raise GumptionError(
                "the benchmark's folder is not there", where=str(root), remedy="name it with --data"
            )
        if data_of(root, self.manifest.data.withheld) != self.manifest.data:
            raise GumptionError(
                "the data are not those that the pipeline was checked on",
                where=str(root),
                remedy=f"put them back, or check it on these: gumption synthesize check {self.folder} "
                f"--data {root}",
            )
        return root


def write_pipeline_folder(
    folder: Path,
    *,
    spec: Spec,
    code: str,
    evidence: Evidence,
    root: Path,
    data: Data,
    roles: Mapping[str, str],
    spent: Spent | None,
    doubts: tuple[str, ...] = (),
    parents: tuple[str, ...] = (),
) -> Pipeline:
    """Write what passed every gate. Raises GumptionError where it did not, or where it cannot be written."""
    if not evidence.passed:
        raise GumptionError("it did not pass", where=str(folder), remedy="mend it and check it again")
    contents = {
        CODE: code.encode(),
        SPEC: _pretty(spec),
        TESTS: evidence.tests.encode(),
        VALIDATION: _pretty(evidence.report),
    }
    manifest = Manifest(
        spec.name,
        version_of(spec, code),
        {name: hashlib.sha256(contents[name]).hexdigest() for name in _HASHED},
        os.path.relpath(root.resolve(), folder.resolve()),
        data,
        evidence.mechanism,
        dict(roles),
        spent,
        doubts,
        parents,
        __version__,
    )
    with written(folder):
        folder.mkdir(parents=True, exist_ok=True)
        # While the files change there is no manifest that could speak for them.
        (folder / MANIFEST).unlink(missing_ok=True)
        for name, content in contents.items():
            (folder / name).write_bytes(content)
        with replacing(folder / MANIFEST) as temporary:
            temporary.write_bytes(_pretty(manifest))
    return Pipeline(folder, manifest, spec, code)


def read_pipeline(folder: Path) -> Pipeline:
    """Raises GumptionError where it is no pipeline, and where a file was changed since it was checked."""
    manifest = _manifest(folder)
    for name in _HASHED:
        if hashlib.sha256(_bytes(folder / name)).hexdigest() != manifest.files.get(name):
            raise GumptionError(
                f"{name} was changed since the pipeline was checked",
                where=str(folder),
                remedy=f"gumption synthesize check {folder}",
            )
    return _opened(folder, manifest)


def read_edited(folder: Path) -> Pipeline:
    """The same, whatever was changed by hand: to be checked, not to be run."""
    return _opened(folder, _manifest(folder))


def _opened(folder: Path, manifest: Manifest) -> Pipeline:
    spec = _decoded(folder / SPEC, Spec)
    try:
        code = _bytes(folder / CODE).decode()
    except UnicodeDecodeError as error:
        raise GumptionError(
            f"not a text: {error}", where=str(folder / CODE), remedy="save it as UTF-8"
        ) from error
    return Pipeline(folder, manifest, spec, code)


def _manifest(folder: Path) -> Manifest:
    if not (folder / MANIFEST).is_file():
        tried = (folder / "synthesis.json").is_file()
        raise GumptionError(
            "nothing was synthesised here" if tried else "not a pipeline: it has no manifest.json",
            where=str(folder),
            remedy=f"see why in {folder / 'synthesis.json'}"
            if tried
            else "give the folder that gumption synthesize wrote",
        )
    return _decoded(folder / MANIFEST, Manifest)


def _decoded(path: Path, type: type[T]) -> T:
    try:
        return msgspec.json.decode(_bytes(path), type=type)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise GumptionError(
            f"cannot be read: {error}", where=str(path), remedy="undo the change, or synthesise it again"
        ) from error


def _bytes(path: Path) -> bytes:
    return read_whole(path, _LARGEST, "synthesise it again")


def version_of(spec: Spec, code: str) -> str:
    """Hash of record and code."""
    return hashlib.sha256(f"{spec.sha256}\0{code}".encode()).hexdigest()[:16]


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"
