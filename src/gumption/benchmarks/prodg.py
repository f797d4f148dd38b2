"""ProDG: photos of a table and an instruction, to be turned into a planning problem and a plan.

Shirai et al., "Vision-Language Interpreter for Robot Task Planning" (ViLaIn), 2023, arXiv 2311.00967;
github.com/omron-sinicx/ViLaIn. Thirty instances in three domains, no split. Asked as SYMBOLIZER asks (arXiv
2604.17830): objects, predicates, goal, then planning. How exactly is up to the options:

    gumption run prodg                              three stages, five examples
    gumption run prodg:mode=direct,shots=0          the whole problem at once, without examples
    gumption run prodg:oracle=objects,retries=2     gold objects; two rounds of planner feedback
    gumption run prodg:mode=loop                    the model in the loop of the search, on drawn scenes
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gumption.benchmarks._data import find
from gumption.benchmarks.benchmark import Benchmark
from gumption.grounding.loop import in_the_loop
from gumption.grounding.pipeline import Candidate, Options, choose, direct, options_of, staged, task_of
from gumption.records import Aggregate, Answer, Episode, GumptionError, Image, Item, Part, Text
from gumption.suites import Media, Suite, image_of

__all__ = ["BENCHMARK"]

_HOME = "https://github.com/omron-sinicx/ViLaIn"
_DOMAINS = ("blocksworld", "cooking", "hanoi")
_INSTANCES = range(1, 11)


@dataclass(frozen=True)
class _Instance:
    domain: str
    name: str
    photo: Path
    image: Image
    instruction: str
    problem: str

    @property
    def candidate(self) -> Candidate:
        return Candidate(self.name, str(self.photo), self.image.sha256)


def _load(data: Path | None) -> Suite:
    return _configured(data, {})


def _configured(data: Path | None, told: Mapping[str, str]) -> Suite:
    """The thirty items as they are asked under these options."""
    options = options_of(told)
    folder = find("prodg/data/blocksworld/domain.pddl", data, get_from=_HOME).parents[1]
    instances = [instance for domain in _DOMAINS for instance in _instances(folder, domain)]
    domains = {domain: (folder / domain / "domain.pddl").read_text("utf-8") for domain in _DOMAINS}
    changed = _changed(options)
    return Suite(
        name=":".join(filter(None, ("prodg", changed))),
        version="1",
        items=tuple(_item(one, instances, domains[one.domain], options, changed) for one in instances),
        media=Media({one.image.sha256: one.photo for one in instances}),
        provenance={"homepage": _HOME, "options": msgspec.to_builtins(options)},
        licences={"prodg": BENCHMARK.licence},
    )


def _changed(options: Options) -> str:
    """The options that are not the usual ones, as they are written in an address."""
    usual, own = msgspec.to_builtins(Options()), msgspec.to_builtins(options)
    return ",".join(f"{name}={str(own[name]).lower()}" for name in own if own[name] != usual[name])


def _instances(folder: Path, domain: str) -> Iterator[_Instance]:
    for number in _INSTANCES:
        photo = folder / domain / "observations" / f"problem{number}.jpg"
        try:
            yield _Instance(
                domain=domain,
                name=f"prodg/{domain}/{number}",
                photo=photo,
                image=image_of(photo.read_bytes()),
                instruction=(folder / domain / "instructions" / f"problem{number}.txt")
                .read_text("utf-8")
                .strip(),
                problem=(folder / domain / "problems" / f"problem{number}.pddl").read_text("utf-8"),
            )
        except (OSError, UnicodeError) as error:
            raise GumptionError(
                f"not an instance of ProDG: {error}", where=str(photo), remedy="fetch it again"
            ) from error


def _item(one: _Instance, instances: list[_Instance], domain: str, options: Options, changed: str) -> Item:
    pool = {other.name: other for other in instances if other.domain == one.domain}
    drawn = choose(one.candidate, [other.candidate for other in pool.values()], options.shots, options.seed)
    examples = [pool[candidate.name] for candidate in drawn]
    drawn_scenes = options.mode == "loop"
    pictures: list[Part] = [] if drawn_scenes else [*(example.image for example in examples), one.image]
    return Item(
        id=one.name,
        benchmark="prodg",
        parts=(*pictures, Text(one.instruction)),
        answer=Answer("problem", gold=one.problem),
        cluster=one.name,
        category=one.domain,
        dimension="symbolic grounding",
        meta={
            "domain": domain,
            "examples": [
                {"instruction": example.instruction, "problem": example.problem} for example in examples
            ],
            "options": msgspec.to_builtins(options),
            "protocol": changed,
        },
    )


def _episode(item: Item) -> Episode:
    task = task_of(item)
    return {"staged": staged, "direct": direct, "loop": in_the_loop}[task.options.mode](task)


BENCHMARK = Benchmark(
    name="prodg",
    title="ProDG",
    homepage=_HOME,
    licence="MIT",
    rule="1 where a plan found in the model's own problem is valid in the gold problem; mean over instances, "
    "with the F1 of objects, predicates and goals beside it",
    official=Aggregate("mean over the instances"),
    load=_load,
    configure=_configured,
    episode=_episode,
    n="30 = 10 each of blocksworld, cooking and hanoi; no split",
    chance="0 % (a problem is written, nothing is chosen)",
    checked="the 30 gold problems through both protocols: all parts 1, 29 planned (hanoi 8 is beyond the "
    "search); a wrong oracle scores 0; F1 of oracles of known accuracy against its formula",
)
