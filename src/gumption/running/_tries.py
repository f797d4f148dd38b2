"""Requests to a store, tried again while it is in trouble; and what is said when that does not help."""

from __future__ import annotations

import errno
import os
import re
import sys
import time
from collections.abc import Callable
from typing import TypeVar

from gumption.records import GumptionError

__all__ = ["missing_package", "tried"]

T = TypeVar("T")

_PAUSES = (0.2, 1.0, 3.0)
"""Seconds before a request is tried again: four tries in all."""
_FINAL = (FileExistsError, FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError)
_FINAL_CODES = {
    errno.EDQUOT,
    errno.EINVAL,
    errno.ENAMETOOLONG,
    errno.ENOSPC,
    errno.ENOSYS,
    errno.EPERM,
    errno.EROFS,
}
_FINAL_NAMES = {"NoCredentialsError", "ParamValidationError", "PartialCredentialsError"}


def tried(do: Callable[[], T], where: str) -> T:
    """What `do` gives, which is called again while the store at `where` is in trouble.

    Raises FileNotFoundError where it says that nothing is there, else GumptionError. Neither has a cause: the
    clients of stores name servers, headers and keys in theirs.
    """
    for pause in (*_PAUSES, None):
        try:
            return do()
        except FileNotFoundError:
            raise FileNotFoundError(where) from None
        except _failures() as error:
            if pause is None or _final(error):
                raise _failed(error, where) from None
            time.sleep(pause)
    raise AssertionError("the last try has no pause")


def missing_package(name: str, where: str) -> GumptionError:
    return GumptionError(f"an address needs {name}", where=where, remedy="pip install 'gumption[storage]'")


def _failures() -> tuple[type[Exception], ...]:
    """What the clients of stores raise, of those that are loaded."""
    named = (("botocore.exceptions", "BotoCoreError"), ("aiohttp", "ClientError"))
    return (OSError, *(getattr(sys.modules[room], name) for room, name in named if room in sys.modules))


def _final(error: Exception) -> bool:
    """Whether another try would fail as well."""
    code = error.errno if isinstance(error, OSError) else None
    return isinstance(error, _FINAL) or code in _FINAL_CODES or type(error).__name__ in _FINAL_NAMES


def _failed(error: Exception, where: str) -> GumptionError:
    if isinstance(error, PermissionError) or type(error).__name__.endswith("CredentialsError"):
        return GumptionError(
            f"the store does not let us in ({_told(error)})",
            where=where,
            remedy="set the keys of an account that may read and write there in the environment: for S3 "
            "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
        )
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return GumptionError(
            f"no room ({_told(error)})", where=where, remedy="make room, then run the same command again"
        )
    return GumptionError(
        f"the store cannot be used ({_told(error)})",
        where=where,
        remedy="look whether it can be reached from here (AWS_ENDPOINT_URL names an S3 server of your own), "
        "then run the same command again",
    )


def _told(error: Exception) -> str:
    """The failure in a line, without what could let somebody in."""
    line = " ".join(str(error).split())[:300] or type(error).__name__
    for name, value in os.environ.items():
        if len(value) >= 4 and re.search(r"KEY|SECRET|TOKEN|PASSW|CREDENTIAL", name):
            line = line.replace(value, "***")
    return re.sub(r"\?[^\s\"']*", "", re.sub(r"//[^/@\s]*@", "//", line))
