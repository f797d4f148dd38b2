"""Whatever is sent to the JSON interface, the server does not fail, and answers as its schema says."""

from __future__ import annotations

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from studies import new, study

from gumption.rating.store import Store
from gumption.rating.web import create_app
from gumption.rating.web._guard import Limits
from gumption.rating.web.api import router

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
UNLIMITED = Limits(per_token=10**9, per_address=10**9)


class People:
    """Makes a link whenever one is asked for: a request before may have deleted the person."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.study = new(store, study(raters_wanted=100_000))
        self.organiser = store.organiser_link(self.study.id)

    def rater(self) -> str:
        (one,) = self.store.invite(self.study.id)
        return one.token


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    with Store.open(tmp_path_factory.mktemp("api") / "store", create=True) as store:
        yield People(store)


@pytest.fixture(scope="module")
def api(people):
    return schemathesis.openapi.from_asgi("/api/openapi.json", create_app(people.store, limits=UNLIMITED))


OPERATIONS = [(method, route.path) for route in router.routes for method in sorted(route.methods)]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_request_makes_the_server_fail(method, path, api, people):
    @given(case=api[path][method].as_strategy(), real=st.booleans())
    @settings(max_examples=25, database=None, suppress_health_check=list(HealthCheck))
    def ask(case, real):
        people.store.close_study(people.study.id, closed=False)
        token = people.organiser if "/study" in path else people.rater()
        if real and "task" in (case.path_parameters or {}):
            # A task that is there, so that bodies are looked at and not only addresses.
            given_out = people.store.next_task(people.store.access(token).rater)
            case.path_parameters["task"] = given_out.id
        case.call_and_validate(checks=CHECKS, headers={"authorization": f"Bearer {token}"})

    ask()


def test_the_interface_is_the_one_that_pages_and_scripts_use():
    assert {
        ("POST", "/api/next"),
        ("GET", "/api/tasks/{task}"),
        ("PUT", "/api/tasks/{task}/draft"),
        ("POST", "/api/tasks/{task}/rating"),
        ("DELETE", "/api/me"),
        ("GET", "/api/study/progress"),
        ("POST", "/api/study/raters"),
        ("PUT", "/api/study/closed"),
    } <= set(OPERATIONS)
