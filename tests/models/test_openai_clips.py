"""Clips: refused with a remedy, or sent whole where the user says that the server takes them."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from asking import ask_all, item
from gumption.models import open_models
from gumption.models.openai import OpenAI
from gumption.records import GumptionError, Video
from gumption.running import run
from gumption.suites import Media, Suite
from servers import Server, always, answer

CLIP = b"\x00\x00\x00\x18ftypmp42 and so on"


@pytest.fixture
def media(tmp_path: Path) -> Media:
    (tmp_path / "clip.mp4").write_bytes(CLIP)
    return Media({hashlib.sha256(CLIP).hexdigest(): tmp_path / "clip.mp4"})


def clip() -> Video:
    return Video(hashlib.sha256(CLIP).hexdigest(), "video/mp4")


def test_a_clip_goes_out_as_its_bytes(media: Media) -> None:
    with Server(always(answer("A"))) as server:
        (reply,) = ask_all(server, [item(clip(), "Which side?")], media, video="url")
        (seen,) = server.asked
    first, second = seen.body["messages"][0]["content"]
    url = f"data:video/mp4;base64,{base64.b64encode(CLIP).decode()}"
    assert first == {"type": "video_url", "video_url": {"url": url}}
    assert second["text"] == "Which side?"
    assert reply.media_sha256 == (clip().sha256,)


def test_without_the_option_nothing_is_sent_and_the_remedy_named(media: Media) -> None:
    with Server(always(answer("A"))) as server:
        with pytest.raises(GumptionError, match="clip") as error:
            ask_all(server, [item(clip(), "Which side?")], media)
        assert not server.asked
    assert "--video url" in error.value.remedy and "frames" in error.value.remedy


def test_the_protocol_says_how_clips_were_sent(media: Media, tmp_path: Path) -> None:
    with Server(always(answer("A"))) as server:
        model = OpenAI("m", base_url=server.base_url, video="url")
        record = run(Suite("s", "1", (item(clip(), "Which?"),), media), model, tmp_path / "run")
    assert record.info.protocol.model["video"] == "url"
    assert "video" not in OpenAI("m", base_url=server.base_url).identity()


def test_the_option_is_checked() -> None:
    with pytest.raises(GumptionError, match="--video frames"):
        open_models("openai/m", base_url="http://localhost", video="frames")
    with pytest.raises(GumptionError, match="--video is for openai"):
        open_models("baseline/random", video="url")
