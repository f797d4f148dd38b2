"""A certificate as one page that opens from a file system: no script, nothing from a network."""

from __future__ import annotations

from collections.abc import Iterator

from gumption.curation.dossier import Dossier
from gumption.curation.rivals import Rivals
from gumption.ranking.pair_order import WIDEST
from gumption.reporting._certificate_figures import before_and_after, by_size, dimension_maps, lifts, likeness
from gumption.reporting._certificate_orders import orders_html
from gumption.reporting._certificate_words import (
    SELECTOR_HEADER,
    SPREAD_HEADER,
    chosen,
    cost_rows,
    decimal,
    facts,
    gap_rows,
    likeness_rows,
    selector_rows,
    spread_rows,
    verdicts,
)
from gumption.reporting._pieces import figure, grid, opening, said

__all__ = ["certificate_html"]


def certificate_html(dossier: Dossier, *, figures: bool = True) -> str:
    """The page. Without `figures` it has the tables only (they need matplotlib)."""
    return "\n".join(_page(dossier, figures)) + "\n"


def _page(dossier: Dossier, figures: bool) -> Iterator[str]:
    yield from opening(f"Certificate of {dossier.origin.suite}", ("report.css", "certificate.css"))
    yield (
        f"<p>{dossier.suite_items:,} of the {dossier.pool_items:,} items of {said(dossier.origin.pool)}, "
        f"{100 * dossier.suite_items / dossier.pool_items:.1f} %, chosen "
        f"{said(chosen(dossier))}. This page says what the small suite keeps of the large pool, "
        "what it does not, and how sure that is.</p>"
    )
    if dossier.fidelity is not None:
        yield from (f'<p class="verdict">{said(words)}</p>' for words in verdicts(dossier.fidelity))
    if not figures:
        yield "<p class=\"quiet\">The figures are left out: they need pip install 'gumption[figures]'.</p>"
    yield from _fidelity(dossier.fidelity, figures)
    yield from orders_html(dossier)
    yield from _balance(dossier, figures)
    yield from _redundancy(dossier, figures)
    yield from _coverage(dossier, figures)
    yield from _voters(dossier)
    yield from _cost(dossier)
    yield "<h2>What is not certified</h2><ul>"
    yield from (f"<li>{said(line)}</li>" for line in dossier.missing)
    yield "</ul><h2>For a paper</h2>"
    yield f"<blockquote>{said(dossier.paragraph)}</blockquote>"
    yield "<h2>How to make it again</h2><dl class='protocol'>"
    yield from (f"<dt>{said(name)}</dt><dd>{said(value)}</dd>" for name, value in facts(dossier))
    yield "</dl></main></body></html>"


def _fidelity(rivals: Rivals | None, figures: bool) -> Iterator[str]:
    yield "<h2>Does the suite order models as the pool does?</h2>"
    if rivals is None:
        yield "<p>Not known: no past results were given. See “What is not certified”.</p>"
        return
    first = rivals.certificates[0]
    yield (
        f"<p>{len(rivals.models)} models answered the {rivals.items:,} items. In each of {first.splits} "
        f"splits, half of the models choose {rivals.k:,} items, and the suite orders the other "
        f"{first.models} models ({first.pairs} pairs), which had no part in the choice. Kendall's tau-b "
        "compares that order with the one by all items: 1 is the same order, 0 none at all.</p>"
    )
    if figures:
        yield figure(
            lifts(rivals),
            "How far each selector is above random suites of the same size: the dot is the mean over splits, "
            "the line its 95 % interval. A line that touches the dashed one (random) shows no difference. "
            "Where several selectors are compared, one may seem ahead by luck.",
        )
    yield from grid(SELECTOR_HEADER, selector_rows(rivals))
    yield (
        "<p class='quiet'>tau: with the order by all items, which contain the suite, so it is flattered a "
        "little. Random: suites of the same size drawn at random, the measure of every selector. Lift: tau "
        "above random. Ceiling: all items drawn anew, against all items; no suite can be expected to do "
        "better. Split-half: one half of the items against the other. Gap: how many points apart two models "
        "must be to keep their order 80 % of the time. * 5 to 95 % of random suites.</p>"
    )
    if figures:
        yield figure(
            by_size(rivals),
            "How the agreement grows with the size of the suite. Grey: random suites of that size, mean and "
            "the range of 90 % of them. Green: the leading selector (the highest lower end of its lift) with "
            "its 95 % interval. Where green lies inside the grey band, choosing adds little to chance. The "
            "upper broken line is the most that can be expected of these items and models.",
        )
    yield "<h3>Which pairs of models keep their order</h3>"
    header = ("Selector", *(_gap(one.low, one.high) for one in first.kept))
    yield from grid(header, gap_rows(rivals))
    yield (
        "<p class='quiet'>By how far two models are apart on all items, in points of 100. 50 % is a coin; a "
        "tie in the suite counts as lost.</p>"
    )


def _gap(low: float, high: float) -> str:
    if high >= WIDEST:
        return f"{100 * low:.0f} and more"
    return f"{100 * low:.0f} to {100 * high:.0f}"


def _balance(dossier: Dossier, figures: bool) -> Iterator[str]:
    yield "<h2>Balance before and after</h2>"
    yield from grid(SPREAD_HEADER, spread_rows(dossier))
    yield (
        "<p class='quiet'>Entropy: 1 is perfectly even, 0 all in one. Gini: 0 is even. Other is counted in "
        "the figures below but has no part in either.</p>"
    )
    for number, spread in enumerate(dossier.balance):
        if len(spread.counts) < 2:
            continue
        if figures:
            yield figure(
                before_and_after(spread, f"spread{number}"),
                f"By {spread.by}: of 100 items, how many fall under each name, in the pool (grey) and in the "
                "suite (green). A green bar longer than the grey one is a name that the suite gives more "
                "weight to.",
            )
        if spread.by == "dimension" and dossier.definitions:
            yield "<details open><summary>What each dimension holds</summary><dl>"
            yield from (
                f"<dt>{said(name)}</dt><dd>{said(words)}</dd>" for name, words in dossier.definitions.items()
            )
            yield "</dl></details>"
        yield f"<details><summary>Counts by {said(spread.by)}</summary>"
        yield from grid(
            (spread.by.capitalize(), "Pool", "Suite"),
            ((one.name, f"{one.pool:,}", f"{one.suite:,}") for one in spread.counts),
        )
        yield "</details>"


def _redundancy(dossier: Dossier, figures: bool) -> Iterator[str]:
    before = dossier.redundancy
    if before is None:
        return
    yield "<h2>Redundancy</h2>"
    yield (
        f"<p>Two items are called alike where the cosine of their vectors is {before.threshold:g} or more. "
        f"That means that they read alike ({said(dossier.origin.encoder)}), not that they are the same "
        "question: their pictures may differ.</p>"
    )
    yield from grid(("", "Pool", "Suite"), likeness_rows(dossier))
    if figures and len(before.benchmarks) > 1:
        yield figure(
            likeness(before),
            "How near the items of one benchmark (row) have an item of another (column): the mean cosine to "
            "the nearest one. On the diagonal: to the nearest other item of the same benchmark. A dark "
            "square off the diagonal means that the column's benchmark asks much of what the row's asks.",
        )
    if dossier.alike:
        yield "<details><summary>The most alike pairs</summary>"
        yield '<div class="scroll"><table><thead><tr>'
        yield "<th>Cosine</th><th>One</th><th>Other</th></tr></thead><tbody>"
        for one in dossier.alike:
            cells = "".join(
                f"<td><small>{said(benchmark)}, {said(id)}</small><br>{said(text)}</td>"
                for benchmark, id, text in zip(one.benchmarks, one.ids, one.texts, strict=True)
            )
            yield f"<tr><td>{decimal(one.similarity)}</td>{cells}</tr>"
        yield "</tbody></table></div></details>"


def _coverage(dossier: Dossier, figures: bool) -> Iterator[str]:
    near = dossier.coverage
    if near is None:
        return
    low, high = near.random_mean_range
    yield "<h2>Coverage</h2>"
    yield from grid(
        ("Distance to the nearest item kept", "This suite", f"Random suites, mean of {near.draws}"),
        (
            ("mean", f"{near.mean:.3f}", f"{near.random_mean:.3f}\n{low:.3f} to {high:.3f}"),
            ("95 % are nearer than", f"{near.far:.3f}", f"{near.random_far:.3f}"),
        ),
    )
    yield (
        f"<p class='quiet'>1 - cosine, from {near.items:,} of the pool's {near.of:,} items: 0 is an item "
        "kept or one just like it, 1 nothing in common. Lower than random means that the suite leaves fewer "
        "items without a like. A balanced suite gives a large dimension fewer places than chance would, so "
        "its mean may lie above random's while its far end lies below.</p>"
    )
    if figures:
        yield '<div class="maps">'
        for one, svg in dimension_maps(dossier.maps):
            yield (
                f"<figure>{svg}<figcaption><b>{said(one.name)}</b><br>{one.suite:,} of {one.pool:,} kept; "
                f"the axes show {100 * one.explained:.0f} % of the variance</figcaption></figure>"
            )
        yield "</div>"
        yield (
            "<p class='quiet'>Maps of the items by what they say (the first two principal components of "
            "their vectors; a few hundred points each). Grey: left out. Green: kept. Green points should lie "
            "wherever grey ones do; a grey region without green is a kind of question that the suite "
            "leaves out. Distances on a map that shows little of the variance mean little.</p>"
        )


def _voters(dossier: Dossier) -> Iterator[str]:
    voters = dossier.voters
    if voters is None:
        return
    yield "<h2>Do the voters agree?</h2>"
    if voters.evidence:
        yield (
            f'<p class="fault">{said(voters.evidence.capitalize())}: these voters are no strangers to each '
            "other, so that they agree says little of whether they are right.</p>"
        )
    found = voters.agreement
    rows = (
        (name, decimal(value.mean), f"{decimal(value.low)} to {decimal(value.high)}")
        for name, value in (
            ("Fleiss' kappa", found.fleiss),
            ("Krippendorff's alpha", found.alpha),
            ("Cohen's kappa, mean of pairs", found.cohen),
            ("Gwet's AC1", found.ac1),
        )
    )
    yield from grid(("Agreement beyond chance", "Value", "95 %"), rows)
    unanimous = "" if voters.unanimous is None else f" All agree on {100 * voters.unanimous:.0f} % of these."
    yield (
        f"<p class='quiet'>On the {voters.full:,} items that all {voters.voters} voters labelled: 1 is full "
        f"agreement, 0 what chance gives.{unanimous} {voters.asked:,} of {voters.possible:,} votes were "
        f"asked for, as voting stops once a label is settled; {voters.adjudicated:,} ties were broken.</p>"
    )


def _cost(dossier: Dossier) -> Iterator[str]:
    yield "<h2>Cost of asking one model</h2>"
    yield from grid(("", "Pool", "Suite", "Kept"), cost_rows(dossier.cost))
    yield f"<p class='quiet'>{said(dossier.cost.basis)}"
    if dossier.cost.runs:
        yield (
            " Hours of requests times the GPUs of the server are the GPU-hours at most: a server answers "
            "several requests at once."
        )
    yield "</p>"
