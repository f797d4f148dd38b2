"""What `curate`, `certify` and `demo` share: the cache of vectors, past results, the written suite."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from gumption.cached import cache_folder

if TYPE_CHECKING:
    from gumption.curation.agent import Curation
    from gumption.curation.response_matrix import ResponseMatrix
    from gumption.running import Run

__all__ = ["cache_file", "past_results", "write_suite"]


def cache_file(given: Path | None) -> Path:
    """Where vectors are kept between calls: the file that is named, else one in GUMPTION_CACHE or
    ~/.cache/gumption."""
    root = cache_folder()
    return given or root / "vectors.sqlite"


def past_results(sources: list[Path], *, force: bool = False) -> tuple[ResponseMatrix, list[Run]]:
    """A matrix from one `.npz` file, or from run folders: then these runs too."""
    from gumption.curation.response_matrix import matrix_of_runs, read_matrix
    from gumption.records import GumptionError
    from gumption.running import Run

    if sources[0].suffix != ".npz":
        return matrix_of_runs(sources, force=force), [Run.open(folder) for folder in sources]
    if len(sources) > 1:
        raise GumptionError(
            "several files", where=str(sources[1]), remedy="give one matrix, or several run folders"
        )
    return read_matrix(sources[0]), []


def write_suite(curation: Curation, out: Path, *, amiss: Iterable[str] = (), overwrite: bool = False) -> None:
    """The suite's folder with its certificate, the log of the induction, and why each item is in it."""
    import msgspec

    from gumption.curation import induction_log
    from gumption.curation.artefact import selection_of
    from gumption.reporting.certificate import certificate_page
    from gumption.suites import SELECTION, selection_bytes, write_folder

    chosen = selection_of(curation.choice, curation.assignment, curation.pool)
    attachments = {
        "certificate.json": msgspec.json.format(msgspec.json.encode(curation.dossier), indent=1) + b"\n",
        "certificate.html": certificate_page(curation.dossier).encode(),
        SELECTION: selection_bytes(chosen),
        **induction_log.files(curation.induction, amiss),
    }
    write_folder(curation.suite, out, overwrite=overwrite, attachments=attachments)
