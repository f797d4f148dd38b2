"""Fetching: a mirror, the cache, the network; and all the ways in which the network lets one down."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import msgspec
import pytest
from site_server import REPO, REVISION, Site, blob_of

from gumption.benchmarks._hub import Row, Shelf, Source, download, fetch, github, provenance
from gumption.benchmarks._published import suite_of
from gumption.records import Answer, GumptionError, Item, Text
from gumption.suites import write_folder

constants = pytest.importorskip("huggingface_hub.constants", reason="needs the extra [hub]")

DATA = bytes(range(256)) * 4000
HUB = Source(repo=REPO, files=("data/test-*.parquet",), licence="CC-BY-4.0")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GUMPTION_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    return tmp_path / "cache"


def at(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Hub's client and ours for GitHub ask this site."""
    template = site.url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "ENDPOINT", site.url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(github, "_API", f"{site.url}/repos")
    monkeypatch.setattr(github, "_RAW", site.url)
    monkeypatch.setattr(github, "_MEDIA", f"{site.url}/media")


def test_the_hub_is_asked_once_and_the_revision_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"data/test-0.parquet": DATA, "data/train-0.parquet": b"x", "README.md": b"x"}
    with Site(files, large={"data/test-0.parquet"}) as site:
        at(site, monkeypatch)
        folder = fetch(HUB)
        said = capsys.readouterr().err
        assert "licence CC-BY-4.0" in said and "1.0 MB" in said
        assert (folder / "data/test-0.parquet").read_bytes() == DATA
        assert not (folder / "data/train-0.parquet").exists() and not (folder / "README.md").exists()
        count = len(site.asked)
        assert fetch(HUB) == folder
        assert len(site.asked) == count

        # More files of the same set come at the revision of the first, although the set has moved on.
        site.files["data/train-0.parquet"] = b"xy"
        more = Source(repo=REPO, files=("data/*.parquet",), licence="CC-BY-4.0")
        assert fetch(more) == folder
        assert (folder / "data/train-0.parquet").read_bytes() == b"xy"
        assert not any(path == f"/api/datasets/{REPO}" for _, path, _ in site.asked[count:])
    assert "licence" not in capsys.readouterr().err
    assert provenance(HUB, folder) == {
        "homepage": f"https://huggingface.co/datasets/{REPO}",
        "repo": REPO,
        "revision": REVISION,
        "files": {"data/test-0.parquet": hashlib.sha256(DATA).hexdigest()},
    }


def test_an_interrupted_download_goes_on_where_it_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 2**16)  # of which it loses one
    name = "data/test-0.parquet"
    path = f"/datasets/{REPO}/resolve/{REVISION}/{name}"
    with Site({name: DATA}, large={name}, cut={path: 300_000}) as site:
        at(site, monkeypatch)
        folder = fetch(HUB)
        assert (folder / name).read_bytes() == DATA
        first, *later = site.gets(name)
        assert not first and len(later) == 1
        assert 0 < int(later[0].removeprefix("bytes=").rstrip("-")) <= 300_000
    assert capsys.readouterr().err.count("licence") == 1


def test_a_second_run_takes_up_what_the_first_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["data/test-0.parquet", "data/test-1.parquet"]
    path = f"/datasets/{REPO}/resolve/{REVISION}/{names[1]}"
    with Site({names[0]: DATA, names[1]: DATA[::-1]}, large=set(names), down={path}) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match="cannot be downloaded"):
            fetch(HUB)
        site.down.clear()
        count = len(site.asked)
        folder = fetch(HUB)
        assert [(folder / name).read_bytes() for name in names] == [DATA, DATA[::-1]]
        assert not any(path == f"/api/datasets/{REPO}" for _, path, _ in site.asked[count:])
    assert capsys.readouterr().err.count("licence") == 1


def test_a_gated_set_says_what_to_accept_and_where_to_put_files(monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({}, gated=True) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match="gated") as error:
            fetch(HUB)
    assert f"https://huggingface.co/datasets/{REPO}" in error.value.remedy
    assert "hf auth login" in error.value.remedy and "--data" in error.value.remedy


def test_no_network_says_what_to_get(monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({}) as site:
        at(site, monkeypatch)
    for source in (HUB, Source(repo=REPO, files=("a.json",), kind="github", licence="MIT")):
        with pytest.raises(GumptionError, match="cannot be downloaded") as error:
            fetch(source)
        assert error.value.where == REPO
        assert "--data" in error.value.remedy and "http" in error.value.remedy


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(GumptionError, match="huggingface_hub") as error:
        fetch(HUB)
    assert "gumption[hub]" in error.value.remedy


def test_files_that_differ_from_the_listing_are_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "data/test-0.parquet"
    altered = bytes(reversed(DATA))
    with Site({name: altered}, large={name}, told={name: DATA}) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match="checksum differs") as error:
            fetch(HUB)
        assert ".damaged" in error.value.remedy
        site.files[name] = DATA
        assert (fetch(HUB) / name).read_bytes() == DATA


def test_a_set_without_the_files_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({"data/other.parquet": b"x"}) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match=r"no file data/test-\*\.parquet at revision 0123"):
            fetch(HUB)


def tsv(site: Site, data: bytes = DATA) -> Source:
    md5 = hashlib.md5(data).hexdigest()
    return Source(repo="B", files=("B.tsv",), kind="tsv", licence="MIT", md5=md5, url=f"{site.url}/B.tsv")


def test_a_tsv_is_resumed_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    with Site({"B.tsv": DATA}, cut={"/B.tsv": 5_000}) as site:
        folder = fetch(tsv(site))
        assert (folder / "B.tsv").read_bytes() == DATA
        assert site.gets("B.tsv") == ["", "bytes=5000-"]
        assert fetch(tsv(site)) == folder
        assert len(site.gets("B.tsv")) == 2
        assert provenance(tsv(site), folder)["revision"] == hashlib.md5(DATA).hexdigest()
    assert capsys.readouterr().err.count("licence") == 1


def test_a_wrong_md5_keeps_the_file_aside_and_is_not_fetched_again() -> None:
    with Site({"B.tsv": b"newer"}) as site:
        for _ in range(3):
            with pytest.raises(GumptionError, match="not the published MD5") as error:
                fetch(tsv(site))
        assert site.gets("B.tsv") == [""]
        aside = Path(error.value.where)
        assert aside.read_bytes() == b"newer"
        assert not (aside.parent / "B.tsv").exists()
        aside.unlink()
        site.files["B.tsv"] = DATA
        assert (fetch(tsv(site)) / "B.tsv").read_bytes() == DATA


def test_github_at_one_commit_with_large_files(monkeypatch: pytest.MonkeyPatch) -> None:
    pointer = (
        f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(DATA).hexdigest()}\n"
        f"size {len(DATA)}\n"
    ).encode()
    files = {"data/a b.json": b"[]", "data/clip.mp4": pointer, "media/data/clip.mp4": DATA, "x.py": b""}
    source = Source(repo=REPO, files=("data/*",), kind="github", licence="MIT")
    with Site(files) as site:
        at(site, monkeypatch)
        folder = fetch(source)
        assert (folder / "data/a b.json").read_bytes() == b"[]"
        assert (folder / "data/clip.mp4").read_bytes() == DATA
        assert not (folder / "x.py").exists()
        count = len(site.asked)
        assert fetch(source) == folder and len(site.asked) == count
    told = provenance(source, folder)
    assert told["revision"] == REVISION
    assert told["files"]["data/clip.mp4"] == hashlib.sha256(DATA).hexdigest()


def test_a_github_file_with_another_content_is_put_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(repo=REPO, files=("a.json",), kind="github", licence="MIT")
    with Site({"a.json": b"[1]"}, told={"a.json": b"[2]"}) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match="checksum differs"):
            fetch(source)


@pytest.mark.parametrize("below", ["", REPO, "set", "owner--set"])
def test_a_local_mirror_is_used_as_it_is(tmp_path: Path, below: str) -> None:
    file = tmp_path / "mirror" / below / "data" / "test-0.parquet"
    file.parent.mkdir(parents=True)
    file.write_bytes(DATA)
    folder = fetch(HUB, tmp_path / "mirror")
    assert folder == tmp_path / "mirror" / below
    assert provenance(HUB, folder) == {
        "homepage": f"https://huggingface.co/datasets/{REPO}",
        "repo": REPO,
        "revision": "",
        "files": {"data/test-0.parquet": hashlib.sha256(DATA).hexdigest()},
    }


def test_a_folder_of_its_own_comes_before_one_of_many_sets(tmp_path: Path) -> None:
    for name in ("other", "set"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "test-0.parquet").write_bytes(b"")
    source = Source(repo=REPO, files=("*test-*.parquet",), licence="MIT")
    assert fetch(source, tmp_path) == tmp_path / "set"


def test_an_incomplete_mirror_says_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "test-0.parquet").write_bytes(b"")
    source = Source(repo=REPO, files=("data/test-*.parquet", "masks/*"), licence="MIT")
    with pytest.raises(GumptionError, match=r"no masks/\* in") as error:
        fetch(source, tmp_path)
    assert f"https://huggingface.co/datasets/{REPO}" in error.value.remedy


def test_a_damaged_record_says_what_to_delete(cache: Path) -> None:
    folder = cache / "sources" / "hub" / "owner--set"
    folder.mkdir(parents=True)
    (folder / "source.json").write_bytes(msgspec.json.encode({"repo": 1}))
    with pytest.raises(GumptionError) as error:
        fetch(HUB)
    assert str(folder) in error.value.remedy


def test_gits_checksum_is_the_known_one_of_an_empty_file() -> None:
    assert blob_of(b"") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


# ── two benchmarks in one mirror ─────────────────────────────────────────────────────────────────────

EGOPLAN = Source(repo="EgoLife-v1/EgoPlan", files=("*validation*.parquet",), licence="BSD-3-Clause")
MMMU = Source(repo="MMMU/MMMU", files=("Art/validation-*.parquet", "Math/validation-*.parquet"), licence="x")


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")


def test_each_of_two_sets_in_one_mirror_is_found_by_its_own_folder(tmp_path: Path) -> None:
    put(tmp_path / "MMMU", "Art/validation-0.parquet", "Math/validation-0.parquet")
    put(tmp_path / "egoplan", "data/validation-0.parquet")
    assert fetch(EGOPLAN, tmp_path) == tmp_path / "egoplan"
    assert fetch(MMMU, tmp_path) == tmp_path / "MMMU"


def test_files_of_another_set_are_not_taken_for_ones_own(tmp_path: Path) -> None:
    put(tmp_path, "Art/validation-0.parquet", "Math/validation-0.parquet", "data/validation-0.parquet")
    assert fetch(MMMU, tmp_path) == tmp_path
    with pytest.raises(GumptionError, match=r"Art, Math, data match \*validation\*\.parquet") as error:
        fetch(EGOPLAN, tmp_path)
    assert "a folder EgoPlan" in error.value.remedy


def test_a_set_in_parts_that_are_each_whole_is_one(tmp_path: Path) -> None:
    source = Source(repo="nvidia/Cosmos", files=("*qa_pairs.json", "*.mp4"), licence="x")
    for part in ("agibot", "robovqa"):
        put(tmp_path, f"{part}/{part}_qa_pairs.json", f"{part}/clips/a.mp4")
    assert fetch(source, tmp_path) == tmp_path
    put(tmp_path, "other/x_qa_pairs.json")
    with pytest.raises(GumptionError, match="agibot, other, robovqa"):
        fetch(source, tmp_path)


def test_shards_of_two_sets_in_one_folder_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "data/test-00000-of-00001.parquet", "data/test-00000-of-00002.parquet")
    with pytest.raises(GumptionError, match=r"numbered of 1 and of 2 match data/test-\*\.parquet"):
        fetch(HUB, tmp_path)


def test_a_shard_that_is_missing_is_named(tmp_path: Path) -> None:
    put(tmp_path, "data/test-00000-of-00003.parquet", "data/test-00002-of-00003.parquet")
    with pytest.raises(GumptionError, match=r"of 3 files .* only 2 are there; number 00001"):
        fetch(HUB, tmp_path)


def test_two_formats_of_the_same_rows_are_refused(tmp_path: Path) -> None:
    source = Source(repo="nyu-visionx/VSI-Bench", files=("test[-.]*",), licence="x")
    put(tmp_path, "test.jsonl", "test-00000-of-00001.parquet", "test.zip")
    with pytest.raises(GumptionError, match=r"end in \.jsonl and \.parquet"):
        fetch(source, tmp_path)


# ── said no, moved on, taken away ────────────────────────────────────────────────────────────────────

GITHUB = Source(repo=REPO, files=("a.json",), kind="github", licence="MIT")


@pytest.mark.parametrize(
    ("status", "code", "problem"),
    [
        (401, "GatedRepo", "gated"),
        (403, "GatedRepo", "gated"),
        (401, "RepoNotFound", "no such data set, or it is private"),
        (401, "", r"does not let us read the data set \(401\)"),
        (404, "RepoNotFound", "no such data set, or it is private"),
        (403, "", r"does not let us read the data set \(403\)"),
        (429, "", "cannot be downloaded"),
    ],
)
def test_a_hub_that_says_no_says_what_to_get_and_where_to_put_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int, code: str, problem: str
) -> None:
    with Site({}, refuses=(status, code)) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match=problem) as error:
            fetch(HUB)
    assert f"https://huggingface.co/datasets/{REPO}" in error.value.remedy
    assert "--data" in error.value.remedy
    assert "Downloading" not in capsys.readouterr().err


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_github_that_says_no_says_what_to_get(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    with Site({}, refuses=(status, "")) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match=f"cannot be downloaded.*{status}") as error:
            fetch(GITHUB)
    assert f"https://github.com/{REPO}" in error.value.remedy and "--data" in error.value.remedy


def test_a_set_that_became_gated_keeps_what_is_here(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "data/test-0.parquet"
    with Site({name: DATA}) as site:
        at(site, monkeypatch)
        folder = fetch(HUB)
        site.gated = True
        assert fetch(HUB) == folder
        (folder / name).unlink()
        with pytest.raises(GumptionError, match="gated"):
            fetch(HUB)


@pytest.mark.parametrize("source", [HUB, GITHUB], ids=["hub", "github"])
def test_a_revision_that_is_gone_is_not_replaced_in_silence(
    monkeypatch: pytest.MonkeyPatch, source: Source
) -> None:
    name = "a.json" if source is GITHUB else "data/test-0.parquet"
    with Site({name: b"[]"}) as site:
        at(site, monkeypatch)
        folder = fetch(source)
        site.gone = True
        assert fetch(source) == folder  # all is here
        (folder / name).unlink()
        with pytest.raises(GumptionError, match=f"revision {REVISION} .* not there any more") as error:
            fetch(source)
        assert f"delete {folder}" in error.value.remedy


def test_the_licence_is_shown_before_the_first_file_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []
    with Site({"data/test-0.parquet": DATA}) as site:
        at(site, monkeypatch)
        monkeypatch.setattr(download, "show_licence", lambda *about: shown.append(len(site.gets(".parquet"))))
        fetch(HUB)
        assert shown == [0] and len(site.gets(".parquet")) == 1


def test_a_file_that_grew_on_the_site_is_taken_at_the_recorded_revision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is left of an interrupted download goes on at the old revision, though a newer one is out."""
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 2**16)
    name = "data/test-0.parquet"
    path = f"/datasets/{REPO}/resolve/{REVISION}/{name}"
    with Site({name: DATA}, large={name}, down={path}) as site:
        at(site, monkeypatch)
        with pytest.raises(GumptionError, match="cannot be downloaded"):
            fetch(HUB)
        site.down.clear()
        count = len(site.asked)
        folder = fetch(HUB)
        assert (folder / name).read_bytes() == DATA
        assert provenance(HUB, folder)["revision"] == REVISION
        assert all(REVISION in asked for _, asked, _ in site.asked[count:])


def test_the_revision_stands_in_the_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = b'{"id": "1", "question": "Is it?", "answer": "yes"}\n'
    source = Source(repo=REPO, files=("data/test.jsonl",), licence="MIT")
    with Site({"data/test.jsonl": rows}) as site:
        at(site, monkeypatch)
        suite = suite_of(
            "made", source, None, dict.fromkeys(("id", "question", "answer"), "text"), made, version="test"
        )
    write_folder(suite, tmp_path / "suite")
    told = json.loads((tmp_path / "suite" / "suite.json").read_bytes())
    assert told["provenance"]["revision"] == REVISION
    assert told["provenance"]["files"] == {"data/test.jsonl": hashlib.sha256(rows).hexdigest()}
    assert told["licences"] == {"made": "MIT"}


def made(row: Row, shelf: Shelf, number: int) -> Item:
    return Item(row["id"], "made", (Text(row["question"]),), Answer("yes_no", row["answer"]))
