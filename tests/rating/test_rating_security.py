"""The web application as an attacker meets it: links of others, made-up tokens, hostile requests."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from serving import free_port
from starlette.websockets import WebSocketDisconnect
from studies import material, new
from test_rating_web import MARKS, Site, form_token, to_task

from gumption.rating.store import Store
from gumption.rating.study import Dimension, Material, Output, Scenario, Study
from gumption.rating.web import create_app
from gumption.rating.web._limits import MAX_KNOWN, Limits, Visitors
from gumption.records import Text


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.store.close()


def cookie_of(client: TestClient) -> str:
    return client.cookies["gumption_rater"]


# ── somebody else's link ─────────────────────────────────────────────────────────────────────────────


def test_a_link_of_somebody_else_does_not_change_who_one_is_without_a_question(site: Site) -> None:
    (attacker,) = site.store.invite(site.study.id, ["Mallory"])
    victim = site.rater()
    before = cookie_of(victim)
    asked = victim.get(f"/r/{attacker.token}")
    assert asked.status_code == 200
    assert cookie_of(victim) == before
    assert attacker.token not in asked.text
    # Another site cannot give the answer: it does not know the victim's token, and its own is of no use.
    mallory = site.browser()
    mallory.get(f"/r/{attacker.token}")
    for told in ({}, {"form_token": form_token(mallory.get("/"))}):
        assert victim.post(f"/r/{attacker.token}", data=told).status_code == 401
    right = {"form_token": form_token(asked)}
    elsewhere = {"sec-fetch-site": "cross-site"}
    assert victim.post(f"/r/{attacker.token}", data=right, headers=elsewhere).status_code == 401
    # A browser sends no Lax cookie with another site's form: nobody is let in by that either.
    assert site.browser().post(f"/r/{attacker.token}", data=right).status_code == 401
    assert cookie_of(victim) == before
    # On a computer that is shared, the next person says so.
    answer = victim.post(f"/r/{attacker.token}", data=right)
    assert answer.url.path == "/"
    assert cookie_of(victim) == attacker.token


def test_ones_own_link_opens_again_without_a_question(site: Site) -> None:
    (one,) = site.store.invite(site.study.id, ["Ann"])
    client = site.browser()
    for _ in range(2):
        assert client.get(f"/r/{one.token}").url.path == "/"
    renewed = site.store.renew(one.rater)
    assert client.get(f"/r/{renewed}").url.path == "/"
    assert cookie_of(client) == renewed


def test_the_organiser_of_one_study_is_not_moved_to_another_without_a_question(site: Site) -> None:
    other = site.store.organiser_link(
        new(site.store, Study(name="Other", dimensions=site.study.dimensions)).id
    )
    organiser = site.organiser()
    asked = organiser.get(f"/o/{other}")
    assert "somebody else" in asked.text
    assert "a study" in organiser.get("/study").text
    answer = organiser.post(f"/o/{other}", data={"form_token": form_token(asked)})
    assert answer.url.path == "/study"
    assert "<h1>Other</h1>" in answer.text


def test_unknown_and_revoked_links_are_told_the_same(site: Site) -> None:
    (one,) = site.store.invite(site.study.id)
    site.store.revoke(one.rater)
    answers = [site.browser().get(f"/r/{token}") for token in (one.token, "x" * 43)]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].text == answers[1].text


@pytest.mark.parametrize("token", ["short", "x" * 200, "x" * 30 + "%0d%0aset-cookie:%20a=b", "é" * 30])
def test_a_mistyped_link_gets_a_page_that_does_not_repeat_it(site: Site, token: str) -> None:
    answer = site.browser().get(f"/r/{token}")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "xxxx" not in answer.text
    assert "set-cookie" not in answer.headers


def test_with_https_no_other_host_can_set_the_cookie(tmp_path: Path) -> None:
    site = Site(tmp_path)
    app = create_app(site.store, secure=True)
    (one,) = site.store.invite(site.study.id)
    client = TestClient(app, base_url="https://testserver")
    told = client.get(f"/r/{one.token}", follow_redirects=False).headers["set-cookie"]
    # What browsers ask of the prefix (RFC 6265bis, 4.1.3.2).
    assert told.startswith("__Host-gumption_rater=")
    assert "; Secure" in told
    assert "; Path=/" in told
    assert "domain" not in told.lower()
    assert client.get("/").status_code == 200
    tossed = TestClient(app, base_url="https://testserver", cookies={"gumption_rater": one.token})
    assert tossed.get("/").status_code == 401
    data = {"sure": "yes", "form_token": form_token(client.get("/"))}
    gone = client.post("/leave", data=data).headers["set-cookie"]
    assert gone.startswith('__Host-gumption_rater="";')
    assert "; Secure" in gone
    site.store.close()


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_made_up_token_gets_no_budget_of_its_own_from_a_page_for_everybody(tmp_path: Path) -> None:
    site = Site(tmp_path, limits=Limits(per_token=100, per_address=5))
    client = site.browser()
    made_up = {"authorization": f"Bearer {'q' * 43}"}
    told = [client.get("/api/openapi.json", headers=made_up).status_code for _ in range(7)]
    assert told == [200] * 5 + [429] * 2
    site.store.close()


def test_a_made_up_cookie_beside_a_good_one_gets_none_either(tmp_path: Path) -> None:
    site = Site(tmp_path, limits=Limits(per_token=4, per_address=2))
    good = f"gumption_organiser={site.organiser_token}"
    told = [
        site.browser()
        .get("/study", headers={"cookie": f"gumption_rater=made-up-{number}; {good}"})
        .status_code
        for number in range(8)
    ]
    # One is counted for the address; then the link has its own four.
    assert told == [200] * 5 + [429] * 3
    site.store.close()


def test_an_address_of_ipv6_is_its_network() -> None:
    visitors = Visitors(Limits(per_address=2), clock=lambda: 0.0)

    def refused(address: str) -> bool:
        return visitors.wait((), address) > 0

    told = [refused(f"2001:db8:0:1::{number}") for number in range(4)]
    assert told == [False, False, True, True]
    assert not refused("2001:db8:0:2::1")
    assert [refused(address) for address in ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1")] == [
        False,
        False,
        True,
    ]
    assert not refused("192.0.2.2")
    assert [refused("testclient") for _ in range(3)] == [False, False, True]


def test_what_is_remembered_of_visitors_is_bounded() -> None:
    visitors = Visitors(Limits(), clock=lambda: 0.0)
    for number in range(MAX_KNOWN + 5000):
        visitors.wait((), f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        visitors.trust(f"token {number}")
    assert len(visitors._seen) == len(visitors._trusted) == MAX_KNOWN


# ── broken and hostile requests ──────────────────────────────────────────────────────────────────────


def answers(app: Any, scope: dict[str, Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the application sends to one request; after `messages` nothing arrives any more."""
    sent: list[dict[str, Any]] = []

    async def ask() -> None:
        left = iter(messages)

        async def receive() -> dict[str, Any]:
            for message in left:
                return message
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await asyncio.wait_for(app(scope, receive, send), 10)

    asyncio.run(ask())
    return sent


def posted(client: TestClient, path: str) -> dict[str, Any]:
    headers = [
        (b"cookie", f"gumption_rater={cookie_of(client)}".encode()),
        (b"content-type", b"application/x-www-form-urlencoded"),
    ]
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("testserver", 80),
        "scheme": "http",
        "http_version": "1.1",
    }


def test_a_form_whose_end_is_missing_is_not_kept(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    # Every mark is there, and 1 is a mark as well as the beginning of 10.
    half = f"form_token={token}&revision=0&v.order=3&v.goals=1".encode()
    broken = [{"type": "http.request", "body": half, "more_body": True}, {"type": "http.disconnect"}]
    assert answers(site.app, posted(client, path), broken) == []
    assert not [one for one in site.store.records(site.study.id) if one.revision]
    whole = [{"type": "http.request", "body": half + b"0", "more_body": False}]
    assert answers(site.app, posted(client, path), whole)[0]["status"] == 303
    (record,) = [one for one in site.store.records(site.study.id) if one.revision]
    assert record.values["goals"] == 10


def test_a_form_that_does_not_arrive_is_given_up(tmp_path: Path) -> None:
    site = Site(tmp_path, limits=Limits(body_s=0.1))
    client = site.rater()
    slow = [{"type": "http.request", "body": b"a", "more_body": True}]
    start, *_ = answers(site.app, posted(client, "/next"), slow)
    assert start["status"] == 408
    assert (b"connection", b"close") in start["headers"]
    site.store.close()


@pytest.mark.parametrize(
    "body",
    [
        "[" * 60_000,
        '{"values":' + "[" * 900 + "]" * 900 + "}",
        '{"x":' + '{"a":' * 9_000 + "1" + "}" * 9_001,
        '{"values":{"order":' + "9" * 6_000 + "}}",
        '{"values":{"order":' + "9" * 4_000 + "}}",
        '{"values":{"order":1e400}}',
        '{"values":{"order":true}}',
        '{"seconds":NaN}',
        '{"seconds":-Infinity}',
        '{"comment":"\\ud800"}',
        '{"values":{"\\ud800":1}}',
        '{"\\ud800":1}',
        '{"comment":"a\\u0000b"}',
        '{"__proto__":{},"values":{}}',
        '{"values":{"__class__":1}}',
        "null",
        '"\\udfff"',
        "",
        json.dumps({"values": {f"x{number}": 1 for number in range(5_000)}}),
    ],
)
def test_hostile_json_is_told_what_is_wrong_and_not_repeated(site: Site, body: str) -> None:
    client = site.rater()
    path, token = to_task(client)
    headers = {"x-form-token": token, "content-type": "application/json"}
    answer = client.put(f"/api/tasks/{path[6:]}/draft", content=body.encode(), headers=headers)
    assert answer.status_code in (400, 413, 422)
    if answer.status_code != 413:
        assert set(answer.json()) == {"problem", "where", "remedy"}
        assert len(answer.content) < 1_000
    assert client.get(f"/api/tasks/{path[6:]}").json()["task"]["values"] == {}


@pytest.mark.parametrize(
    "sent",
    [
        {"count": "999999999999999999"},
        {"count": "-5"},
        {"count": "1", "days": "nan"},
        {"count": "1", "days": "inf"},
        {"count": "1", "days": "-1"},
        {"notes": "x" * 201},
        {"notes": "a\0b"},
        {"notes": "\n".join(["x"] * 300)},
    ],
)
def test_invitations_beyond_all_measure_are_refused(site: Site, sent: dict[str, str]) -> None:
    organiser = site.organiser()
    token = form_token(organiser.get("/study"))
    assert organiser.post("/study/invite", data={**sent, "form_token": token}).status_code == 422
    assert not site.store.raters(site.study.id)


def test_no_method_but_the_right_one_does_anything(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    for method in ("HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE", "FOO"):
        for address in ("/", "/next", "/leave", path, f"/media/{site.picture}"):
            assert client.request(method, address).status_code == 405, (method, address)
    over = {"x-http-method-override": "DELETE", "x-method-override": "DELETE", "x-form-token": token}
    assert client.get("/api/me", headers=over).status_code == 405
    client.post(f"{path}?_method=DELETE", data={**MARKS, "form_token": token}, headers=over)
    assert len([one for one in site.store.records(site.study.id) if one.revision]) == 1
    assert site.store.raters(site.study.id)


def test_there_is_no_websocket(site: Site) -> None:
    client = site.rater()
    for address in ("/", "/next", "/api/tasks"):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(address):
            pass


def test_a_redirect_never_leads_to_the_host_that_was_claimed(site: Site) -> None:
    client = site.rater()
    headers = {"host": "evil.example"}
    for address in ("/mine/", "/study/", "//evil.example/%2e%2e", "/\\evil.example/", "/mine/.."):
        answer = client.get(address, headers=headers, follow_redirects=False)
        assert "location" not in answer.headers, address
        assert "evil" not in answer.text


def test_links_that_are_shown_lead_where_the_server_was_told_it_is(tmp_path: Path) -> None:
    site = Site(tmp_path)
    app = create_app(site.store, base_url="https://rate.example.org/")
    organiser = TestClient(app)
    organiser.get(f"/o/{site.organiser_token}")
    data = {"count": "1", "form_token": form_token(organiser.get("/study"))}
    page = organiser.post("/study/invite", data=data, headers={"host": "evil.example"}).text
    assert re.search(r"<code>https://rate\.example\.org/r/[\w-]{43}</code>", page)
    assert "evil" not in page
    site.store.close()


# ── what people write, shown to others ───────────────────────────────────────────────────────────────

BAD = (
    "\"'></title></textarea></script><img src=x onerror=alert(1)><script>alert(1)</script>{{7*7}}"
    "\r\nset-cookie: a=b"
)


class Seen(HTMLParser):
    """Tags that nobody but an attacker would put there, and attributes that run something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag == "img" or (tag == "script" and known.get("src") != "/static/rate.js"):
            self.found.append(tag)
        self.found += [
            name for name, value in attrs if name.startswith("on") or (value or "").startswith("java")
        ]


@pytest.mark.parametrize("kind", ["rating", "pairwise", "labels"])
def test_whatever_is_written_anywhere_is_shown_as_text(tmp_path: Path, kind: Any) -> None:
    anchors = {1: BAD, 5: BAD} if kind == "rating" else {}
    form = Study(
        name=BAD,
        instructions=BAD,
        kind=kind,
        dimensions=(Dimension("d", BAD, BAD, anchors=anchors),),
        raters_wanted=1,
    )
    shown = Scenario(BAD, (Text(BAD),), (BAD,), BAD)
    outputs = tuple(Output(BAD, f"{BAD}{number}", BAD, (BAD, BAD), "refused") for number in range(2))
    with Store.open(tmp_path / "store", create=True) as store:
        store.create(form, Material((shown,), outputs if kind != "labels" else ()))
        app = create_app(store)
        (one,) = store.invite(form.id, [BAD.replace("\r\n", " ")])
        rater, organiser = TestClient(app), TestClient(app)
        rater.get(f"/r/{one.token}")
        organiser.get(f"/o/{store.organiser_link(form.id)}")
        path, token = to_task(rater)
        marks = {"rating": {"v.d": "1"}, "pairwise": {"v.d": "1"}, "labels": {"main": "d"}}[kind]
        pages = [rater.post(path, data={"comment": BAD, "form_token": token})]
        rater.post(path, data={**marks, "comment": BAD, "form_token": token})
        pages += [rater.get(address) for address in ("/", "/mine", "/done", path)]
        pages += [organiser.get("/study")]
        data = {"notes": BAD, "form_token": form_token(pages[-1])}
        pages += [organiser.post("/study/invite", data=data)]
        assert len(store.raters(form.id)) == 3
    for page in pages:
        seen = Seen()
        seen.feed(page.text)
        assert not seen.found, page.url
        assert "set-cookie" not in page.headers
    assert all(
        "{{7*7}}" in page.text and "49" not in re.sub(r"[0-9a-f]{24,}", "", page.text) for page in pages
    )


def test_downloads_have_names_of_ours_whatever_the_study_is_called(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    client.post(path, data={**MARKS, "comment": "=1+1", "form_token": token})
    organiser = site.organiser()
    for name in ("ratings.csv", "ratings.parquet", "people.json"):
        answer = organiser.get(f"/study/{name}")
        assert answer.headers["content-disposition"] == f"attachment; filename={name}"
        assert answer.headers["cache-control"] == "no-store"
    assert '"\'=1+1"' in organiser.get("/study/ratings.csv").text


def test_what_failed_is_neither_kept_nor_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = site.rater()
    for address in ("/nothing", f"/media/{'0' * 64}", "/static/nothing.js"):
        answer = client.get(address)
        assert answer.status_code == 404
        assert answer.headers["cache-control"] == "no-store"

    def fails(_: str) -> None:
        raise RuntimeError("a secret of the server")

    monkeypatch.setattr(site.store, "study", fails)
    answer = client.get("/")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")


# ── the server as it is started ──────────────────────────────────────────────────────────────────────


def test_the_server_prints_no_token_and_believes_no_forwarded_address(tmp_path: Path) -> None:
    with Store.open(tmp_path / "study", create=True) as store:
        made = new(store, Study(name="a study", dimensions=(Dimension("order", "Order"),)), material())
        (one,) = store.invite(made.id, ["Ann"])
        organiser = store.organiser_link(made.id)
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gumption",
        "rate",
        "serve",
        str(tmp_path / "study"),
        "--port",
        str(port),
    ]
    said = tmp_path / "said"
    with said.open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        try:
            with httpx.Client(
                base_url=f"http://127.0.0.1:{port}", transport=httpx.HTTPTransport(retries=8)
            ) as client:
                tokens = [one.token, organiser, "A" * 43, "B" * 10]
                for token, role in zip(tokens, "rorr", strict=True):
                    client.get(f"/{role}/{token}")
                    client.get("/", headers={"authorization": f"Bearer {token}"})
                with socket.create_connection(("127.0.0.1", port)) as raw:
                    raw.sendall(f"GET /r/{one.token} HTTP/1.1\r\nbroken\r\n\r\n".encode())
                    raw.recv(1000)
                forwarded = ({"x-forwarded-for": f"192.0.2.{number % 250}"} for number in range(490))
                # The 241st of a minute at the latest, and a minute may end in between.
                client.cookies.clear()
                limited = any(client.get("/no", headers=one).status_code == 429 for one in forwarded)
        finally:
            server.terminate()
    assert limited
    printed = said.read_text()
    assert f"http://127.0.0.1:{port}" in printed
    for token in tokens:
        assert token not in printed
