"""`gumption certify`: what a compact suite keeps of its pool, beside random suites and the ceiling."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gumption.curation.response_matrix import ResponseMatrix

__all__ = ["certify"]


def certify(
    source: Annotated[
        list[Path], typer.Argument(help="A response matrix (.npz: X, models, ids, groups), or run folders.")
    ],
    suite: Annotated[
        str | None, typer.Option(help="A suite of these items: certify it, beside the selectors.")
    ] = None,
    k: Annotated[int | None, typer.Option(min=1, help="Items of the suite.")] = None,
    share: Annotated[float, typer.Option(help="The same as a share of the items.")] = 0.15,
    method: Annotated[
        list[str] | None,
        typer.Option(
            help="Selector to compare; may be given again. auto, stratified, centroid, ...; NAME/all "
            "chooses over the whole pool, whatever the groups."
        ),
    ] = None,
    splits: Annotated[int, typer.Option(min=2, max=10_000, help="Splits of the models in two.")] = 60,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 0,
    texts: Annotated[
        bool, typer.Option("--texts/--no-texts", help="Embed the items' texts, where they are known.")
    ] = True,
    force: Annotated[bool, typer.Option(help="Take runs of different protocols all the same.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder. Otherwise certificates/NAME.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Say how well small suites order models that had no part in choosing them.

    Writes certificate.json and certificate.html.

    Example:  gumption certify responses.npz --share 0.15 -o my-certificate
    """
    import msgspec
    import numpy as np
    from rich.console import Console

    from gumption import __version__
    from gumption.curation.cost import cost
    from gumption.curation.dimensions import example_of
    from gumption.curation.dossier import Origin, make_dossier, write_dossier
    from gumption.curation.fit import fit
    from gumption.curation.rivals import compare_methods, with_groups
    from gumption.records import GumptionError
    from gumption.reporting.certificate import print_certificate, write_certificate_page
    from gumption.running import Run

    if not 0 < share <= 1:
        raise GumptionError(f"a share of {share}", where="--share", remedy="give a number above 0, at most 1")
    runs = [] if source[0].suffix == ".npz" else [Run.open(folder) for folder in source]
    matrix = _matrix(source, force)
    given, checksum = (None, "") if suite is None else _suite(suite, matrix)
    size = len(given) if given is not None else k or max(1, round(share * len(matrix.items)))
    groups = np.array(matrix.groups) if matrix.grouped else None
    vectors, encoder, weights = _embedded(matrix) if texts and matrix.worded else (None, "", "")
    with bar("Certifying") as progress:
        rivals = compare_methods(
            matrix.scores,
            size,
            models=matrix.models,
            methods=method,
            embeddings=vectors,
            groups=groups,
            suite=given,
            splits=splits,
            seed=seed,
            progress=progress,
        )
    selector = "as given" if given is not None else rivals.recommendation.method
    if given is None:
        name, cells = with_groups(selector, groups)
        chosen = fit(matrix.scores, size, vectors, cells, name, seed).chosen
    else:
        chosen = given
    names = sorted(set(matrix.groups))
    origin = Origin(
        suite=suite or f"{size:,} items of {matrix.name}",
        pool=matrix.name,
        pool_checksum=matrix.checksum,
        selector=selector,
        parameters={"k": size, "splits": splits},
        seed=seed,
        encoder=encoder,
        encoder_sha256=weights,
        suite_checksum=checksum,
        gumption=__version__,
    )
    dossier = make_dossier(
        origin,
        [example_of(item) for item in matrix.items],
        chosen,
        cost(matrix.items, chosen, runs),
        embeddings=vectors,
        labels=np.searchsorted(names, matrix.groups) if matrix.grouped else None,
        names=[name or "(none)" for name in names],
        by="group",
        fidelity=rivals,
    )
    folder = out or Path("certificates") / matrix.name
    written = write_dossier(dossier, folder / "certificate.json")
    page = write_certificate_page(dossier, folder / "certificate.html")
    if as_json:
        sys.stdout.write(msgspec.json.encode(dossier).decode() + "\n")
        return
    print_certificate(dossier, Console(soft_wrap=False))
    print(f"\nWritten: {written}\nOpen {page} in a browser.")


def _matrix(source: list[Path], force: bool) -> ResponseMatrix:
    from gumption.curation.response_matrix import matrix_of_runs, read_matrix
    from gumption.records import GumptionError

    if source[0].suffix != ".npz":
        return matrix_of_runs(source, force=force)
    if len(source) > 1:
        raise GumptionError(
            "several files", where=str(source[1]), remedy="give one matrix, or several run folders"
        )
    return read_matrix(source[0])


def _suite(address: str, matrix: ResponseMatrix) -> tuple[NDArray[np.int64], str]:
    """The columns of a suite's items, and its checksum."""
    import numpy as np

    from gumption.benchmarks import open_suite
    from gumption.records import GumptionError

    suite = open_suite(address)
    places = {item.id: number for number, item in enumerate(matrix.items)}
    found = sorted({places[item.id] for item in suite.items if item.id in places})
    if len(found) < len(suite.items):
        raise GumptionError(
            f"{len(suite.items) - len(found)} of its {len(suite.items)} items have no past results",
            where=address,
            remedy="give a matrix or runs over all items of the suite's pool",
        )
    return np.array(found, dtype=np.int64), suite.checksum


def _embedded(matrix: ResponseMatrix) -> tuple[NDArray[np.float32], str, str]:
    """Vectors of the items' texts, the encoder's name and the hash of its weights."""
    from gumption.curation.dimensions import example_of
    from gumption.models.encoder import Encoder

    encoder = Encoder()
    vectors = encoder.encode([example_of(item).text for item in matrix.items])
    return vectors, encoder.id, encoder.sha256
