"""The programs that serve weights: how each is found, told what to serve, and asked for its version.

Options and their names: the engines' own documentation of `vllm serve` and `python -m sglang.launch_server`.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gumption.records import GumptionError

__all__ = ["ENGINES", "HOST", "Engine", "Found", "arguments_of", "gpus_of"]

HOST = "127.0.0.1"
_VERSION_S = 180.0
"""vLLM loads torch before it says its version."""
_VERSION = re.compile(r"^v?(\d+\.\d[\w.+-]{0,60})\s*$", re.MULTILINE)

_OURS = ("--host", "--port", "--model", "--model-path", "--served-model-name", "--uds", "--root-path")
_SECRET = ("--api-key", "--admin-api-key", "--hf-token", "--ssl-keyfile", "--ssl-certfile")


@dataclass(frozen=True)
class Engine:
    """One kind of server."""

    name: str
    """As in the model's name, and the package that is to be installed."""
    serve: tuple[str, ...]
    """What goes between the program and the weights' name."""
    version: tuple[str, ...]
    """What the program is called with to say its version."""
    parallel: str
    """Option for the number of GPUs that share one copy of the weights."""
    spreads: tuple[str, ...]
    """Every option that spreads a server over GPUs."""
    context: str
    """Option for the longest context, in tokens."""
    memory: str
    """Option for the share of a GPU's memory, from 0 to 1, that the engine takes at its start."""

    def programs(self) -> list[str]:
        """Programs that may be it, the likeliest first."""
        beside = Path(sys.executable).parent
        if self.name == "vllm":
            found = [shutil.which("vllm"), shutil.which("vllm", path=beside)]
        else:
            found = [sys.executable, shutil.which("python3"), shutil.which("python")]
        return list(dict.fromkeys(program for program in found if program))

    def find(self) -> Found:
        """The first program that tells its version. Raises GumptionError where there is none."""
        said = ""
        for program in self.programs():
            try:
                told = subprocess.run(  # noqa: S603 - no shell, and a program that was looked up
                    [program, *self.version],
                    stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                    timeout=_VERSION_S, check=False,
                )  # fmt: skip
            except (OSError, subprocess.TimeoutExpired) as error:
                said = f": {program} does not tell its version ({type(error).__name__})"
                continue
            versions = _VERSION.findall(told.stdout)
            if told.returncode == 0 and versions:
                return Found(self, program, versions[-1])
            if self.name == "vllm":
                last = (told.stderr.strip() or "nothing").splitlines()[-1][:200]
                said = f": {program} does not tell its version but says: {last}"
        raise GumptionError(
            f"{self.name} was not found{said}",
            where=f"{self.name}/",
            remedy=f"pip install {self.name} in an environment whose programs are on PATH, or name a server "
            "that runs already with --base-url",
        )


@dataclass(frozen=True)
class Found:
    """An engine that is there."""

    engine: Engine
    program: str
    version: str

    def command(self, weights: str, port: int, arguments: Sequence[str]) -> list[str]:
        """The command line that serves `weights` on this machine alone."""
        return [
            self.program, *self.engine.serve, weights, "--host", HOST, "--port", str(port), *arguments
        ]  # fmt: skip


ENGINES = {
    engine.name: engine
    for engine in (
        Engine(
            "vllm",
            serve=("serve",),
            version=("--version",),
            parallel="--tensor-parallel-size",
            spreads=(
                "--tensor-parallel-size", "-tp", "--pipeline-parallel-size", "-pp",
                "--data-parallel-size", "-dp",
            ),
            context="--max-model-len",
            memory="--gpu-memory-utilization",
        ),
        Engine(
            "sglang",
            serve=("-m", "sglang.launch_server", "--model-path"),
            version=("-c", "import importlib.metadata as m; print(m.version('sglang'))"),
            parallel="--tp-size",
            spreads=(
                "--tensor-parallel-size", "--tp-size", "--tp", "--pipeline-parallel-size", "--pp-size",
                "--pp", "--data-parallel-size", "--dp-size", "--dp",
            ),
            context="--context-length",
            memory="--mem-fraction-static",
        ),
    )
}  # fmt: skip


def gpus_of(text: str | None, replicas: int) -> list[tuple[str, ...]]:
    """The GPUs of each replica, of a list like "0,1,2,3" (numbers or UUIDs); empty tuples without a list.

    Raises GumptionError for a list that is none, and for one that does not go into `replicas` equal parts.
    """
    if text is None:
        return [()] * replicas
    gpus = [gpu.strip() for gpu in text.split(",")]
    if not all(re.fullmatch(r"\d{1,3}|(GPU|MIG)-[\w/-]{1,80}", gpu) for gpu in gpus):
        raise GumptionError(f"--gpus {text!r} is not a list of GPUs", remedy="write it as 0,1,2,3")
    if len(set(gpus)) < len(gpus):
        raise GumptionError(f"--gpus {text!r} names a GPU twice", remedy="name each once")
    each, left = divmod(len(gpus), replicas)
    if left or not each:
        raise GumptionError(
            f"{len(gpus)} GPUs cannot be shared evenly by {replicas} replicas",
            where="--gpus",
            remedy="name as many for each, or change --replicas",
        )
    return [tuple(gpus[at : at + each]) for at in range(0, len(gpus), each)]


def arguments_of(engine: Engine, text: str, gpus: Sequence[str]) -> tuple[str, ...]:
    """The server's own arguments of a line as a shell reads it, spread over `gpus` unless it says how.

    Raises GumptionError for what cannot be split, for what is set here (address, name), and for secrets,
    which would stand in run.json: the server listens on this machine alone and needs none.
    """
    try:
        arguments = tuple(shlex.split(text))
    except ValueError as error:
        raise GumptionError(f"--server-args cannot be read: {error}", remedy="close the quotes") from error
    flags = {word.partition("=")[0].replace("_", "-") for word in arguments if word.startswith("-")}
    for flag in sorted(flags):
        # The engines take any beginning of an option for the option.
        if any(secret.startswith(flag) for secret in _SECRET if flag.startswith("--")):
            raise GumptionError(
                f"{flag} may not be given: the arguments are part of the record of the run",
                where="--server-args",
                remedy="leave it out: the server is reached from this machine alone. A token for downloads "
                "belongs in HF_TOKEN",
            )
        if any(ours.startswith(flag) for ours in _OURS if flag.startswith("--")):
            raise GumptionError(
                f"{flag} is set by gumption itself", where="--server-args", remedy="leave it out"
            )
    if len(gpus) > 1 and flags.isdisjoint(engine.spreads):
        arguments += (engine.parallel, str(len(gpus)))
    return arguments
