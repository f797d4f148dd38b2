"""Options of household benchmarks, as in `vlm-plansim:form=prose,shown=text`."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gumption.benchmarks.plansim.asking import SHOWN, Asked
from gumption.benchmarks.plansim.words import FORMS
from gumption.records import GumptionError

__all__ = ["asked_of", "count_of", "known_options", "protocol_of"]


def known_options(benchmark: str, options: Mapping[str, str], known: Collection[str]) -> None:
    """Raises GumptionError for an option that a benchmark does not have."""
    strange = [name for name in options if name not in known]
    if strange:
        raise GumptionError(
            f"no option is called {', '.join(strange)}",
            where=benchmark,
            remedy=f"options: {', '.join(known)}",
        )


def asked_of(benchmark: str, options: Mapping[str, str]) -> Asked:
    """Form and showing. Raises GumptionError for a value that is none."""
    form, shown = options.get("form", "actions"), options.get("shown", "picture")
    if form not in FORMS or shown not in SHOWN:
        raise GumptionError(
            f"form={form}, shown={shown}",
            where=benchmark,
            remedy=f"form: {' or '.join(FORMS)}; shown: {', '.join(SHOWN)}",
        )
    return Asked(form, shown)


def count_of(benchmark: str, options: Mapping[str, str], name: str, usual: int) -> int:
    """A count. Raises GumptionError for anything else."""
    text = options.get(name, str(usual))
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise GumptionError(f"{name}={text}", where=benchmark, remedy=f"a whole number, as in {name}={usual}")
    return int(text)


def protocol_of(options: Mapping[str, str], *, asking: Collection[str]) -> str:
    """The options about asking and scoring, "" where all are as usual; those about which tasks are told by
    the suite's checksum."""
    return ",".join(f"{name}={value}" for name, value in sorted(options.items()) if name in asking)
