"""The web application without a browser: who gets in, what may be changed, and what is never told."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image as Picture
from starlette.responses import Response
from studies import material, new, study

from gumption.rating.store import Store
from gumption.rating.study import Material, MediaFile, Output, Scenario, Study
from gumption.rating.web import create_app
from gumption.rating.web._guard import Limits
from gumption.records import Image, Text


class Site:
    """A study with a picture, its store, and people who have opened their links."""

    def __init__(self, folder: Path, kind: str = "rating", limits: Limits | None = None, **options) -> None:
        data = io.BytesIO()
        Picture.new("RGB", (40, 30), (90, 120, 30)).save(data, "PNG")
        self.picture = hashlib.sha256(data.getvalue()).hexdigest()
        file = folder / "picture.png"
        file.write_bytes(data.getvalue())
        made = material()
        scenarios = tuple(
            Scenario(one.id, (Image(self.picture), *one.parts), one.sub_tasks, one.label)
            for one in made.scenarios
        )
        outputs = tuple(
            Output(one.scenario, one.model, f"{one.text} <script>alert('x')</script>", one.steps)
            for one in made.outputs
        )
        what = Material(scenarios, outputs, (MediaFile(str(file), "image/png", self.picture),))
        self.store = Store.open(folder / "store", create=True)
        self.study: Study = new(self.store, study(kind, **options), what)
        self.organiser_token = self.store.organiser_link(self.study.id)
        self.app = create_app(self.store, limits=limits)

    def rater(self) -> TestClient:
        (one,) = self.store.invite(self.study.id, ["Ann"])
        client = self.browser()
        client.get(f"/r/{one.token}")
        return client

    def organiser(self) -> TestClient:
        client = self.browser()
        client.get(f"/o/{self.organiser_token}")
        return client

    def browser(self) -> TestClient:
        return TestClient(self.app, raise_server_exceptions=False)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path)
    yield made
    made.store.close()


def form_token(answer: Response) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]+)"', answer.text)
    assert found
    return found[1]


def to_task(client: TestClient) -> tuple[str, str]:
    """The address of the rater's task, and the token of its form."""
    answer = client.post("/next", data={"form_token": form_token(client.get("/"))})
    assert answer.status_code == 200, answer.text
    return answer.url.path, form_token(answer)


MARKS = {"v.order": "3", "v.goals": "7", "comment": "fine", "seconds": "12.5", "revision": "0"}


def test_a_link_opens_the_study_and_leaves_no_token_in_any_address(site: Site) -> None:
    (one,) = site.store.invite(site.study.id, ["Ann"])
    client = site.browser()
    answer = client.get(f"/r/{one.token}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    page = client.get("/")
    assert page.status_code == 200
    assert one.token not in page.text


def test_a_form_is_sent_without_scripts_and_leads_on_to_the_next(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    answer = client.post(path, data={**MARKS, "form_token": token})
    assert answer.status_code == 200
    assert answer.url.path not in (path, "/done")
    (record,) = [one for one in site.store.records(site.study.id) if one.revision]
    assert record.values == {"order": 3, "goals": 7}
    assert (record.comment, record.seconds) == ("fine", 12.5)


def test_a_form_that_is_not_whole_comes_back_with_what_was_filled_in(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    answer = client.post(path, data={"v.goals": "7", "comment": "half", "form_token": token})
    assert answer.status_code == 422
    assert "Order" in answer.text
    assert re.search(r'name="v.goals" value="7" checked', answer.text)
    assert "half" in answer.text
    assert not [one for one in site.store.records(site.study.id) if one.revision]


def test_everybody_done_is_told_so_and_may_go_back(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    first = path
    for _ in range(9):
        answer = client.post(path, data={**MARKS, "form_token": token})
        path = answer.url.path
    assert path == "/done"
    changed = client.post(first, data={**MARKS, "v.goals": "1", "revision": "1", "form_token": token})
    assert changed.status_code == 200
    assert {one.values["goals"] for one in site.store.records(site.study.id)} == {1, 7}


def test_a_form_from_an_older_page_does_not_overwrite_a_newer_one(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    client.post(path, data={**MARKS, "form_token": token})
    client.post(path, data={**MARKS, "v.goals": "9", "revision": "1", "form_token": token})
    late = client.post(path, data={**MARKS, "v.goals": "2", "revision": "1", "form_token": token})
    assert late.status_code == 409
    assert {one.values["goals"] for one in site.store.records(site.study.id) if one.revision} == {9}


@pytest.mark.parametrize("path", ["/", "/mine", "/done", "/study", "/api/tasks", "/study/ratings.csv"])
def test_nothing_opens_without_a_link(site: Site, path: str) -> None:
    assert site.browser().get(path).status_code == 401
    assert site.browser().get(path, headers={"authorization": "Bearer " + "x" * 43}).status_code == 401


def test_links_open_only_what_they_are_for(site: Site) -> None:
    rater, organiser = site.rater(), site.organiser()
    assert rater.get("/study").status_code == 401
    assert rater.get("/api/study/progress").status_code == 401
    assert organiser.get("/").status_code == 401
    assert organiser.get("/study").status_code == 200
    (one,) = site.store.invite(site.study.id)
    assert site.browser().get(f"/o/{one.token}", follow_redirects=False).status_code == 401
    assert site.browser().get(f"/r/{site.organiser_token}", follow_redirects=False).status_code == 401


def test_a_revoked_link_no_longer_opens(site: Site) -> None:
    client = site.rater()
    (rater,) = site.store.raters(site.study.id)
    site.store.revoke(rater.id)
    answer = client.get("/")
    assert answer.status_code == 401
    assert "link" in answer.text.lower()


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
def test_what_changes_something_needs_the_token_of_our_page(site: Site, token: str) -> None:
    client = site.rater()
    path, right = to_task(client)
    for address in (path, "/next", "/leave"):
        told = client.post(address, data={**MARKS, "sure": "yes", "form_token": token})
        assert told.status_code == 401, address
    body = {"values": {"order": 1}}
    headers = {"x-form-token": token.encode("utf-8")}
    assert client.put(f"/api/tasks/{path[6:]}/draft", json=body, headers=headers).status_code == 401
    cross = {"x-form-token": right, "sec-fetch-site": "cross-site"}
    assert client.put(f"/api/tasks/{path[6:]}/draft", json=body, headers=cross).status_code == 401
    same = {"x-form-token": right, "sec-fetch-site": "same-origin"}
    assert client.put(f"/api/tasks/{path[6:]}/draft", json=body, headers=same).status_code == 200


def test_another_raters_task_is_not_there(site: Site) -> None:
    mine, theirs = site.rater(), site.rater()
    path, _ = to_task(mine)
    assert theirs.get(path).status_code == 404
    assert theirs.get(f"/api/tasks/{path[6:]}").status_code == 404


def test_no_page_may_run_what_is_not_ours_or_be_framed(site: Site) -> None:
    client = site.rater()
    path, _ = to_task(client)
    for address in ("/", path, "/mine", "/nothing-here", "/api/tasks", "/static/rate.css"):
        headers = client.get(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    page = client.get(path).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert not re.search(r"\son\w+=|style=|<style|javascript:", page)


def test_pictures_are_sent_as_pictures_and_nothing_else_is(site: Site) -> None:
    client = site.rater()
    answer = client.get(f"/media/{site.picture}")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-security-policy"].endswith("sandbox")
    part = client.get(f"/media/{site.picture}", headers={"range": "bytes=0-7"})
    assert part.status_code == 206
    assert part.content == b"\x89PNG\r\n\x1a\n"
    for name in ("0" * 64, "..%2f..%2fratings.sqlite", f"{site.picture}.png", "../../etc/passwd"):
        assert client.get(f"/media/{name}").status_code in (404, 422), name
    for name in ("../api.py", "..%2fapi.py", "%2e%2e/app.py", "rate.js/../../app.py"):
        assert b"create_app" not in client.get(f"/static/{name}").content, name
    assert site.browser().get(f"/media/{site.picture}").status_code == 401


def test_bodies_beyond_a_limit_are_refused(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    assert client.post(path, data={"comment": "x" * 70_000, "form_token": token}).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"a=1&" * 1000

    assert client.post(path, content=endless()).status_code == 413
    many = "&".join(f"v.x{number}=1" for number in range(5000))
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(path, content=many, headers=headers).status_code == 422


def test_too_many_requests_are_told_to_wait_and_made_up_tokens_do_not_help(tmp_path: Path) -> None:
    site = Site(tmp_path, limits=Limits(per_token=8, per_address=5))
    client = site.browser()
    told = [
        client.get("/", headers={"authorization": f"Bearer {number:043}"}).status_code for number in range(7)
    ]
    assert told == [401] * 5 + [429] * 2
    assert int(client.get("/").headers["retry-after"]) >= 1
    site.store.close()


def test_a_rater_deletes_what_is_known_of_them(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    client.post(path, data={**MARKS, "form_token": token})
    assert client.post("/leave", data={"form_token": token}).status_code == 422
    assert client.post("/leave", data={"form_token": token, "sure": "yes"}).status_code == 200
    assert not site.store.records(site.study.id)
    assert not site.store.raters(site.study.id)
    assert client.get("/").status_code == 401


def test_nothing_a_rater_receives_names_a_model_or_a_scenario_id(site: Site) -> None:
    client = site.rater()
    received = [client.get("/").text, client.get("/mine").text]
    path, token = to_task(client)
    while path != "/done":
        received += [client.get(path).text, client.get(f"/api/tasks/{path[6:]}").text]
        path = client.post(path, data={**MARKS, "form_token": token}).url.path
    received += [client.get("/api/tasks").text, client.get("/done").text, client.get("/mine").text]
    assert len(received) >= 23
    for text in received:
        assert "brain" not in text
        assert "maker" not in text
        assert "place-" not in text


def test_a_closed_study_takes_nothing_and_says_so(site: Site) -> None:
    client = site.rater()
    path, token = to_task(client)
    organiser = site.organiser()
    organiser.post("/study/close", data={"closed": "yes", "form_token": form_token(organiser.get("/study"))})
    assert client.post(path, data={**MARKS, "form_token": token}).status_code == 409
    assert "closed" in client.get("/").text


def test_the_organiser_invites_watches_and_takes_the_results_home(site: Site) -> None:
    organiser = site.organiser()
    token = form_token(organiser.get("/study"))
    page = organiser.post("/study/invite", data={"notes": "Ann\nBen\n", "days": "3", "form_token": token})
    links = re.findall(r"http://testserver(/r/[\w-]+)", page.text)
    assert len(links) == 2
    for link in links:
        client = site.browser()
        client.get(link)
        path, own = to_task(client)
        while path != "/done":
            path = client.post(path, data={**MARKS, "form_token": own}).url.path
    page = organiser.get("/study").text
    assert "9 of 9 plans have their 2 people" in page
    assert organiser.get("/study/ratings.csv").text.count("\n") == 19
    assert organiser.get("/study/ratings.parquet").content[:4] == b"PAR1"
    people = organiser.get("/study/people.json").json()
    assert people["models"] == ["maker/brain-0", "maker/brain-1", "maker/brain-2"]
    # (3 - 1) / 4 and 7 / 10, equally weighted.
    assert people["scores"] == [[pytest.approx(0.6)] * 3] * 3


def test_the_organiser_cannot_touch_another_study(site: Site) -> None:
    other = new(site.store, study(), material())
    (theirs,) = site.store.invite(other.id, ["Cay"])
    organiser = site.organiser()
    token = form_token(organiser.get("/study"))
    told = organiser.post(f"/study/raters/{theirs.rater}/delete", data={"sure": "yes", "form_token": token})
    assert told.status_code == 404
    bearer = {"authorization": f"Bearer {site.organiser_token}"}
    assert site.browser().delete(f"/api/study/raters/{theirs.rater}", headers=bearer).status_code == 404
    assert site.store.raters(other.id)


def test_labels_are_one_main_and_others(tmp_path: Path) -> None:
    site = Site(tmp_path, kind="labels")
    client = site.rater()
    path, token = to_task(client)
    client.post(path, data={"main": "planning", "also.counting": "on", "form_token": token})
    (record,) = [one for one in site.store.records(site.study.id) if one.revision]
    assert record.values == {"planning": 1, "counting": 2}
    path, token = to_task(client)
    assert client.post(path, data={"also.counting": "on", "form_token": token}).status_code == 422
    site.store.close()


def test_a_comparison_shows_two_and_takes_a_side(tmp_path: Path) -> None:
    site = Site(tmp_path, kind="pairwise")
    client = site.rater()
    path, token = to_task(client)
    page = client.get(path).text
    assert page.count("<article") == 2
    client.post(path, data={"v.better": "-1", "form_token": token})
    (record,) = [one for one in site.store.records(site.study.id) if one.revision]
    shown = [page.index(f"Plan {model[-1]} of") for model in record.models]
    # -1 stands for the first of the models, wherever it was shown.
    assert record.values == {"better": -1 if shown[0] < shown[1] else 1}
    site.store.close()


def test_a_steps_text_is_shown_as_text(site: Site) -> None:
    shown = Scenario("x", (Text("<b>bold</b>"),))
    made = new(site.store, study(), Material((shown,), (Output("x", "m-1", "<i>a</i>"),)))
    (one,) = site.store.invite(made.id)
    client = site.browser()
    client.get(f"/r/{one.token}")
    path, _ = to_task(client)
    page = client.get(path).text
    assert "&lt;b&gt;bold" in page
    assert "&lt;i&gt;a" in page
