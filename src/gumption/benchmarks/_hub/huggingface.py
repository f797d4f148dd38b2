"""Data sets of the Hugging Face Hub, through its own client (the extra `hub`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from gumption.benchmarks._hub.remote import Remote, RevisionGoneError, check, unreachable
from gumption.benchmarks._hub.source import Source, home_of, named
from gumption.records import GumptionError

__all__ = ["asking", "bring", "listed", "revision_of"]

_REFUSALS = (401, 403)


def revision_of(source: Source) -> str:
    """The newest commit. Raises GumptionError where the Hub cannot be asked or says no."""
    with asking(source) as hub:
        return str(hub.HfApi().dataset_info(source.repo).sha)


def listed(source: Source, revision: str) -> list[Remote]:
    """The source's files at that commit, with size and, for large ones, SHA-256.

    Raises RevisionGoneError where there is no such commit any more.
    """
    with asking(source) as hub:
        try:
            info = hub.HfApi().dataset_info(source.repo, revision=revision, files_metadata=True)
        except hub.errors.RevisionNotFoundError as error:
            raise RevisionGoneError from error
    return [
        Remote(path=file.rfilename, size=file.size, sha256=file.lfs.sha256 if file.lfs else "")
        for file in info.siblings or ()
        if named(file.rfilename, source.files)
    ]


def bring(source: Source, revision: str, files: list[Remote], folder: Path) -> None:
    """Download what is missing; the client takes up a file that was interrupted where it ended."""
    with asking(source) as hub:
        hub.snapshot_download(
            source.repo,
            repo_type="dataset",
            revision=revision,
            allow_patterns=[file.path for file in files],
            local_dir=folder,
        )
    check(files, folder, source.repo)


@contextmanager
def asking(source: Source) -> Iterator[ModuleType]:
    """The client, with its errors turned into ones that say what to do. Raises GumptionError."""
    try:
        import httpx2
        import huggingface_hub
        from huggingface_hub import errors
    except ImportError as error:
        raise GumptionError(
            "downloading from the Hugging Face Hub needs the package huggingface_hub",
            where=source.repo,
            remedy=f"pip install 'gumption[hub]', or get the files from {home_of(source)} and name their "
            "folder with --data",
        ) from error
    try:
        yield huggingface_hub
    except errors.GatedRepoError as error:
        raise GumptionError(
            "the data set is gated: its owners ask you to accept their terms first",
            where=source.repo,
            remedy=f"accept them at {home_of(source)} and log in with `hf auth login`; or put "
            f"{', '.join(source.files)} into a folder and name it with --data",
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise GumptionError(
            "the Hub has no such data set, or it is private",
            where=source.repo,
            remedy=f"look at {home_of(source)}, log in with `hf auth login`, or name a folder with --data",
        ) from error
    except errors.HfHubHTTPError as error:
        if error.response.status_code not in _REFUSALS:
            raise unreachable(source.repo, error, home_of(source)) from error
        raise GumptionError(
            f"the Hub does not let us read the data set ({error.response.status_code})",
            where=source.repo,
            remedy=f"look at {home_of(source)}, log in with `hf auth login`, or put "
            f"{', '.join(source.files)} into a folder and name it with --data",
        ) from error
    except (OSError, httpx2.HTTPError, errors.EntryNotFoundError) as error:
        raise unreachable(source.repo, error, home_of(source)) from error
