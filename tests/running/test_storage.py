"""A folder at an address: what is put there comes back, whole or not at all, and no key goes anywhere."""

from __future__ import annotations

import pickle
import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gumption.records import GumptionError
from gumption.running import _tries
from gumption.running import storage as storage_room
from gumption.running.storage import Storage, is_address
from s3_server import BUCKET, KEY_ID, SECRET, Fate, Gate, serving_s3

LARGE = 300_000
"""Bytes of a file that is not read whole before it is sent, by the fixture `little_memory`."""


@pytest.fixture(scope="module")
def server() -> Iterator[Gate]:
    with serving_s3() as gate:
        yield gate


@pytest.fixture
def gate(server: Gate) -> Iterator[Gate]:
    server.asked.clear()
    yield server
    server.fate = lambda method, path: "through"


@pytest.fixture(params=["s3", "file", "memory"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """An empty folder in a store of each kind."""
    if request.param == "s3":
        request.getfixturevalue("gate")
    start = {"s3": f"s3://{BUCKET}", "file": f"file://{tmp_path}/store", "memory": "memory://store"}
    return Storage(f"{start[request.param]}/{tmp_path.name}")


@pytest.fixture
def at_s3(gate: Gate, tmp_path: Path) -> Storage:
    return Storage(f"s3://{BUCKET}/{tmp_path.name}")


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tries, "_PAUSES", (0.0, 0.0, 0.0))


@pytest.fixture
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage_room, "_SMALL", LARGE - 1)


def file_of(folder: Path, content: bytes, name: str = "file") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def test_what_is_put_comes_back(storage: Storage, tmp_path: Path) -> None:
    assert storage.names() == {}
    storage.put(file_of(tmp_path, b"one"), "run.json")
    storage.put(file_of(tmp_path, b"three"), "parts/0000.jsonl")
    storage.write("parts/0000.jsonl", b"three\nfour")
    assert storage.names() == {"parts/0000.jsonl": 10, "run.json": 3}
    assert storage.names("parts") == {"parts/0000.jsonl": 10}
    assert storage.names("none") == {}
    assert storage.read("run.json") == b"one"
    storage.get("parts/0000.jsonl", tmp_path / "new" / "folder" / "part")
    assert (tmp_path / "new" / "folder" / "part").read_bytes() == b"three\nfour"
    storage.remove("run.json")
    storage.remove("run.json")
    assert storage.names() == {"parts/0000.jsonl": 10}
    assert list((tmp_path / "new" / "folder").iterdir()) == [tmp_path / "new" / "folder" / "part"]


def test_a_mark_tells_contents_apart(storage: Storage) -> None:
    storage.write("a", b"one")
    first = storage.mark("a")
    assert storage.kept()["a"].mark == first == storage.mark("a")
    storage.write("a", b"two")
    assert storage.kept()["a"].mark == storage.mark("a") != first


def test_what_is_not_there_is_said(storage: Storage, tmp_path: Path) -> None:
    for ask in (
        lambda: storage.get("a", tmp_path / "a"),
        lambda: storage.read("a"),
        lambda: storage.mark("a"),
    ):
        with pytest.raises(GumptionError, match=r"/a: is not there"):
            ask()
    assert not (tmp_path / "a").exists()


def test_one_of_many_claims(storage: Storage) -> None:
    together = threading.Barrier(6)

    def claim(number: int) -> bool:
        together.wait()
        return storage.claim("locks/1", b"holder %d" % number)

    with ThreadPoolExecutor(6) as pool:
        won = list(pool.map(claim, range(6)))
    assert won.count(True) == 1
    assert storage.read("locks/1") == b"holder %d" % won.index(True)
    assert storage.names() == {"locks/1": 8}
    assert not storage.claim("locks/1", b"another")
    assert storage.claim("locks/1", b"holder %d" % won.index(True))


# ── in trouble ───────────────────────────────────────────────────────────────────────────────────────


def fates(gate: Gate, *first: Fate, then: Fate = "through") -> None:
    left = iter(first)
    gate.fate = lambda method, path: next(left, then)


@pytest.mark.usefixtures("no_pauses")
def test_a_server_in_trouble_is_asked_again(gate: Gate, at_s3: Storage, tmp_path: Path) -> None:
    fates(gate, "busy", "busy", "cut")
    at_s3.put(file_of(tmp_path, b"content"), "a")
    assert [method for method, _ in gate.asked] == ["PUT"] * 4
    fates(gate, "busy", "busy", "mute")
    at_s3.get("a", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == b"content"


@pytest.mark.usefixtures("no_pauses")
def test_tries_are_bounded(gate: Gate, at_s3: Storage, tmp_path: Path) -> None:
    fates(gate, then="busy")
    with pytest.raises(GumptionError, match="the store cannot be used") as told:
        at_s3.put(file_of(tmp_path, b"content"), "a")
    assert len(gate.asked) == 4
    assert "run the same command again" in told.value.remedy
    gate.asked.clear()
    fates(gate, then="refused")
    with pytest.raises(GumptionError, match="does not let us in"):
        at_s3.put(file_of(tmp_path, b"content"), "a")
    assert len(gate.asked) == 1


@pytest.mark.usefixtures("no_pauses", "little_memory")
def test_half_of_what_is_sent_is_never_there(gate: Gate, at_s3: Storage, tmp_path: Path) -> None:
    at_s3.write("a", b"whole")
    for content in (b"x" * 100_000, b"y" * LARGE):
        fates(gate, then="cut")
        with pytest.raises(GumptionError, match="the store cannot be used"):
            at_s3.put(file_of(tmp_path, content), "a")
        fates(gate)
        assert at_s3.read("a") == b"whole"
        assert at_s3.names() == {"a": 5}


def test_a_copy_that_breaks_off_on_a_disk_is_never_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, little_memory: None
) -> None:
    storage = Storage(f"file://{tmp_path}/store")
    storage.write("a", b"whole")

    def halfway(self: object, source: str, target: str, **_: object) -> None:
        Path(target).write_bytes(Path(source).read_bytes()[:10])
        assert storage.names() == {"a": 5}
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fsspec.get_filesystem_class("file"), "put_file", halfway)
    with pytest.raises(GumptionError, match=r"no room .*No space left"):
        storage.put(file_of(tmp_path, b"z" * LARGE), "a")
    assert storage.read("a") == b"whole"
    assert [path.name for path in (tmp_path / "store").iterdir()] == ["a"]


@pytest.mark.usefixtures("no_pauses")
def test_a_claim_whose_answer_was_lost_is_ours(gate: Gate, at_s3: Storage) -> None:
    fates(gate, "mute")
    assert at_s3.claim("lock", b"me")
    fates(gate, "mute")
    assert not at_s3.claim("lock", b"you")


@pytest.mark.usefixtures("little_memory")
def test_a_large_file_comes_back(at_s3: Storage, tmp_path: Path) -> None:
    content = bytes(range(256)) * (1 + LARGE // 256)
    at_s3.put(file_of(tmp_path, content), "a")
    at_s3.get("a", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == content


# ── what must not be ─────────────────────────────────────────────────────────────────────────────────

HOSTILE = [
    "",
    "*",
    "\udc80",
    ".",
    "..",
    "/etc/x",
    "../x",
    "a/../../x",
    "a//b",
    "a/",
    "a\\b",
    "a\x00b",
    "a\nb",
    "n" * 256,
    "a/./b",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_lead_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    storage = Storage(f"file://{tmp_path}/store")
    source = file_of(tmp_path, b"content")
    for do in (
        lambda: storage.put(source, name),
        lambda: storage.get(name, tmp_path / "to"),
        lambda: storage.read(name),
        lambda: storage.claim(name, b"me"),
        lambda: storage.remove(name),
    ):
        with pytest.raises(GumptionError, match="a name that no run has"):
            do()
    assert source.read_bytes() == b"content"
    assert not (tmp_path / "store").exists()


@pytest.mark.parametrize("name", ["../outside", "a/../../outside", "a\\b", "a\x07b"])
def test_names_in_the_store_that_lead_elsewhere_are_refused(name: str) -> None:
    storage = Storage("memory://hostile/run")
    fsspec.filesystem("memory").store[f"/hostile/run/{name}"] = fsspec.filesystem("memory").open(
        "/hostile/run/fine", "wb"
    )
    try:
        with pytest.raises(GumptionError, match="a name that no run has"):
            storage.names()
    finally:
        del fsspec.filesystem("memory").store[f"/hostile/run/{name}"]


@given(st.text(max_size=40))
def test_any_name_stays_in_the_folder_or_is_refused(name: str) -> None:
    storage = Storage("memory://any/run")
    try:
        storage.write(name, b"content")
    except GumptionError:
        return
    assert storage.names() == {name: 7}
    assert all(path.startswith("/any/run/") for path in fsspec.filesystem("memory").store if "/any" in path)
    storage.remove(name)


def test_links_in_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("of somebody")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "run.json").symlink_to(tmp_path / "secret")
    assert Storage(f"file://{tmp_path}/store").names() == {}


@pytest.mark.parametrize(
    "address",
    [
        f"s3://{KEY_ID}:{SECRET}@bucket/run",
        f"s3://bucket/run?X-Amz-Signature={SECRET}",
        f"s3://bucket/run#{SECRET}",
        f"zip://{SECRET}::s3://bucket/run",
        f"ssh://me:{SECRET}@host/run",
        f"s3://bucket/../{SECRET}",
        f"s3://bucket/*/{SECRET}",
    ],
)
def test_an_address_with_a_key_is_refused_and_not_repeated(address: str) -> None:
    assert is_address(address)
    with pytest.raises(GumptionError) as told:
        Storage(address)
    assert SECRET not in f"{told.value} {told.value.remedy}" and told.value.remedy


@pytest.mark.parametrize("text", ["runs/a", "/tmp/x", "c:/x", "1://x", "", "s3:/bucket", Path("s3://bucket")])
def test_paths_are_no_addresses(text: object) -> None:
    assert not is_address(text)


@pytest.mark.parametrize("address", ["nothing://x/y", "http://169.254.169.254/x", "s3://", "file:///"])
def test_addresses_of_nothing_are_refused(address: str) -> None:
    with pytest.raises(GumptionError) as told:
        Storage(address)
    assert "s3://BUCKET/FOLDER" in told.value.remedy


@pytest.mark.usefixtures("no_pauses")
def test_no_key_is_told_or_travels(gate: Gate, at_s3: Storage) -> None:
    for fate in ("refused", "busy"):
        fates(gate, then=fate)
        with pytest.raises(GumptionError) as told:
            at_s3.names()
        assert "***" in str(told.value)
        assert told.value.__cause__ is None and told.value.__suppress_context__
        assert not re.search(rf"{KEY_ID}|{re.escape(SECRET)}|me:", f"{told.value} {told.value.remedy}")
    packed = pickle.dumps(at_s3)
    assert KEY_ID.encode() not in packed and SECRET.encode() not in packed
    assert pickle.loads(packed).address == at_s3.address
    assert repr(at_s3) == f"Storage({at_s3.address!r})"


@pytest.mark.parametrize(("missing", "address"), [("fsspec", "memory://x"), ("s3fs", "s3://bucket/x")])
def test_a_missing_package_is_named(missing: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    # Of the stores, those that were used before are known by now.
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3", raising=False)
    with pytest.raises(GumptionError, match=f"needs {missing}") as told:
        Storage(address)
    assert "gumption[storage]" in told.value.remedy
