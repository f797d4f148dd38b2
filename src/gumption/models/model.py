"""What a model is to the engine, and how one is opened by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeGuard

from gumption.records import GumptionError, Item, Key, Reply

if TYPE_CHECKING:
    from gumption.models.serving import Served

__all__ = ["Model", "ReadMedia", "is_served", "open_judge", "open_models"]

_SERVED = ("vllm", "sglang")
"""Servers that are started where no address is given."""
_KINDS = (
    "openai/NAME, vllm/NAME, sglang/NAME, replay/FILE.jsonl[.gz][#MODEL], "
    "baseline/{random,blind,eyes,oracle}, inspect/PROVIDER/NAME"
)

ReadMedia: TypeAlias = Callable[[str], bytes]
"""The bytes of a picture or clip by its SHA-256."""


class Model(Protocol):
    """Anything that answers a question."""

    @property
    def name(self) -> str:
        """Shown in tables and kept with every reply."""

    @property
    def prompt(self) -> str:
        """ "recorded" where replies were asked elsewhere, in words that are not ours to name; else ""."""

    @property
    def decode(self) -> dict[str, Any]:
        """Decoding parameters: part of the protocol."""

    def identity(self) -> dict[str, Any]:
        """What distinguishes this model's answers from another's; goes into run.json. Never a secret."""

    def prepare(self, items: Sequence[Item]) -> None:
        """Told the items of a suite before it is asked. Fitted baselines learn from *other* items; no other
        model makes use of it."""

    def request_sha256(self, question: Item) -> str:
        """Hash of the whole request, for the reply cache; "" where replies are not to be cached."""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply | None:
        """The raw reply to one question, kept under `key`; None where a recorded model has none."""

    async def close(self) -> None:
        """Let go of connections. The model may be asked again afterwards."""


def open_models(
    name: str,
    *,
    accuracy: float | None = None,
    seed: int = 0,
    infra_text: str | None = None,
    base_url: str | None = None,
    preset: str | None = None,
    max_tokens: int | None = None,
    image_settings: Mapping[str, int] | None = None,
    video: str | None = None,
    timeout_s: float = 300.0,
    server_args: str | None = None,
    replicas: int | None = None,
    gpus: str | None = None,
    start_limit_s: float | None = None,
) -> list[Model]:
    """The models that `name` stands for: one, or with `replay/FILE#*` every model of the file.

    accuracy: of `baseline/oracle`, in [0, 1]. seed: of the baselines. infra_text: a regular expression;
    recorded replies in which it is found are failed requests. base_url, max_tokens (of one reply), timeout_s
    (of one request): of `openai/NAME`, `vllm/NAME`, `sglang/NAME` and `inspect/PROVIDER/NAME`. preset,
    image_settings, video ("url" sends clips whole): of the first three. server_args (as on the server's
    command line), replicas, gpus ("0,1", shared out evenly), start_limit_s (until a server answers): of
    `vllm/NAME` and `sglang/NAME` whose server is started here, because no base_url names one. Raises
    GumptionError for an unknown name and for options that do not fit it.
    """
    kind, _, rest = name.partition("/")
    starting = () if base_url else _SERVED
    for option, value, owners in (
        ("--accuracy", accuracy, ("baseline/oracle",)),
        ("--infra-text", infra_text, ("replay",)),
        ("--base-url", base_url, ("openai", "inspect", *_SERVED)),
        ("--preset", preset, ("openai", *_SERVED)),
        ("--max-tokens", max_tokens, ("openai", "inspect", *_SERVED)),
        ("--image-setting", image_settings or None, ("openai", *_SERVED)),
        ("--video", video, ("openai", *_SERVED)),
        ("--server-args", server_args, starting),
        ("--replicas", replicas, starting),
        ("--gpus", gpus, starting),
        ("--start-limit", start_limit_s, starting),
    ):
        if value is not None and kind not in owners and name not in owners:
            meant = " and ".join(owners) or "servers that are started here"
            raise GumptionError(f"{option} is for {meant}, not {name}", remedy="leave it out")
    if kind in ("openai", *_SERVED) and rest:
        asking: dict[str, Any] = {
            "preset": preset,
            "max_tokens": max_tokens,
            "image_settings": image_settings,
            "video": video,
            "timeout_s": timeout_s,
        }
        if kind == "openai" or base_url:
            from gumption.models.openai import OpenAI

            return [OpenAI(rest, base_url=base_url, **asking)]
        from gumption.models.serving import ENGINES, Served

        return [
            Served(
                ENGINES[kind],
                rest,
                arguments=server_args or "",
                replicas=replicas or 1,
                gpus=gpus,
                start_limit_s=start_limit_s,
                **asking,
            )
        ]
    if kind == "inspect" and "/" in rest:
        from gumption.models.inspect import Inspect

        return [Inspect(rest, base_url=base_url, max_tokens=max_tokens, timeout_s=timeout_s)]
    if kind == "replay" and rest:
        from gumption.models.replay import open_replay

        return list(open_replay(rest, infra_text=infra_text))
    if kind == "baseline":
        from gumption.models.baseline import Oracle, Random
        from gumption.models.blind import Blind
        from gumption.models.eyes import Eyes

        if rest == "blind":
            return [Blind()]
        if rest == "eyes":
            return [Eyes()]
        if rest == "random":
            return [Random(seed)]
        if rest == "oracle":
            return [Oracle(1.0 if accuracy is None else accuracy, seed)]
    raise GumptionError(f"no model is called {name!r}", remedy=f"one of: {_KINDS}")


def open_judge(name: str, *, base_url: str | None = None, timeout_s: float = 300.0) -> Model:
    """The one model that `name` stands for, to mark answers with."""
    server = base_url if name.startswith(("openai/", "vllm/", "sglang/")) else None
    models = open_models(name, base_url=server, timeout_s=timeout_s)
    if len(models) != 1:
        raise GumptionError(f"{name!r} names {len(models)} models", remedy="name one judge")
    return models[0]


def is_served(model: Model) -> TypeGuard[Served]:
    """Whether the model's servers are started, and stopped, by itself."""
    return model.identity()["kind"] in _SERVED
