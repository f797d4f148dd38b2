"""`gumption ground`: check, score, solve, validate, render and generate planning problems."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gumption.cli._console import bar
from gumption.cli._executors import On, Workers
from gumption.cli._ground_tables import (
    findings_json,
    show_findings,
    show_plan,
    show_solved,
    show_steps,
    show_verdict,
)
from gumption.cli._plans import print_json, read_text
from gumption.records import GumptionError

if TYPE_CHECKING:
    from gumption.grounding import Domain, Problem

__all__ = ["app"]

app = typer.Typer(help="Read, solve, validate, score and draw planning problems.", no_args_is_help=True)

DomainFile = Annotated[Path, typer.Argument(metavar="DOMAIN", help="A PDDL domain.")]
ProblemFile = Annotated[Path, typer.Argument(metavar="PROBLEM", help="A PDDL problem, or a reply with one.")]
Strict = Annotated[bool, typer.Option("--strict", help="Repair nothing: what needs repair is unreadable.")]
Timeout = Annotated[float, typer.Option("--timeout-s", min=0.0, help="Wall-clock seconds for each search.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


class PlannerName(StrEnum):
    """Who searches."""

    AUTO = "auto"
    ASTAR = "astar"
    FAST_DOWNWARD = "fast-downward"
    SYMBOLIZER_RELEASE = "symbolizer-release"


class LeftOut(StrEnum):
    """Named sets of predicates that can be left out of a score."""

    STATIC = "static"
    DERIVABLE = "derivable"


class StyleName(StrEnum):
    """How a state is drawn."""

    SPRITE = "sprite"
    ISOMETRIC = "isometric"


class YesNoName(StrEnum):
    """How a reply to a yes/no question is read."""

    STRICT = "strict"
    VIPLAN = "viplan"


@app.command()
def check(
    domain: DomainFile,
    problems: Annotated[
        list[Path] | None, typer.Argument(metavar="[PROBLEM]...", help="Problems, or replies with one.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what is wrong with a domain and with problems, with line and column, and what had to be repaired.

    Example:  gumption ground check domain.pddl problem.pddl

    Ends with code 1 where anything is wrong.
    """
    from gumption.grounding import read_problem

    known = _domain(domain, read_text(domain))
    readings = {str(path): read_problem(read_text(path), known) for path in problems or ()}
    if as_json:
        print_json(findings_json(known, readings))
    else:
        show_findings(str(domain), known, readings)
    if known.errors or known.unsupported or not all(reading.clean for reading in readings.values()):
        raise typer.Exit(1)


@app.command()
def validate(
    domain: DomainFile,
    problem: ProblemFile,
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="Steps like (stack a b), or - for the input.")],
    strict: Strict = False,
    force: Annotated[
        bool, typer.Option("--force", help="Go on with a failed step's effects instead of leaving it out.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say whether a plan is valid, and everything that is wrong with it.

    Example:  gumption ground validate domain.pddl problem.pddl plan.txt

    Ends with code 1 where the plan is not valid.
    """
    from gumption.grounding import read_actions
    from gumption.grounding import validate as judge

    known = _domain(domain, read_text(domain))
    steps = read_actions(read_text(plan))
    verdict = judge(
        known,
        _problem(problem, read_text(problem), known, strict),
        steps,
        on_failure="execute" if force else "skip",
    )
    if as_json:
        print_json(verdict)
    else:
        show_verdict(verdict, steps)
    if not verdict.valid:
        raise typer.Exit(1)


@app.command()
def solve(
    domain: DomainFile,
    problems: Annotated[
        list[Path],
        typer.Argument(
            metavar="PROBLEM...", help="Problems, or replies with one; a folder is its .pddl files."
        ),
    ],
    planner: Annotated[PlannerName, typer.Option(help="auto is Fast Downward where it is installed.")] = (
        PlannerName.AUTO
    ),
    timeout_s: Timeout = 60.0,
    memory_mb: Annotated[float, typer.Option("--memory-mb", min=1, help="What the search may take.")] = 2048,
    strict: Strict = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Write the plan to this file; of several problems, a line of JSON for each."),
    ] = None,
    on: On = "local",
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Look for a plan; one that is found has been validated. It need not be the shortest.

    Example:  gumption ground solve domain.pddl problem.pddl --planner astar

    Many:  gumption ground solve domain.pddl problems/ --planner astar --out solved.jsonl --on ray

    The same command after a crash plans only for what is not yet in the file of --out. Ends with code 1 where
    no plan was found; the status says why.
    """
    from gumption.executors import open_executor
    from gumption.grounding.planners.many import Asked, Solving, solve_all
    from gumption.grounding.plans import write_actions
    from gumption.grounding.states import Dynamics

    rules = read_text(domain)
    known = _domain(domain, rules)
    known.raise_unsupported()
    paths = [*dict.fromkeys(path for one in problems for path in _problem_files(one))]
    texts = {path: read_text(path) for path in paths}
    many = len(paths) > 1 or problems[0].is_dir()
    if not many:  # of many each has a status; of one what is unfit is bad usage
        Dynamics(known, _problem(paths[0], texts[paths[0]], known, strict))
    how = Solving(rules, planner.value, timeout_s, memory_mb, repair=not strict)
    asked = [Asked(str(path), text) for path, text in texts.items()]
    with open_executor(on, workers=workers) as executor, bar("Solving") as progress:
        done = solve_all(asked, how, executor, out=out if many else None, progress=progress)
    plan = done[0].result.plan
    if out and not many and plan is not None:
        _write(out, write_actions(plan).encode())
    if many:
        show_solved(done, as_json=as_json)
    elif as_json:
        print_json(done[0].result)
    else:
        show_plan(done[0].result)
    if any(one.result.status != "solved" for one in done):
        raise typer.Exit(1)


@app.command()
def score(
    outputs: Annotated[Path, typer.Argument(help="A folder with DOMAIN/STEP/problems/problemK.pddl.")],
    gold: Annotated[
        Path, typer.Argument(help="One with DOMAIN/domain.pddl and DOMAIN/problems/problemN.pddl.")
    ],
    repeats: Annotated[int, typer.Option(min=1, help="Outputs for each gold problem.")] = 10,
    repair: Annotated[
        bool, typer.Option("--repair", help="Repair outputs; else one that needs it is an empty one.")
    ] = False,
    without: Annotated[
        list[LeftOut] | None, typer.Option(help="Predicates to leave out. Can be given twice.")
    ] = None,
    planner: Annotated[
        PlannerName | None, typer.Option(help="Also plan for every output with this one.")
    ] = None,
    timeout_s: Timeout = 60.0,
    as_json: Json = False,
) -> None:
    """Score a folder of written problems against the true ones: F1 of each section, and planning success.

    Example:  gumption ground score gpt4_outputs data --without static

    Plans that lie in DOMAIN/STEP/plans are judged too. The layout is that of ViLaIn's outputs for ProDG.
    """
    from gumption.grounding.diagnosis import remembering
    from gumption.grounding.planners import solve as search
    from gumption.grounding.problem_score import derivable, static
    from gumption.grounding.prodg_outputs import read_outputs, score_output, summarise_outputs

    solver = None
    if planner is not None:
        solver = remembering(partial(search, planner=planner.value, timeout_s=timeout_s))
    named = {LeftOut.STATIC: static, LeftOut.DERIVABLE: derivable}
    steps = summarise_outputs(
        score_output(
            output,
            planner=solver,
            without=frozenset().union(*(named[one](output.domain) for one in without or ())),
        )
        for output in read_outputs(outputs, gold, repeats=repeats, repair=repair)
    )
    if as_json:
        print_json(steps)
    else:
        show_steps(steps, planner.value if planner else "")


@app.command()
def diagnose(
    outputs: Annotated[Path, typer.Argument(help="A folder with DOMAIN/STEP/problems/problemK.pddl.")],
    gold: Annotated[
        Path, typer.Argument(help="One with DOMAIN/domain.pddl and DOMAIN/problems/problemN.pddl.")
    ],
    repeats: Annotated[int, typer.Option(min=1, help="Outputs for each gold problem.")] = 10,
    planner: Annotated[
        PlannerName, typer.Option(help="Who plans for each mixed problem.")
    ] = PlannerName.ASTAR,
    timeout_s: Timeout = 60.0,
    report: Annotated[
        Path | None, typer.Option(help="Also write a page with figure and table to this folder.")
    ] = None,
) -> None:
    """Say what written problems fail for, objects, facts or goal, and what retries mend.

    Each is planned for with the truth in place of every choice of stages; failures are shared by stage.

    Example:  gumption ground diagnose gpt4_outputs data --report diagnosis
    """
    from rich.console import Console

    from gumption.grounding.planners import solve as search
    from gumption.grounding.prodg_outputs import read_outputs
    from gumption.grounding.retries import diagnose_steps
    from gumption.reporting.diagnosis import print_diagnosis, write_diagnosis_page

    solver = partial(search, planner=planner.value, timeout_s=timeout_s)
    steps = diagnose_steps(read_outputs(outputs, gold, repeats=repeats, repair=True), solver)
    print_diagnosis(steps, Console(soft_wrap=False))
    if report is not None:
        print(f"\nOpen {write_diagnosis_page(steps, report)} in a browser.")


@app.command()
def render(
    domain: DomainFile,
    problem: ProblemFile,
    out: Annotated[Path, typer.Argument(metavar="PICTURE", help="The PNG file to write.")],
    style: Annotated[StyleName, typer.Option(help="Flat, or seen from above a corner.")] = StyleName.SPRITE,
    seed: Annotated[int, typer.Option(help="Varies what is no part of the state.")] = 0,
    width: Annotated[int, typer.Option(help="Pixels.")] = 480,
    height: Annotated[int, typer.Option(help="Pixels.")] = 360,
    strict: Strict = False,
) -> None:
    """Draw a problem's initial state: blocksworld, blocks in columns, hanoi or cooking.

    Example:  gumption ground render domain.pddl problem.pddl picture.png --style isometric
    """
    from gumption.grounding.render import render as draw

    known = _domain(domain, read_text(domain))
    read = _problem(problem, read_text(problem), known, strict)
    picture = draw(known, read.objects, read.init, style=style.value, seed=seed, size=(width, height))
    _write(out, picture)
    print(out)


@app.command()
def generate(
    world: Annotated[
        str, typer.Argument(help="blocksworld, columns, hanoi, coloured-hanoi, cooking or household.")
    ],
    seed: Annotated[int, typer.Option(help="The same seed and sizes make the same problem.")] = 0,
    blocks: Annotated[int | None, typer.Option(help="Of blocksworld and columns.")] = None,
    columns: Annotated[int | None, typer.Option(help="Of columns.")] = None,
    discs: Annotated[int | None, typer.Option(help="Of hanoi and coloured-hanoi.")] = None,
    vegetables: Annotated[int | None, typer.Option(help="Of cooking.")] = None,
    containers: Annotated[int | None, typer.Option(help="Of household.")] = None,
    surfaces: Annotated[int | None, typer.Option(help="Of household.")] = None,
    items: Annotated[int | None, typer.Option(help="Of household.")] = None,
    goals: Annotated[int | None, typer.Option(help="Of household.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="A folder for domain.pddl, problem.pddl, instruction.txt and plan.txt."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a fresh problem that has a plan, with its goal as a sentence.

    Example:  gumption ground generate columns --blocks 6 --seed 3 --out fresh
    """
    from gumption.grounding.generate import generate as make
    from gumption.grounding.plans import write_actions

    sizes = {
        "blocks": blocks, "columns": columns, "discs": discs, "vegetables": vegetables,
        "containers": containers, "surfaces": surfaces, "items": items, "goals": goals,
    }  # fmt: skip
    made = make(world, seed=seed, **{name: size for name, size in sizes.items() if size is not None})
    files = {
        "domain.pddl": made.domain_text,
        "problem.pddl": made.problem_text,
        "instruction.txt": f"{made.instruction}\n",
        "plan.txt": write_actions(made.plan),
    }
    if out:
        for name, text in files.items():
            _write(out / name, text.encode())
    if as_json:
        texts = {name.partition(".")[0]: text for name, text in files.items()}
        print_json({"world": made.world, "seed": made.seed, **texts})
    elif out:
        print(f"{made.instruction}\n{len(made.plan)} steps reach it. Written to {out}")
    else:
        print(f"; {made.instruction}\n{made.problem_text}", end="")


@app.command()
def logs(
    log: Annotated[Path, typer.Argument(help="A results file of ViPlan's release, .json or .json.gz.")],
    out: Annotated[Path, typer.Argument(help="A folder for the suite and the replies.")],
    data: Annotated[Path | None, typer.Option(help="The folder of ViPlan's problems.")] = None,
    yes_no: Annotated[YesNoName, typer.Option(help="How replies are read; viplan is the release's way.")] = (
        YesNoName.STRICT
    ),
    as_json: Json = False,
) -> None:
    """Make a suite and recorded replies of a ViPlan log, so that the normal engine scores it.

    Example:  gumption ground logs results.json.gz converted
    """
    import msgspec

    from gumption.exchange.viplan import convert

    made = convert(log, out, data=data, yes_no=yes_no.value)
    if as_json:
        print_json({**msgspec.structs.asdict(made), "suite": str(made.suite), "replies": str(made.replies)})
        return
    print(f"{made.log}, {made.split}, {made.model}: {made.items} tasks")
    for name, value in made.logged.items():
        print(f"  {name} {value:.4f} (as logged)")
    print(f"To score them:  gumption run {made.suite} --model replay/{made.replies}")


def _domain(path: Path, text: str) -> Domain:
    from gumption.grounding import read_domain

    try:
        return read_domain(text)
    except GumptionError as error:
        where = error.where.replace("domain", str(path), 1)
        raise GumptionError(error.problem, where=where, remedy=error.remedy) from error


def _problem_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.pddl"))
    if not found:
        raise GumptionError("no .pddl files in it", where=str(path), remedy="name a folder of problems")
    return found


def _problem(path: Path, text: str, domain: Domain, strict: bool) -> Problem:
    from gumption.grounding import read_problem

    reading = read_problem(text, domain, repair=not strict)
    if reading.problem is None:
        raise GumptionError(
            "there is no problem to be read",
            where=str(path),
            remedy="give a file with (define (problem ...; see what is there with: gumption ground check",
        )
    return reading.problem


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise GumptionError(
            f"cannot be written: {error.strerror}", where=str(path), remedy="name another file or folder"
        ) from error
