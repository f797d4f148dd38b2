"""Validation of one pipeline: the gates in order, each in one or two calls of the sandbox."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gumption.records import GumptionError
from gumption.synthesis.sandbox import Limits
from gumption.synthesis.spec import Spec
from gumption.synthesis.validation._declared import declared_items
from gumption.synthesis.validation.cases import check_replies, tries_of
from gumption.synthesis.validation.contracts import check_contract
from gumption.synthesis.validation.mutants import check_mutants
from gumption.synthesis.validation.report import Coverage, Gate, GateName, Mutants, Validation
from gumption.synthesis.validation.running import LIMITS, Pipeline, check_run
from gumption.synthesis.validation.static import check_text

__all__ = ["LIMITS", "validate"]

_NAMES: tuple[GateName, ...] = ("static", "run", "contract", "cases", "properties", "mutants")


def validate(
    code: str,
    folder: str | Path,
    spec: Spec | None,
    *,
    limits: Limits = LIMITS,
    seed: int = 0,
    items: int = 40,
    mechanism: str = "auto",
) -> Validation:
    """Does a pipeline do what its protocol record declares? No reference and no recorded reply is needed.

    code: the file's text, see `synthesis.contract`; folder: the benchmark. spec: what is declared; with None
    only what holds for any scorer is checked. items: for how many rows, drawn by the seed, replies are made;
    `load` and `build` are run on all. limits: of one call of the sandbox; mechanism: as for `run_sandboxed`.
    Gates in order:

    static: the text alone. run: two processes and two orders give the same. contract: rows, requests,
    pictures, nothing of the right answer in the request. cases: right, wrong and unreadable replies in many
    forms are worth what the record says, by an oracle of this package. properties: odd and long replies,
    other ids and questions, other right answers, monotone scores. mutants: small faults put into the code
    are noticed by the above.

    A gate is not reached where an earlier one leaves nothing to go on. What the code does never raises.
    Raises GumptionError where no sandbox is to be had, or where the folder is not as the record says.
    """
    folder = Path(folder)
    gates = [check_text(code)]
    judged: list[int] = [0, 0, 0]
    mutants: Mutants | None = None
    coverage: Coverage | None = None
    used = ""
    if gates[-1].state == "passed":
        pipeline = Pipeline(code, folder, limits, mechanism)
        used = pipeline.mechanism
        gates, judged, mutants, coverage = _run(pipeline, spec, gates, seed, items)
    reached = {one.name for one in gates}
    gates += [Gate(name, "not reached") for name in _NAMES if name not in reached]
    return Validation(
        code_sha256=hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest(),
        spec_sha256=spec.sha256 if spec else "",
        gates=tuple(gates),
        rows=judged[0],
        items=judged[1],
        replies=judged[2],
        mutants=mutants,
        coverage=coverage,
        mechanism=used,
        seed=seed,
    )


def _run(
    pipeline: Pipeline, spec: Spec | None, gates: list[Gate], seed: int, most: int
) -> tuple[list[Gate], list[int], Mutants | None, Coverage | None]:
    declared, lost = declared_items(pipeline.folder, spec) if spec else ([], [])
    if spec and not declared:
        raise GumptionError(
            "no right answer can be made out by the record", where=spec.name, remedy="look at its gold column"
        )
    run, loaded = check_run(pipeline)
    gates.append(run)
    if run.state != "passed":
        return gates, [0, 0, 0], None, None
    contract, rows = check_contract(pipeline, loaded, spec, declared, seed)
    gates.append(contract)
    tries = tries_of(rows, spec, declared, most, seed)
    counts = [len(rows), min(len(rows), most), sum(len(one.made) for one in tries)]
    if not tries:
        return gates, counts, None, None
    cases, properties = check_replies(pipeline, tries)
    if spec is None:
        without = "no protocol is declared"
        cases, mutated = (
            Gate("cases", "does not apply", note=without),
            Gate("mutants", "does not apply", note=without),
        )
        return [*gates, cases, properties, mutated], counts, None, None
    if lost:
        cases = Gate(
            cases.name,
            cases.state,
            cases.checks,
            cases.failed,
            cases.findings,
            f"{len(lost)} items have no right answer that can be made out",
        )
    gates += [cases, properties]
    if any(one.state != "passed" for one in gates):
        return gates, counts, None, None
    mutation, mutants, coverage = check_mutants(pipeline, tries, seed)
    return [*gates, mutation], counts, mutants, coverage
