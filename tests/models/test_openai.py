"""What a server of the chat interface may do, and the Reply that comes of each."""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import io
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image as Pillow

from asking import KEY, ask, ask_all, item
from gumption.models.openai import OpenAI
from gumption.records import Answer, Reply, Usage
from gumption.suites import Media, image_of
from servers import (
    FINGERPRINT,
    SERVED,
    Act,
    Asked,
    Server,
    answer,
    completion,
    failure,
    in_turn,
)

ATTEMPTS = 6
SERVER_FIELDS = {"server_model": SERVED, "fingerprint": FINGERPRINT}


def picture(format: str, seed: int = 0) -> bytes:
    pixels = np.random.default_rng(seed).integers(0, 256, (48, 64, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    Pillow.fromarray(pixels).save(buffer, format)
    return buffer.getvalue()


# ── what is sent ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WebP"])
def test_pictures_arrive_as_they_lie_on_disk(tmp_path: Path, format: str) -> None:
    data = picture(format)
    path = tmp_path / "picture"
    path.write_bytes(data)
    shown = image_of(data)
    with Server() as server:
        (reply,) = ask_all(server, [item(shown, "Which side?")], Media({shown.sha256: path}))
    assert server.asked[0].parts == [(f"image/{format.lower()}", path.read_bytes()), "Which side?"]
    assert reply.media_sha256 == (hashlib.sha256(data).hexdigest(),)


def test_pictures_and_words_keep_their_order(tmp_path: Path) -> None:
    datas = [picture("PNG", 1), picture("JPEG", 2), picture("WebP", 3)]
    media = {}
    for number, data in enumerate(datas):
        path = tmp_path / str(number)
        path.write_bytes(data)
        media[image_of(data).sha256] = path
    png, jpeg, webp = map(image_of, datas)
    parts = ("First", png, "then", jpeg, png, "last", webp, "Größe 大?")
    with Server() as server:
        ask_all(server, [item(*parts)], Media(media))
    assert server.asked[0].parts == [
        "First", ("image/png", datas[0]), "then", ("image/jpeg", datas[1]), ("image/png", datas[0]),
        "last", ("image/webp", datas[2]), "Größe 大?",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "sent"),
    [
        # As the makers publish them for evaluation.
        (
            "qwen3-vl-instruct",
            {"top_p": 0.8, "top_k": 20, "temperature": 0.7, "repetition_penalty": 1.0},
        ),
        (
            "qwen3-vl-thinking",
            {"top_p": 0.95, "top_k": 20, "temperature": 0.6, "repetition_penalty": 1.0},
        ),
        ("qwen2.5-vl", {"temperature": 0.01}),
        ("internvl-3.5", {"temperature": 0.01}),
        (None, {"temperature": 0}),
    ],
)
def test_a_preset_sends_exactly_the_published_values(preset: str | None, sent: dict[str, float]) -> None:
    _, server = ask(answer(), preset=preset)
    (asked,) = server.asked
    assert {name: value for name, value in asked.body.items() if name != "messages"} == {"model": "m", **sent}
    assert asked.headers["authorization"] == f"Bearer {KEY}"


def test_the_length_of_a_reply_is_bounded_where_asked_for() -> None:
    _, server = ask(answer(), max_tokens=64)
    assert server.asked[0].body["max_tokens"] == 64


def test_connections_are_kept_and_a_closed_model_can_be_asked_again() -> None:
    with Server() as server:
        model = OpenAI("m", base_url=server.base_url)

        async def go() -> None:
            for number in range(5):
                await model.ask(item(f"{number}?"), (str(number), 0, ""), Media().read)
            await model.close()

        asyncio.run(go())
        assert (server.total, server.connections) == (5, 1)
        asyncio.run(go())
        assert server.total == 10


# ── what comes back ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        pytest.param(answer("(A)"), {"text": "(A)"}, id="answer"),
        pytest.param(answer("It is", reason="length"), {"text": "It is", "status": "truncated"}, id="cut"),
        pytest.param(answer(None), {"text": ""}, id="null"),
        pytest.param(answer(None, reason="length"), {"text": "", "status": "truncated"}, id="null-cut"),
        pytest.param(
            answer("I", reason="content_filter"), {"text": "I", "status": "refused"}, id="content-filter"
        ),
        pytest.param(
            answer(None, refusal="I cannot."), {"text": "I cannot.", "status": "refused"}, id="refusal"
        ),
        pytest.param(
            answer("A", reasoning_content="B? No."), {"text": "A", "reasoning": "B? No."}, id="reasoning"
        ),
        pytest.param(answer(None, reasoning="B"), {"text": "", "reasoning": "B"}, id="reasoning-only"),
        pytest.param(
            answer("A", reasoning=[{"step": "B"}]), {"text": "A", "reasoning": '[{"step":"B"}]'}, id="steps"
        ),
        pytest.param(answer("A" * 5_000_000), {"text": "A" * 5_000_000}, id="5MB"),
    ],
)
def test_a_completion_becomes_a_reply(act: Act, expected: dict[str, Any]) -> None:
    reply, server = ask(act)
    reason = json.loads(act.body)["choices"][0]["finish_reason"]
    assert reply == Reply(
        "q",
        model="m",
        **{"status": "ok", **expected},
        finish_reason=reason,
        usage=Usage(11, 7, 5),
        latency_s=reply.latency_s,
        request_sha256=reply.request_sha256,
        params=SERVER_FIELDS,
    )
    assert server.total == 1
    # What is kept can be read again.
    assert msgspec.json.decode(msgspec.json.encode(reply), type=Reply) == reply


def test_what_a_server_leaves_out_is_left_open() -> None:
    bare = Act(b'{"choices": [{"message": {"content": "A"}}]}')
    reply, _ = ask(bare)
    assert (reply.status, reply.text, reply.usage, reply.finish_reason, reply.params) == (
        "ok", "A", None, None, {},
    )  # fmt: skip
    reply, _ = ask(completion({"message": {"content": "A"}}, usage={"prompt_tokens": 3}))
    assert reply.usage == Usage(3, None, None)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        pytest.param(failure(500, "boom"), "HTTP 500: boom", id="500"),
        pytest.param(Act(b"<h1>Bad gateway</h1>", 502), "HTTP 502: <h1>Bad gateway</h1>", id="502"),
        pytest.param(dataclasses.replace(answer(), end="cut"), "connection failed", id="cut"),
        pytest.param(Act(b'{"choices": [{"mess'), "cannot be read", id="invalid-json"),
        pytest.param(Act(b""), "cannot be read", id="empty"),
        pytest.param(Act(b"<p>Hi", 200, {"content-type": "text/html"}), "cannot be read", id="page"),
        pytest.param(answer("\ud83d"), "cannot be read", id="half-a-surrogate-pair"),
        pytest.param(Act(b'{"error": ' + b"[" * 200_000), "cannot be read", id="deep"),
        pytest.param(completion({"message": {"content": ["A"]}}), "cannot be read", id="content-list"),
        pytest.param(completion("A"), "cannot be read", id="choice-text"),
        pytest.param(completion(), "no choices", id="no-choices"),
        pytest.param(completion(choices=None), "no choices", id="null-choices"),
        pytest.param(completion({"message": None}), "no choices", id="null-message"),
        pytest.param(Act(b'{"error": {"message": "no capacity"}}'), "no capacity", id="error-200"),
    ],
)  # fmt: skip
def test_a_broken_server_is_asked_again_and_then_given_up(act: Act, said: str) -> None:
    reply, server = ask(act)
    assert (reply.status, reply.text, reply.finish_reason, reply.usage) == ("infra_error", "", None, None)
    assert said in reply.error and len(reply.error) < 1000
    assert server.total == ATTEMPTS and reply.params == {"attempts": ATTEMPTS}
    # Once is no harm.
    reply, server = ask(in_turn(act, answer("B")))
    assert (reply.status, reply.text, reply.error) == ("ok", "B", "")
    assert server.total == 2 and reply.params == {**SERVER_FIELDS, "attempts": 2}


@pytest.mark.parametrize("end", ["hang", "drip"])
def test_a_server_that_never_ends_is_given_up(end: Any) -> None:
    reply, server = ask(dataclasses.replace(answer("A" * 1000), end=end), timeout_s=0.1)
    assert (reply.status, reply.error) == ("infra_error", "no reply within 0.1 s")
    # On a busy machine the time may be over before the first request has left it.
    assert reply.params == {"attempts": ATTEMPTS} and 1 < server.total <= ATTEMPTS


def test_nobody_there() -> None:
    with Server() as server:
        pass
    (reply,) = ask_all(server, [item("Which side?")])
    assert reply.status == "infra_error" and "connection failed" in reply.error


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_what_cannot_be_mended_is_asked_once(status: int) -> None:
    reply, server = ask(failure(status, "top_k was never sent"))
    assert (reply.status, reply.error) == ("infra_error", f"HTTP {status}: top_k was never sent")
    assert server.total == 1 and reply.params == {"attempts": 1}


@pytest.mark.parametrize("code", ["content_policy_violation", "content_filter"])
def test_a_refusal_of_the_server_is_a_refusal(code: str) -> None:
    reply, server = ask(failure(400, "We do not answer this.", code=code))
    assert (reply.status, reply.text, server.total) == ("refused", "", 1)
    assert "We do not answer this." in reply.error


def test_back_end_and_image_settings_are_recorded_with_each_reply() -> None:
    settings = {"min_pixels": 3136, "max_pixels": 1003520}
    with Server(lambda _: answer("A")) as server:
        server.owner = "vllm"
        replies = ask_all(server, [item("One?", id="1"), item("Two?", id="2")], image_settings=settings)
    assert all(asked.body["mm_processor_kwargs"] == settings for asked in server.asked)
    for reply in replies:
        assert (reply.params["backend"], reply.params["image_settings"]) == ("vllm", settings)


def test_image_settings_that_a_server_refuses_are_not_said_to_hold() -> None:
    acts = in_turn(failure(400, "unknown field mm_processor_kwargs"), answer("A"))
    reply, _ = ask(acts, image_settings={"max_pixels": 5})
    assert reply.status == "ok" and reply.params["dropped"] == ["mm_processor_kwargs"]
    assert "image_settings" not in reply.params


def test_latency_is_that_of_the_answer() -> None:
    reply, _ = ask(in_turn(failure(500).after(0.4), answer().after(0.1)))
    assert reply.latency_s is not None and 0.1 <= reply.latency_s < 0.4


def picky(asked: Asked) -> Act:
    """Refuses one parameter in OpenAI's words, the other in FastAPI's."""
    if "top_k" in asked.body:
        return failure(400, "Unrecognized request argument supplied: top_k")
    if "repetition_penalty" in asked.body:
        detail = [{"loc": ["body", "repetition_penalty"], "msg": "Extra inputs are not permitted"}]
        return Act(json.dumps({"detail": detail}).encode(), 422)
    return answer()


def test_parameters_that_a_server_refuses_are_left_out_and_recorded() -> None:
    with Server(picky) as server:
        model = OpenAI("m", base_url=server.base_url, preset="qwen3-vl-instruct", first_pause_s=0.01)

        async def go() -> list[Reply]:
            first = [model.ask(item(f"{n}?"), (str(n), 0, ""), Media().read) for n in range(8)]
            replies = await asyncio.gather(*first)
            before = server.total
            replies.append(await model.ask(item("8?"), ("8", 0, ""), Media().read))
            assert server.total == before + 1
            await model.close()
            return replies

        replies = asyncio.run(go())
    assert {reply.status for reply in replies} == {"ok"}
    assert all(reply.params["dropped"] == ["repetition_penalty", "top_k"] for reply in replies)
    assert (server.asked[-1].body["top_p"], server.asked[-1].body["temperature"]) == (0.8, 0.7)
    # The protocol says what was asked for; the request is known by it whatever the server took of it.
    assert model.decode["top_k"] == 20
    assert replies[-1].request_sha256 == OpenAI("m", preset="qwen3-vl-instruct").request_sha256(item("8?"))


# ── the request's hash ───────────────────────────────────────────────────────────────────────────────


def test_the_request_is_known_by_what_a_model_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    png = image_of(picture("PNG"))
    question = item("Which side?", png)
    sha256 = OpenAI("m", base_url="http://one/v1").request_sha256(question)
    assert len(sha256) == 64
    other_gold = msgspec.structs.replace(question, id="z", category="c", answer=Answer("text", gold="x"))
    monkeypatch.setenv("OPENAI_API_KEY", "another")
    assert OpenAI("m", base_url="http://two/v1", timeout_s=1).request_sha256(other_gold) == sha256

    changed_bytes = bytearray(picture("PNG"))
    changed_bytes[-20] ^= 1
    changed = msgspec.structs.replace(png, sha256=hashlib.sha256(changed_bytes).hexdigest())
    model = OpenAI("m")
    others = [
        model.request_sha256(item("Which side!", png)),
        model.request_sha256(item(png, "Which side?")),
        model.request_sha256(item("Which ", "side?", png)),
        model.request_sha256(item("Which side?", png, png)),
        model.request_sha256(item("Which side?", changed)),
        model.request_sha256(item("Which side?", png.sha256)),
        OpenAI("n").request_sha256(question),
        OpenAI("m", max_tokens=64).request_sha256(question),
        OpenAI("m", preset="qwen2.5-vl").request_sha256(question),
        OpenAI("m", preset="qwen3-vl-instruct").request_sha256(question),
        OpenAI("m", preset="qwen3-vl-thinking").request_sha256(question),
    ]
    assert len({sha256, *others}) == 1 + len(others)
