"""`gumption synthesize`: from unknown benchmark folders to validated pipelines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from gumption.cli._fidelity import fidelity
from gumption.cli._serving import open_told

if TYPE_CHECKING:
    from gumption.synthesis.agent import Account, Roles
    from gumption.synthesis.roles import Attempt, Evidence

__all__ = ["app"]

_SHOWN = 4
"""Findings of an attempt that are printed."""


class _WriteUnlessTold(TyperGroup):
    """`synthesize DIR` is `synthesize write DIR`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["write", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_WriteUnlessTold,
    no_args_is_help=True,
    help="From an unknown benchmark folder (README, data, media) to a pipeline that proves itself in a "
    "sandbox.\n\n"
    "Example:  gumption synthesize their-benchmark -o pipeline\n\n"
    "Then:  gumption run --pipeline pipeline --model openai/NAME --base-url URL\n\n"
    "After an edit by hand:  gumption synthesize check pipeline",
)


@app.command("write")
def write(
    folders: Annotated[list[Path], typer.Argument(help="Benchmark folders.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", help="The pipeline's folder; of several benchmarks, one inside for each."
        ),
    ],
    evaluator: Annotated[
        str | None,
        typer.Option(help="Model that writes how it is loaded and asked; by rules, offline, unless named."),
    ] = None,
    scorer: Annotated[
        str | None,
        typer.Option(help="Model that writes the scoring, or offline; the evaluator's unless named."),
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="Server of the openai/NAME models.")] = None,
    attempts: Annotated[int, typer.Option(min=1, help="Most attempts at one benchmark.")] = 6,
    tokens: Annotated[int | None, typer.Option(help="Most tokens that one benchmark may take.")] = None,
    prices: Annotated[
        str | None,
        typer.Option(help="Of a million tokens, questions and answers, as in 0.5,1.5: the cost is told."),
    ] = None,
    force: Annotated[bool, typer.Option(help="Synthesise again what is there.")] = False,
    unsandboxed: Annotated[
        bool,
        typer.Option(
            "--unsandboxed", help="Run written code with nothing around it. The manifest will say so."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a benchmark.")] = False,
) -> None:
    """Write a pipeline for each folder, and prove it by checks that need no reference.

    Without models it works offline: rules read the README and the data, and recipes follow them. A call that
    was cut short is taken up where it ended.

    Example:  gumption synthesize write their-benchmark -o pipeline --evaluator openai/coder --base-url URL

    Ends with code 0 when every folder has its pipeline, 1 when one has not, 2 on bad usage.
    """
    import msgspec

    from gumption.records import GumptionError
    from gumption.synthesis import agent
    from gumption.synthesis.spent import prices_of

    named = [folder.resolve().name for folder in folders]
    twice = next((name for name in named if named.count(name) > 1), "")
    if twice:
        raise GumptionError(f"two folders are called {twice}", remedy="rename one, or synthesise them apart")
    cost = prices_of(prices) if prices else None
    accounts: list[Account] = []
    for folder, name in zip(folders, named, strict=True):
        target = out / name if len(folders) > 1 else out
        known = None if force else agent.read_account(target)
        if known is not None:
            _say(f"{name}: taken as it is in {target} (--force synthesises it again)")
        else:
            known, _ = agent.write(
                folder,
                target,
                _roles(evaluator, scorer, base_url, tokens),
                attempts=attempts,
                prices=cost,
                unsandboxed=unsandboxed,
                told=lambda attempt, name=name: _say(_told(name, attempt)),  # type: ignore[misc]
            )
        accounts.append(known)
        if as_json:
            sys.stdout.write(msgspec.json.encode(_as_json(known, target)).decode() + "\n")
        else:
            _print_end(known, target)
    if not as_json and len(accounts) > 1:
        _print_table(accounts)
    if not all(account.accepted for account in accounts):
        raise typer.Exit(1)


@app.command("check")
def check(
    pipeline: Annotated[Path, typer.Argument(help="The pipeline's folder.")],
    data: Annotated[
        Path | None, typer.Option(help="The benchmark's folder, where it lies elsewhere now or is another.")
    ] = None,
    unsandboxed: Annotated[
        bool,
        typer.Option(
            "--unsandboxed", help="Run written code with nothing around it. The manifest will say so."
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the validation as JSON.")] = False,
) -> None:
    """Validate a pipeline again, after an edit by hand or on other data. What passes is a new version.

    Example:  gumption synthesize check pipeline

    Ends with code 0 when every gate passes, 1 when one refuses it: then it cannot be run.
    """
    import msgspec

    from gumption.synthesis import agent

    evidence, made = agent.check(pipeline, data=data, unsandboxed=unsandboxed)
    if as_json:
        sys.stdout.write(msgspec.json.encode(evidence).decode() + "\n")
    elif made is not None:
        print(f"Every gate passes: version {made.manifest.version}, checked in {made.manifest.sandbox}.")
        if made.manifest.parents:
            print(f"It was made from version {made.manifest.parents[-1]}.")
        print(f"Run it:  gumption run --pipeline {pipeline} --model openai/NAME --base-url URL")
    else:
        print("Refused; the pipeline cannot be run.")
        _print_findings(evidence)
    if made is None:
        raise typer.Exit(1)


app.command("fidelity")(fidelity)


def _roles(evaluator: str | None, scorer: str | None, base_url: str | None, tokens: int | None) -> Roles:
    """By the models that are named; by rules for roles without any."""
    from gumption.synthesis.agent import Roles
    from gumption.synthesis.by_model import Budget, ModelEvaluator, ModelScorer
    from gumption.synthesis.offline.roles import RuleEvaluator, RuleScorer

    budget = Budget(most_tokens=tokens)
    scoring = None if scorer == "offline" else scorer or evaluator
    opened = {name: open_told(name, base_url) for name in dict.fromkeys((evaluator, scoring)) if name}
    return Roles(
        ModelEvaluator(evaluator, budget=budget) if evaluator else RuleEvaluator(),
        ModelScorer(scoring, budget=budget) if scoring else RuleScorer(),
        opened[evaluator] if evaluator else None,
        opened[scoring] if scoring else None,
    )


def _told(name: str, attempt: Attempt) -> str:
    failures = attempt.evidence.failures
    if attempt.evidence.passed:
        return f"{name}, attempt {attempt.number}: every gate passes"
    first = failures[0]
    what = " ".join(f"{first.said} {first.got}".split())[:160]
    return f"{name}, attempt {attempt.number}: refused by {first.gate}: {what}"


def _print_findings(evidence: Evidence) -> None:
    from gumption.synthesis.feedback import shown

    for finding in shown(evidence.failures, ("load", "build", "score")):
        print(f"  {_line(finding)}")


def _print_end(account: Account, out: Path) -> None:
    if account.accepted:
        spent = account.spent
        print(f"{account.name}: written to {out}, attempt {spent.attempts}, {spent.wall_s:.1f} s")
        for doubt in account.doubts:
            print(f"  Doubtful, look at it: {doubt}")
        print(f"  Run it:  gumption run --pipeline {out} --model openai/NAME --base-url URL")
        return
    print(f"{account.name}: not synthesised: {account.stopped_because}")
    for number, findings in enumerate(account.refused, 1):
        for finding in findings[:_SHOWN]:
            print(f"  attempt {number}: {_line(finding)}")
    for doubt in account.doubts:
        print(f"  Doubtful: {doubt}")
    print(f"  The evidence is in {out}. Name a model with --evaluator, or raise --attempts.")


def _line(finding: dict[str, Any]) -> str:
    item = f" (item {finding['item']})" if "item" in finding else ""
    told = " ".join(str(finding.get("said", "")).split())[:200]
    facts = [f"{name} {finding[name]}" for name in ("expected", "got") if name in finding]
    return f"{finding['gate']}{item}: {told}{': ' if facts else ''}{'; '.join(facts)}"


def _print_table(accounts: list[Account]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None)
    for name in ("benchmark", "result", "first run", "attempts", "requests", "tokens", "cost", "seconds"):
        table.add_column(name, justify="left" if name in ("benchmark", "result") else "right")
    for one in accounts:
        spent = one.spent
        tokens = spent.input_tokens + spent.output_tokens
        table.add_row(
            one.name,
            "written" if one.accepted else "not synthesised",
            "yes" if spent.first_run else "no",
            str(spent.attempts),
            str(spent.calls),
            f"{tokens:,}",
            "" if spent.cost is None else f"{spent.cost:.4f}",
            f"{spent.wall_s:.1f}",
        )
    print()
    Console(soft_wrap=False).print(table)
    print()
    print(_summary(accounts))


def _summary(accounts: list[Account]) -> str:
    """Eval@1 and means over the set."""
    from gumption.ranking.intervals import interval

    count = len(accounts)
    written = sum(one.accepted for one in accounts)
    eval_at_1 = interval([float(one.spent.first_run) for one in accounts])
    tokens = sum(one.spent.input_tokens + one.spent.output_tokens for one in accounts)
    costs = [one.spent.cost for one in accounts if one.spent.cost is not None]
    cost = f", cost {sum(costs):.4f}" if len(costs) == count else ""
    return (
        f"{written} of {count} written. Eval@1 {eval_at_1.mean:.2f} "
        f"(95 % interval {eval_at_1.low:.2f} to {eval_at_1.high:.2f}). "
        f"Mean attempts {sum(one.spent.attempts for one in accounts) / count:.1f}, {tokens:,} tokens{cost}, "
        f"{sum(one.spent.wall_s for one in accounts):.1f} s."
    )


def _as_json(account: Account, out: Path) -> dict[str, Any]:
    import msgspec

    told: dict[str, Any] = msgspec.to_builtins(account)
    return {**told, "folder": str(out)}


def _say(line: str) -> None:
    print(line, file=sys.stderr)
