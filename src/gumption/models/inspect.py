"""Any provider of Inspect (inspect_ai, extra [inspect]) as a model: `inspect/PROVIDER/NAME`.

Inspect finds the key of each provider in the environment, asks again where that helps, and limits how many
requests a provider is sent at once. What is asked and what is kept is the same as for every other model.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from gumption.models.drawn import bytes_of
from gumption.models.model import ReadMedia
from gumption.records import GumptionError, Image, Item, Key, Reply, Status, Text, Usage

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageUser, Model, ModelOutput

__all__ = ["Inspect", "message_of", "reply_of"]

_STATUS: dict[str, Status] = {
    "max_tokens": "truncated",
    "model_length": "truncated",
    "content_filter": "refused",
}
_ERROR_CHARACTERS = 500


class Inspect:
    """One model of one of Inspect's providers."""

    prompt = ""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        max_tokens: int | None = None,
        timeout_s: float = 300.0,
    ) -> None:
        """name: PROVIDER/NAME, as after Inspect's --model. max_tokens: of one reply. timeout_s: for one
        request with all its repetitions.

        Raises GumptionError where inspect_ai is not installed or knows no such provider.
        """
        self.name = f"inspect/{name}"
        self.decode: dict[str, Any] = {} if max_tokens is None else {"max_tokens": max_tokens}
        self._model = _opened(name, base_url, max_tokens, timeout_s)

    def identity(self) -> dict[str, Any]:
        return {"kind": "inspect", "name": self.name}

    def prepare(self, items: Sequence[Item]) -> None:
        """Nothing is learnt."""

    def request_sha256(self, question: Item) -> str:
        """Over model, decoding and parts, pictures by their hash."""
        parts = [part.text if isinstance(part, Text) else {"sha256": part.sha256} for part in question.parts]
        identity = {"model": self.name, "decode": self.decode, "parts": parts}
        return hashlib.sha256(msgspec.json.encode(identity, order="sorted")).hexdigest()

    async def close(self) -> None:
        """Inspect closes its connections itself."""

    async def ask(self, question: Item, key: Key, media: ReadMedia) -> Reply:
        message = message_of(question, media)
        about: dict[str, Any] = {
            "request_sha256": self.request_sha256(question),
            "media_sha256": tuple(part.sha256 for part in question.parts if isinstance(part, Image)),
        }
        sent_at = time.perf_counter()
        try:
            output = await self._model.generate([message])
        except Exception as error:  # each provider has errors of its own; all of them are failed requests
            problem = f"{type(error).__name__}: {error}"[:_ERROR_CHARACTERS]
            return Reply(*key, self.name, "infra_error", error=problem, **about)
        latency_s = round(time.perf_counter() - sent_at, 4)
        return msgspec.structs.replace(reply_of(output, key, self.name), latency_s=latency_s, **about)


def reply_of(output: ModelOutput, key: Key, model: str) -> Reply:
    """What an output of Inspect is as a reply. Reasoning is kept apart from what is read."""
    used = output.usage
    usage = Usage(used.input_tokens, used.output_tokens, used.reasoning_tokens) if used else None
    if output.error or not output.choices:
        problem = (output.error or "no output")[:_ERROR_CHARACTERS]
        return Reply(*key, model, "infra_error", usage=usage, error=problem)
    choice = output.choices[0]
    content = choice.message.content
    parts = [] if isinstance(content, str) else content
    return Reply(
        *key,
        model,
        _STATUS.get(choice.stop_reason, "ok"),
        choice.message.text,
        reasoning="\n".join(part.reasoning for part in parts if part.type == "reasoning"),
        finish_reason=choice.stop_reason,
        usage=usage,
        params={"server_model": output.model} if output.model else {},
    )


def message_of(question: Item, media: ReadMedia) -> ChatMessageUser:
    """The question as one user message, its parts in their order, pictures as the bytes they are.

    Raises GumptionError for an item that cannot be shown.
    """
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

    content: list[Any] = []
    for part in question.parts:
        if isinstance(part, Text):
            content.append(ContentText(text=part.text))
        elif isinstance(part, Image):
            encoded = base64.b64encode(bytes_of(part, media)).decode()
            content.append(ContentImage(image=f"data:{part.media_type};base64,{encoded}"))
        else:
            raise GumptionError(
                "clips are not sent yet", where=question.id, remedy="give its frames as pictures"
            )
    if not content:
        raise GumptionError(
            "the item has nothing to show", where=question.id, remedy="these data can only be replayed"
        )
    return ChatMessageUser(content=content)


def _opened(name: str, base_url: str | None, max_tokens: int | None, timeout_s: float) -> Model:
    try:
        from inspect_ai.model import GenerateConfig, get_model
    except ImportError as error:
        raise GumptionError(
            "models of Inspect need inspect_ai", where=name, remedy="pip install 'gumption[inspect]'"
        ) from error
    try:
        config = GenerateConfig(max_tokens=max_tokens, timeout=max(1, round(timeout_s)))
        return get_model(name, config=config, base_url=base_url, memoize=False)
    except Exception as error:  # providers raise what they please about names, keys and missing packages
        raise GumptionError(
            f"Inspect cannot open {name}: {error}",
            remedy="write inspect/PROVIDER/NAME as in Inspect's documentation; keys go in the environment",
        ) from error
