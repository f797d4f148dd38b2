"""Fetching: a mirror, the cache, the network; and all the ways in which the network lets one down."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import msgspec
import pytest
from site_server import REPO, REVISION, Site, blob_of

from gumption.benchmarks._hub import Source, fetch, github, provenance
from gumption.records import GumptionError

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
