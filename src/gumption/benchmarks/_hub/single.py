"""One small file of a public repository at one commit, kept in the cache."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from gumption.atomic import replacing
from gumption.benchmarks._hub.huggingface import asking
from gumption.benchmarks._hub.source import Source
from gumption.benchmarks._hub.web import get
from gumption.cached import cache_folder
from gumption.records import GumptionError

__all__ = ["address_in", "fetch_file"]

_ADDRESS = re.compile(r"(https?|hf):/+(.+)", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}", re.ASCII)
_ON_GITHUB = re.compile(r"https?://github\.com/([^/]+/[^/]+)/(?:blob|raw)/(.+)", re.ASCII)
_PAGE_ON_HUB = re.compile(r"(https?://huggingface\.co/.+?)/blob/(.+)", re.ASCII)
_ON_HUB = re.compile(r"hf://(?:(datasets|spaces)/)?([^/@]+/[^/@]+)@([0-9a-f]{40})/(.+)", re.ASCII)


class _OnHub(NamedTuple):
    kind: str
    repo: str
    revision: str
    path: str


def address_in(text: str) -> str:
    """The web or hf:// address that `text` is, "" where it is a path. One that went through a Path is mended:
    that makes one slash of two."""
    found = _ADDRESS.fullmatch(text)
    return f"{found[1]}://{found[2]}" if found else ""


def fetch_file(address: str, largest: int) -> Path:
    """The file at an address, downloaded once and then taken from `$GUMPTION_CACHE`.

    address: of the raw file or of its page on GitHub or the Hub, or hf://[datasets/]OWNER/NAME@COMMIT/FILE.
    It has to name a commit, so that it is the same file ever after. largest: bytes. Raises GumptionError,
    saying what to get and where to put it, where the address names no commit and where the file cannot be
    had or is larger.
    """
    name = address.rpartition("/")[2]
    if not _COMMIT.search(address) or not name:
        raise GumptionError(
            "the address names no commit, so that it may be of another file tomorrow",
            where=address,
            remedy="put the commit's 40 digits in place of the branch, as in "
            "https://github.com/OWNER/REPO/blob/COMMIT/FILE or hf://datasets/OWNER/NAME@COMMIT/FILE",
        )
    root = cache_folder()
    kept = re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)[-100:]
    path = root / "files" / hashlib.sha256(address.encode()).hexdigest()[:32] / kept
    if path.is_file():
        return path
    try:
        data = _downloaded(address, largest)
    except GumptionError as error:
        raise GumptionError(
            error.problem,
            where=address,
            remedy=f"get {name} from {_page(address)} and give its path in place of the address, "
            f"or put it at {path}",
        ) from error
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as temporary:
            temporary.write_bytes(data)
    except OSError as error:
        problem = f"cannot be written: {error.strerror}"
        raise GumptionError(problem, where=str(path), remedy="name another with GUMPTION_CACHE") from error
    return path


def _downloaded(address: str, largest: int) -> bytes:
    if address.startswith("hf://"):
        found = _ON_HUB.fullmatch(address)
        if not found:
            raise GumptionError("not like hf://datasets/OWNER/NAME@COMMIT/FILE", where=address)
        return _of_hub(_OnHub(found[1] or "models", *found.groups()[1:]), largest)
    return get(_raw(address), address, address, limit=largest)


def _of_hub(file: _OnHub, largest: int) -> bytes:
    """Through the Hub's own client, which knows how to log in."""
    place = {"repo_id": file.repo, "repo_type": file.kind.removesuffix("s"), "revision": file.revision}
    with asking(Source(repo=file.repo, files=(file.path,), licence="")) as hub:
        size = hub.get_hf_file_metadata(hub.hf_hub_url(filename=file.path, **place)).size
        if size is None or size > largest:
            raise GumptionError(f"{size or 'unknown'} bytes, over {largest // 2**20} MiB")
        with TemporaryDirectory() as folder:
            return Path(hub.hf_hub_download(filename=file.path, local_dir=folder, **place)).read_bytes()


def _raw(address: str) -> str:
    """The address of the file itself, where that of its page is given."""
    if found := _ON_GITHUB.fullmatch(address):
        return f"https://raw.githubusercontent.com/{found[1]}/{found[2]}"
    return _PAGE_ON_HUB.sub(r"\1/resolve/\2", address)


def _page(address: str) -> str:
    """Where a person finds the file."""
    found = _ON_HUB.fullmatch(address)
    if not found:
        return address
    kind = f"{found[1]}/" if found[1] else ""
    return f"https://huggingface.co/{kind}{found[2]}/blob/{found[3]}/{found[4]}"
