"""The human study of the paper through a real browser: 8 scenarios x 13 models x 4 raters.

That takes two minutes, with GUMPTION_LONG=1; else there are five models and two of four raters a plan.

Raters see only pages. What each of them would say of a plan follows from the plan's words, so that the human
ranking can be worked out here by hand; the server is killed twice on the way.
"""

from __future__ import annotations

import json
import os
import re
import signal
from collections import Counter, defaultdict
from pathlib import Path
from statistics import mean

import pytest
from scipy.stats import kendalltau, spearmanr
from serving import free_port, served
from typer.testing import CliRunner

from gumption.benchmarks._made_scenarios import scenario_folder
from gumption.cli import app
from gumption.rating.forms import PLAN_DIMENSIONS
from gumption.rating.store import Store

MODELS, RATERS, PEOPLE = (13, 4, 8) if os.environ.get("GUMPTION_LONG") == "1" else (5, 2, 4)
NAMES = [f"lab/brain-{number:02}" for number in range(MODELS)]
KILLED_AFTER = (20, 50)

pytestmark = [pytest.mark.browser]


def quality(model: int, scenario: int) -> int:
    """Steps, of eight, that a plan gets right: better models more, with scenarios of their own."""
    return max(0, min(8, round(model * 8 / (MODELS - 1) + ((model * 5 + scenario * 3) % 5 - 2) * 0.7)))


def mark(good: int, rater: int, dimension: int) -> int:
    """What a rater says of a plan with so many good steps: severe and mild ones, none of whom is exact."""
    return max(1, min(5, 1 + round(good / 2 + (rater % 3 - 1) * 0.4 + ((dimension + rater) % 4 - 1.5) * 0.3)))


def run(*words: str) -> str:
    told = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert told.exit_code == 0, told.output
    return told.output


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    """Runs of thirteen models on eight scenarios, and on a benchmark that orders them nearly alike."""
    folder = tmp_path_factory.mktemp("runs")
    scenario_folder(folder / "scenarios", seed=1)
    rows = json.loads((folder / "scenarios" / "scenarios.json").read_text())
    ids = [row["id"] for row in (rows["scenarios"] if isinstance(rows, dict) else rows)]
    assert len(ids) == 8
    with (folder / "plans.jsonl").open("w") as lines:
        for model, name in enumerate(NAMES):
            for place, id in enumerate(ids):
                good = quality(model, place)
                steps = "\n".join(f"{step + 1}. {'good' if step < good else 'bad'} step" for step in range(8))
                plan = f"Plan:\n{steps}"
                lines.write(json.dumps({"id": id, "model": name, "reply": plan}) + "\n")
    with (folder / "questions.jsonl").open("w") as lines:
        for number in range(60):
            row = {"id": f"q{number}", "question": f"{number}?", "choices": ["yes", "no"], "answer": "A"}
            lines.write(json.dumps(row) + "\n")
    with (folder / "replies.jsonl").open("w") as lines:
        for model, name in enumerate(NAMES):
            for number in range(60):
                right = (number * 7) % 60 < 20 + 3 * (model ^ 1)
                row = {"id": f"q{number}", "model": name, "reply": "A" if right else "B"}
                lines.write(json.dumps(row) + "\n")
    run(
        "run",
        "human-scenarios",
        "--data",
        folder / "scenarios",
        "--model",
        f"replay/{folder}/plans.jsonl#*",
        "--out",
        folder / "human",
    )
    run(
        "run",
        folder / "questions.jsonl",
        "--model",
        f"replay/{folder}/replies.jsonl#*",
        "--out",
        folder / "bench",
    )
    return folder


def test_the_study_of_the_paper(runs: Path, browser, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    every = [path.parent for path in sorted((runs / "human").rglob("run.json"))]
    assert len(every) == MODELS
    # Each person judges half of the plans.
    told = run(
        "rate",
        "new",
        *every,
        "-o",
        folder,
        "--raters",
        RATERS,
        "--per-rater",
        MODELS * 8 * RATERS // PEOPLE,
        "--attention",
        0,
        "--duplicates",
        0,
        "--invite",
        PEOPLE,
        "--seed",
        3,
    )
    port = free_port()
    links = re.findall(r"http://127\.0\.0\.1:8765(/r/[\w-]+)", told)
    assert len(links) == PEOPLE
    contexts = [browser.new_context() for _ in links]
    people = [context.new_page() for context in contexts]
    said: dict[tuple[int, str], list[int]] = {}
    received = Counter()
    sent = 0
    open_people = set(range(PEOPLE))
    for kill_after in (*KILLED_AFTER, None):
        with served(folder, port) as server:
            home = f"http://127.0.0.1:{port}"
            for person in sorted(open_people):
                people[person].goto(home + links[person])
                people[person].locator("button.go").click()
            while open_people and sent != kill_after:
                for person in sorted(open_people):
                    page = people[person]
                    if page.url.endswith("/done"):
                        open_people.discard(person)
                        continue
                    html = page.content()
                    received["model names"] += sum(name in html for name in NAMES) + ("brain-" in html)
                    good = html.count("<li>good step</li>")
                    marks = [mark(good, person, place) for place in range(len(PLAN_DIMENSIONS))]
                    before = page.url
                    page.keyboard.type("".join(map(str, marks)))
                    page.keyboard.press("Control+Enter")
                    page.wait_for_url(lambda url, before=before: url != before)
                    said[person, before.rpartition("/")[2]] = marks
                    sent += 1
                    if sent == kill_after:
                        server.send_signal(signal.SIGKILL)
                        server.wait()
                        break
    for context in contexts:
        context.close()
    assert sent == MODELS * 8 * RATERS
    assert received["model names"] == 0

    with Store.open(folder) as store:
        (study,) = store.studies()
        raters = {one.id: one.number - 1 for one in store.raters(study.id)}
        records = [one for one in store.records(study.id) if one.revision]
    order = [dimension.id for dimension in PLAN_DIMENSIONS]
    # Nothing that was acknowledged is lost or altered.
    kept = {(raters[one.rater], one.task): [one.values[name] for name in order] for one in records}
    assert kept == said
    # Every plan has four people, nobody twice; everybody has as many of each model and scenario, nearly.
    assert set(Counter(one.unit for one in records).values()) == {RATERS}
    assert len({(one.rater, one.unit) for one in records}) == len(records)
    by_rater = defaultdict(list)
    for one in records:
        by_rater[one.rater].append(one)
    for theirs in by_rater.values():
        for counts, wanted in (
            (Counter(one.models[0] for one in theirs), 8 * RATERS / PEOPLE),
            (Counter(one.scenario for one in theirs), MODELS * RATERS / PEOPLE),
        ):
            assert all(abs(count - wanted) < 2 for count in counts.values())
    # Not everybody begins alike.
    firsts = Counter(min(theirs, key=lambda one: one.number).unit for theirs in by_rater.values())
    assert len(firsts) > PEOPLE // 2

    # The human ranking by hand: over raters, then dimensions, then scenarios.
    cells: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in records:
        cells[one.models[0], one.scenario].append(mean((value - 1) / 4 for value in one.values.values()))
    by_hand = {name: mean(mean(cells[cell]) for cell in cells if cell[0] == name) for name in NAMES}
    printed = run("rate", "export", folder, "-o", tmp_path / "out")
    people_file = json.loads((tmp_path / "out" / "people.json").read_text())
    ours = {
        name: mean(scores) for name, scores in zip(people_file["models"], people_file["scores"], strict=True)
    }
    assert ours == pytest.approx(by_hand)
    best_first = sorted(NAMES, key=lambda name: -by_hand[name])
    places = [printed.index(name) for name in best_first]
    assert places == sorted(places)

    # The benchmark's ranking beside it, with intervals, against SciPy on the two columns of means.
    bench = [path.parent for path in sorted((runs / "bench").rglob("run.json"))]
    told = json.loads(run("rank", *bench, "--people", tmp_path / "out" / "people.json", "--json"))
    right = {name: (20 + 3 * (model ^ 1)) / 60 for model, name in enumerate(NAMES)}
    columns = [right[name] for name in NAMES], [by_hand[name] for name in NAMES]
    alignment = told["alignment"]
    assert alignment["tau_b"]["value"] == pytest.approx(kendalltau(*columns).statistic, abs=1e-9)
    assert alignment["spearman"]["value"] == pytest.approx(spearmanr(*columns).statistic, abs=1e-9)
    for one in (alignment["tau_b"], alignment["spearman"]):
        for interval in (one["items"], one["models"]):
            assert interval["low"] < one["value"] <= interval["high"]
    opposite = {(one["better_by_a"], one["better_by_b"]) for one in alignment["disagreements"]}
    assert opposite == {
        (one, other)
        for one in NAMES
        for other in NAMES
        if right[one] > right[other] and by_hand[one] < by_hand[other]
    }
