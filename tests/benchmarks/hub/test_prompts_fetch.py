"""The authors' prompts fetched from their repository: once, at a commit, bounded, with their SHA-256."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec
import pytest
from site_server import REPO, REVISION, Site
from typer.testing import CliRunner

from gumption.benchmarks import read_prompts
from gumption.benchmarks._hub import single
from gumption.cli import app
from gumption.records import GumptionError

constants = pytest.importorskip("huggingface_hub.constants", reason="needs the extra [hub]")

PROMPTS = json.dumps({"*": {"*": "Behold: {question} Speak!"}}).encode()
NAME = "eval/prompts.json"
AT = f"/{REPO}/{REVISION}/{NAME}"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUMPTION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return tmp_path / "cache"


def test_a_file_at_a_commit_is_fetched_once_and_its_hash_recorded(cache: Path) -> None:
    with Site({NAME: PROMPTS}) as site:
        asking = read_prompts(site.url + AT)
        assert asking.templates == json.loads(PROMPTS)
        assert asking.name == f"prompts of {site.url}{AT}, SHA-256 {hashlib.sha256(PROMPTS).hexdigest()}"
        assert read_prompts(site.url + AT) == asking
        assert len(site.gets("prompts.json")) == 1
    assert read_prompts(site.url + AT) == asking  # without a network, too
    assert [path.name for path in cache.rglob("*") if path.is_file()] == ["prompts.json"]


def test_an_address_that_went_through_a_path_is_the_same() -> None:
    with Site({NAME: PROMPTS}) as site:
        assert read_prompts(Path(site.url + AT)) == read_prompts(site.url + AT)


def test_the_protocol_of_a_run_names_file_commit_and_hash(tmp_path: Path) -> None:
    quiz = tmp_path / "quiz.jsonl"
    quiz.write_text('{"id": "1", "question": "Is it?", "answer": "yes"}\n')
    with Site({NAME: PROMPTS}) as site:
        arguments = ["run", str(quiz), "--model", "baseline/oracle", "--prompts", site.url + AT]
        done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    prompt = json.loads((tmp_path / "run" / "run.json").read_bytes())["protocol"]["prompt"]
    assert REVISION in prompt and hashlib.sha256(PROMPTS).hexdigest() in prompt


@pytest.mark.parametrize(
    "address",
    ["https://github.com/owner/set/blob/main/p.json", "hf://datasets/owner/set/p.json", "https://x.org/"],
)
def test_an_address_without_a_commit_says_what_to_write(address: str) -> None:
    with pytest.raises(GumptionError, match="names no commit") as error:
        read_prompts(address)
    assert "COMMIT" in error.value.remedy


def test_pages_lead_to_their_files() -> None:
    pages = {
        f"https://github.com/o/r/blob/{REVISION}/a/b.json": f"https://raw.githubusercontent.com/o/r/{REVISION}/a/b.json",
        f"https://github.com/o/r/raw/{REVISION}/b.json": f"https://raw.githubusercontent.com/o/r/{REVISION}/b.json",
        f"https://huggingface.co/datasets/o/r/blob/{REVISION}/b.json": (
            f"https://huggingface.co/datasets/o/r/resolve/{REVISION}/b.json"
        ),
        f"https://gitlab.com/o/r/-/raw/{REVISION}/b.json": f"https://gitlab.com/o/r/-/raw/{REVISION}/b.json",
    }
    assert {page: single._raw(page) for page in pages} == pages


def test_out_of_reach_says_what_to_get_and_where_to_put_it(cache: Path) -> None:
    with Site({}) as site:
        address = site.url + AT
        with pytest.raises(GumptionError, match="404") as missing:
            read_prompts(address)
    with pytest.raises(GumptionError, match="cannot be downloaded") as gone:
        read_prompts(address)
    for error in (missing.value, gone.value):
        assert error.where == address and f"get prompts.json from {address}" in error.remedy
        assert str(cache) in error.remedy
    # What the error says to do works.
    Path(gone.value.remedy.rpartition("put it at ")[2]).parent.mkdir(parents=True)
    Path(gone.value.remedy.rpartition("put it at ")[2]).write_bytes(PROMPTS)
    assert read_prompts(address).templates == json.loads(PROMPTS)


def test_a_file_that_is_cut_or_too_large_is_not_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({NAME: PROMPTS}, cut={AT: 10}) as site:
        with pytest.raises(GumptionError, match="the connection ended after 10"):
            read_prompts(site.url + AT)
        assert not list(cache.rglob("prompts.json"))
        monkeypatch.setattr("gumption.benchmarks.asking._LARGEST", 2**20)
        site.files[NAME] = b" " * (2**20 + 1)
        with pytest.raises(GumptionError, match="is over 1 MiB"):
            read_prompts(site.url + AT)
        assert not list(cache.rglob("prompts.json"))
        site.files[NAME] = PROMPTS
        assert read_prompts(site.url + AT).templates


def test_what_is_fetched_and_no_file_of_prompts_names_the_file(cache: Path) -> None:
    with Site({NAME: b"<html>"}) as site, pytest.raises(GumptionError, match="no file of prompts") as error:
        read_prompts(site.url + AT)
    assert error.value.where.startswith(str(cache))


def on_hub(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", site.url)
    template = site.url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)


def test_a_file_of_the_hub_comes_through_its_client(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"hf://datasets/{REPO}@{REVISION}/{NAME}"
    with Site({NAME: PROMPTS}) as site:
        on_hub(site, monkeypatch)
        asking = read_prompts(address)
        assert (asking.templates, asking.source) == (json.loads(PROMPTS), address)
        count = len(site.asked)
        assert msgspec.structs.asdict(read_prompts(Path(address))) == msgspec.structs.asdict(asking)
        assert len(site.asked) == count


def test_a_gated_file_of_the_hub_says_what_to_get(monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"hf://datasets/{REPO}@{REVISION}/{NAME}"
    with Site({NAME: PROMPTS}, gated=True) as site:
        on_hub(site, monkeypatch)
        with pytest.raises(GumptionError, match="gated") as error:
            read_prompts(address)
    assert f"https://huggingface.co/datasets/{REPO}/blob/{REVISION}/{NAME}" in error.value.remedy


def test_a_file_of_the_hub_that_is_too_large_is_not_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"hf://datasets/{REPO}@{REVISION}/{NAME}"
    with Site({NAME: b" " * (4 * 2**20 + 1)}) as site:
        on_hub(site, monkeypatch)
        with pytest.raises(GumptionError, match="over 4 MiB"):
            read_prompts(address)
        assert not site.gets("prompts.json")
