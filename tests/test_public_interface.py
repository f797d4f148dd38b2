"""The names of the design's public interface, their parameters and fields; and every `__all__` is exact."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import pytest

import gumption as g
import public_program

SOURCE = Path(g.__file__).parent

# As the design writes them. What stands behind these parameters is by name only.
SIGNATURES = {
    "read": "reply, answer",
    "planning.read_plan": "reply",
    "planning.match": "predicted, gold, judge=None, ignore_verbs=('find', 'search', 'navigate'), preset=None",
    "grounding.read_domain": "text",
    "grounding.read_problem": "text, domain, repair=True",
    "grounding.read_actions": "text",
    "grounding.validate": "domain, problem, plan",
    "grounding.solve": "domain, problem, planner='auto', timeout_s=60",
    "grounding.f1": "predicted, gold, empty_empty=0.0",
    "curation.select": "embeddings, k, method='centroid', groups=None, seed=0",
    "curation.fit": "responses, k, embeddings=None, groups=None, method='auto', seed=0",
    "curation.certify": "responses, method, k, embeddings=None, groups=None, splits=60, seed=0",
    "ranking.scorecard": "scores",
    "ranking.compare": "a, b",
    "ranking.rank": "matrix",
    "ranking.agreement": "ratings, level='nominal'",
    "synthesis.run_sandboxed": "code, inputs, limits=None",
    "synthesis.Limits": "wall_s=10.0, memory_mb=512, processes=16, disk_mb=10, output_kb=1024",
}
FIELDS = {
    "planning.PlanReading": "actions refused repairs format_score error",
    "planning.ActionPairScore": "quantity order matrix flags",
    "planning.PairScore": "precision recall f1",
    "grounding.ProblemReading": "problem repair repairs errors",
    "grounding.Problem": "objects init goal goal_literals",
    "grounding.Finding": "kind section symbol line column",
    "grounding.PlanVerdict": "valid failed_step executed reason errors",
    "grounding.PlanError": "step kind detail secondary",
    "grounding.PlanResult": "status plan planner",
    "curation.Selection": "chosen method estimate",
    "curation.Certificate": "tau tau_interval random_tau lift lift_interval ceiling_tau smallest_gap "
    "held_out",
    "ranking.Agreement": "alpha fleiss cohen ac1",
    "synthesis.SandboxResult": "output error ok mechanism wall_s",
    "Item": "id benchmark parts answer cluster category dimension meta",
    "Answer": "kind gold choices convention size tolerance",
    "Reply": "item_id epoch call model status text finish_reason usage latency_s request_sha256 media_sha256 "
    "params error",
    "Reading": "outcome value rule repairs",
    "Score": "value parts errors",
}
VERBS = "demo run score report pool curate certify synthesize ground plan rank rate doctor"


def named(path: str) -> Any:
    found: Any = g
    for name in path.split("."):
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("path", SIGNATURES)
def test_parameters_are_those_of_the_design(path: str) -> None:
    parameters = list(inspect.signature(named(path)).parameters.values())
    wanted = ast.parse(f"def f({SIGNATURES[path]}): ...").body[0].args
    count = len(wanted.args)
    assert [one.name for one in parameters[:count]] == [one.arg for one in wanted.args]
    defaults = [inspect.Parameter.empty] * (count - len(wanted.defaults))
    defaults += [ast.literal_eval(one) for one in wanted.defaults]
    assert [one.default for one in parameters[:count]] == defaults
    further = parameters[count:]
    told = {one.name for one in further if one.default is not inspect.Parameter.empty}
    assert told == {one.name for one in further}, "a call as the design writes it works"


@pytest.mark.parametrize("path", FIELDS)
def test_fields_are_those_of_the_design(path: str) -> None:
    assert set(FIELDS[path].split()) <= set(dir(named(path)))


def test_verbs_are_those_of_the_design() -> None:
    import typer

    from gumption.cli import app

    assert set(VERBS.split()) <= set(typer.main.get_command(app).commands)


def test_the_design_s_program_runs() -> None:
    """`make lint` holds its types against those of the package."""
    public_program.main()


def test_types_travel_with_the_package() -> None:
    assert resources.files("gumption").joinpath("py.typed").is_file()
    project = SOURCE.parents[1] / "pyproject.toml"
    wheel = tomllib.loads(project.read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"packages": ["src/gumption"]}, "all that git keeps of the package"


def test_nothing_heavy_is_imported_with_the_package() -> None:
    code = "import gumption, sys; print(*sorted({one.split('.')[0] for one in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"numpy", "pyarrow", "openai", "typer", "PIL", "scipy", "ray"} & set(loaded.split())


# ── every module ─────────────────────────────────────────────────────────────────────────────────────


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if path.name != "__main__.py":
            yield ".".join(("gumption", *parts)).removesuffix(".__init__"), ast.parse(path.read_text())


TREES = dict(modules())


def is_public(module: str) -> bool:
    return not any(part.startswith("_") for part in module.split("."))


def listed(tree: ast.Module) -> list[str] | None:
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(ast.unparse(one) == "__all__" for one in node.targets):
            found: list[str] = ast.literal_eval(node.value)
            return found
    return None


def test_every_list_of_names_is_true() -> None:
    """Every public module with code has one; nothing private is in it, and nothing that is not there."""
    without = {name for name, tree in TREES.items() if listed(tree) is None and len(tree.body) > 1}
    assert not {name for name in without if is_public(name)}
    for name, tree in TREES.items():
        names = listed(tree) or []
        assert not [one for one in names if one.startswith("_")], name
        assert len(set(names)) == len(names), name
        assert set(names) <= bound(tree), name


def bound(tree: ast.Module) -> set[str]:
    """What the module's own lines give a name to; `if TYPE_CHECKING` is for what loads later."""
    found: set[str] = set()
    lines = [*tree.body]
    for node in tree.body:
        lines += [*node.body, *node.orelse] if isinstance(node, ast.If) else []
    for node in lines:
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(one.asname or one.name).split(".")[0] for one in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return found


def test_what_a_module_gives_to_others_is_in_its_list() -> None:
    given = {name: {*(listed(tree) or ()), "__version__"} for name, tree in TREES.items() if is_public(name)}
    taken = {
        (node.module, one.name)
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in given
        for one in node.names
        if f"{node.module}.{one.name}" not in TREES
    }
    assert not sorted(f"{module}.{name}" for module, name in taken if name not in given[module])


@pytest.mark.parametrize("room", [one for one in g.__all__ if one.islower() and one != "read"])
def test_every_name_of_a_room_is_there(room: str) -> None:
    """Those that load on first use too."""
    module = import_module(f"gumption.{room}")
    assert getattr(g, room) is module
    assert all(getattr(module, name) is not None for name in module.__all__)
    assert set(module.__all__) <= set(dir(module))
