"""Nothing that anybody sends breaks the site, hangs it, changes what it may not, or makes it tell a secret.

The short form; `scripts/benchmark fuzz` sends hundreds of thousands.
"""

import re
from collections.abc import Iterator

import pytest
import yaml
from django.urls import URLPattern, get_resolver
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ludotheque.web.jobs import pool
from waiting import until
from web.fuzzer import DESCRIPTION, MESSAGES, Fuzzer, Request, admin_routes, clear, described_in_a_row

pytestmark = pytest.mark.filterwarnings(  # over Redis a worker's threads use `random` while hypothesis does
    "ignore::hypothesis.errors.HypothesisWarning"
)
QUICK = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None)


@pytest.fixture(scope="module")
def fuzzer(site: None) -> Iterator[Fuzzer]:  # noqa: ARG001 - it needs one
    _finish_jobs()
    made = Fuzzer()
    yield made
    made.close()
    clear()


def _finish_jobs() -> None:
    """Wait for jobs that earlier tests left behind: puzzles made ahead are written when they are done."""
    until(lambda: all(each._threads.is_idle for each in pool.POOLS))


@pytest.fixture(autouse=True)
def fresh_site() -> None:
    """The site stays as it is from one message to the next."""


def test_the_description_has_every_address() -> None:
    routes = {str(entry.pattern) for entry in get_resolver().url_patterns if isinstance(entry, URLPattern)}
    known = {"/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route) for route in routes}
    assert set(yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))["paths"]) == known


@settings(QUICK, max_examples=30)
@given(data=st.data(), visitor=st.sampled_from(["ada", "stranger", ""]))
def test_malformed_messages(fuzzer: Fuzzer, data: st.DataObject, visitor: str) -> None:
    fuzzer.talk(visitor, data.draw(st.lists(MESSAGES, min_size=5, max_size=25)))


@settings(QUICK, max_examples=250)
@given(data=st.data())
def test_malformed_requests(fuzzer: Fuzzer, data: st.DataObject) -> None:
    fuzzer.request(data.draw(fuzzer.requests))


def test_the_keepers_addresses_are_among_those_that_are_tried() -> None:
    assert {"/admin/", "/admin/login/", "/admin/web/table/{object_id}/delete/"} <= set(admin_routes())


def test_a_body_that_cannot_be_read_from_a_host_that_cannot_be_one(fuzzer: Fuzzer) -> None:
    """Found by the long form: the page for bad requests read the request once more."""
    kinds = [(b"content-type", kind) for kind in (b"multipart/form-data; boundary=x", b"\xd8I")]
    cookie = (b"cookie", b"csrftoken=" + b"a" * 32), (b"x-csrftoken", b"a" * 32)
    fuzzer.request(Request("POST", "/static/nothing", b"", (*cookie, *kinds, (b"host", b"1\x95")), b"\0null"))


def test_malformed_requests_made_from_the_description(fuzzer: Fuzzer) -> None:
    described_in_a_row(fuzzer, seed=1, number=2)
