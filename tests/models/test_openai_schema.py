"""Holding a reply to a schema: sent where the question has one, left out where the server refuses it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from asking import ask_all, item
from gumption.models.drawn import drawn
from gumption.models.openai import OpenAI
from gumption.records import Item, Text
from gumption.suites import Media
from servers import Act, Asked, Server, answer, failure

SCHEMA = {"name": "objects", "schema": {"type": "object", "properties": {}, "additionalProperties": False}}


def question(schema: Any = SCHEMA, id: str = "q") -> Item:
    return replace(item("What is there?", id=id), meta={"json_schema": schema} if schema else {})


def test_the_schema_is_sent_in_the_interfaces_form() -> None:
    with Server() as server:
        ask_all(server, [question(), question(None)])
    with_schema, without = sorted(server.asked, key=lambda asked: "response_format" not in asked.body)
    assert with_schema.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {**SCHEMA, "strict": True},
    }
    assert "response_format" not in without.body


def test_the_schema_is_part_of_the_request_and_nothing_else_of_meta_is() -> None:
    model = OpenAI("m", base_url="http://127.0.0.1:1/v1")
    plain = model.request_sha256(question(None))
    other = model.request_sha256(question({**SCHEMA, "name": "x"}))
    assert len({plain, other, model.request_sha256(question())}) == 3
    assert model.request_sha256(replace(question(None), meta={"note": "x"})) == plain


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_refuses_the_schema_is_asked_without_and_the_reply_says_so(status: int) -> None:
    def behave(asked: Asked) -> Act:
        if "response_format" in asked.body:
            return failure(status, "response_format of type json_schema is not supported")
        return answer("{}")

    with Server(behave) as server:
        reply, other = ask_all(server, [question(), question(None, "other")])
    assert (reply.status, reply.text, reply.params["dropped"]) == ("ok", "{}", ["response_format"])
    assert "dropped" not in other.params


def test_only_the_request_that_was_refused_goes_without() -> None:
    def behave(asked: Asked) -> Act:
        told = asked.body.get("response_format", {}).get("json_schema", {}).get("name")
        return failure(400, "Invalid schema for response_format 'bad'") if told == "bad" else answer("{}")

    with Server(behave) as server:
        bad, good = ask_all(server, [question({**SCHEMA, "name": "bad"}), question(id="good")])
    assert bad.params["dropped"] == ["response_format"] and "dropped" not in good.params


def test_a_complaint_about_something_else_is_not_taken_for_it() -> None:
    with Server(lambda _: failure(400, "the picture is too large")) as server:
        (reply,) = ask_all(server, [question()])
    assert reply.status == "infra_error" and server.total == 1


def test_a_drawn_picture_carries_its_bytes() -> None:
    picture = drawn(b"\x89PNG drawn just now", size=(3, 2))
    with Server() as server:
        (reply,) = ask_all(server, [item(picture, Text("What is it?"))], Media())
    assert server.asked[0].parts[0] == ("image/png", b"\x89PNG drawn just now")
    assert reply.media_sha256 == (picture.sha256,)
    assert "PNG" not in repr(picture)
