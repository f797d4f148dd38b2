"""`gumption certify`: what a compact suite keeps of its pool, beside random suites and the ceiling."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar
from gumption.cli._curating import cache_file, past_results
from gumption.cli._folders import readable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gumption.curation.response_matrix import ResponseMatrix

__all__ = ["certify"]


def certify(
    source: Annotated[
        list[Path],
        typer.Argument(
            parser=readable,
            metavar="SOURCE",
            help="A response matrix (.npz: X, models, ids, groups), or run folders or their addresses.",
        ),
    ],
    suite: Annotated[
        str | None,
        typer.Option(help="A suite of these items (a folder, a file, a name): certify it, beside selectors."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", "--from", help="Folder with the data that the suite refers to.")
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
    cache: Annotated[Path | None, typer.Option(help="File of vectors that are kept between calls.")] = None,
    force: Annotated[bool, typer.Option(help="Take runs of different protocols all the same.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder. Otherwise certificates/NAME.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the certificate as JSON.")] = False,
) -> None:
    """Say how well small suites order models that had no part in choosing them.

    Writes certificate.json and certificate.html.

    Example:  gumption certify responses.npz --share 0.15 -o my-certificate

    A suite of yours:  gumption certify responses.npz --suite my-suite
    """
    import msgspec
    import numpy as np
    from rich.console import Console

    from gumption import __version__
    from gumption.curation.cost import cost
    from gumption.curation.dimensions import example_of
    from gumption.curation.dossier import Origin, make_dossier, write_dossier
    from gumption.curation.fit import fit
    from gumption.curation.orders import orders
    from gumption.curation.rivals import compare_methods, with_groups
    from gumption.records import GumptionError
    from gumption.reporting.certificate import print_certificate, write_certificate_page

    if not 0 < share <= 1:
        raise GumptionError(f"a share of {share}", where="--share", remedy="give a number above 0, at most 1")
    matrix, runs = past_results(source, force=force)
    given, name, checksum = (None, "", "") if suite is None else _suite(suite, data, matrix)
    size = len(given) if given is not None else k or max(1, round(share * len(matrix.items)))
    groups = np.array(matrix.groups) if matrix.grouped else None
    vectors, encoder = _embedded(matrix, cache_file(cache)) if texts and matrix.worded else (None, "")
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
        method_name, cells = with_groups(selector, groups)
        chosen = fit(matrix.scores, size, vectors, cells, method_name, seed).chosen
    else:
        chosen = given
    names = sorted(set(matrix.groups))
    labels = np.searchsorted(names, matrix.groups) if matrix.grouped else None
    named = [one or "(none)" for one in names]
    origin = Origin(
        suite=name or f"{size:,} items of {matrix.name}",
        pool=matrix.name,
        pool_checksum=matrix.checksum,
        selector=selector,
        parameters={"k": size, "splits": splits},
        seed=seed,
        encoder=encoder.partition("@")[0],
        encoder_sha256=encoder.partition("@")[2],
        suite_checksum=checksum,
        gumption=__version__,
    )
    dossier = make_dossier(
        origin,
        [example_of(item) for item in matrix.items],
        chosen,
        cost(matrix.items, chosen, runs),
        embeddings=vectors,
        labels=labels,
        names=named,
        by="group",
        fidelity=rivals,
        orders=None
        if labels is None
        else orders(matrix.scores, chosen, labels, named, models=matrix.models, seed=seed),
    )
    folder = out or Path("certificates") / matrix.name
    written = write_dossier(dossier, folder / "certificate.json")
    page = write_certificate_page(dossier, folder / "certificate.html")
    if as_json:
        sys.stdout.write(msgspec.json.encode(dossier).decode() + "\n")
        return
    print_certificate(dossier, Console(soft_wrap=False))
    print(f"\nWritten: {written}\nOpen {page} in a browser.")


def _suite(address: str, data: Path | None, matrix: ResponseMatrix) -> tuple[NDArray[np.int64], str, str]:
    """The columns of a suite's items, its name and its checksum."""
    import numpy as np

    from gumption.benchmarks import open_suite
    from gumption.records import GumptionError

    suite = open_suite(address, data)
    places = {item.id: number for number, item in enumerate(matrix.items)}
    found = sorted({places[item.id] for item in suite.items if item.id in places})
    missing = [item.id for item in suite.items if item.id not in places]
    if missing or not found:
        raise GumptionError(
            f"{len(missing):,} of its {len(suite.items):,} items have no past results, the first being "
            f"{missing[0] if missing else 'none'!r}; the results begin with {matrix.items[0].id!r}",
            where=address,
            remedy="give a matrix or runs over all items of the suite's pool, under the same ids",
        )
    return np.array(found, dtype=np.int64), suite.name, suite.checksum


def _embedded(matrix: ResponseMatrix, cache: Path) -> tuple[NDArray[np.float32], str]:
    """Vectors of the items' texts, and the encoder's id."""
    from gumption.curation.dimensions import example_of
    from gumption.curation.embedding import CachedTexts
    from gumption.models.encoder import Encoder

    encoder = CachedTexts(Encoder(), cache)
    return encoder.encode([example_of(item).text for item in matrix.items]), encoder.id
