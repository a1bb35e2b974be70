"""What a message in the queue can call, and who may have how much waiting."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from ludotheque.web.guard.rate_limits import RateLimitMiddleware
from ludotheque.web.jobs import pool
from ludotheque.web.jobs.fair_queue import Waiting
from ludotheque.web.jobs.pool import Asker, Urgency, function_named
from ludotheque.web.players import turns
from ludotheque.web.refusals import TooManyJobs
from ludotheque.web.visitors import VisitorMiddleware, hashed, sign


def test_a_function_of_ours_is_found_by_its_name() -> None:
    assert function_named("ludotheque.web.players.turns:take") is turns.take


@pytest.mark.parametrize(
    "name", ["os:system", "ludotheque.web.server.backup:call_command", "ludotheque.web.jobs.pool:import_module"]
)
def test_nothing_else_is_called_not_even_what_we_import(name: str) -> None:
    with pytest.raises(LookupError):
        function_named(name)


@pytest.mark.parametrize(
    ("waiting", "fits"),
    [
        (Waiting(pool.MAX_WAITING_PER_VISITOR - 1, pool.MAX_WAITING_PER_VISITOR - 1), True),
        (Waiting(pool.MAX_WAITING_PER_VISITOR, pool.MAX_WAITING_PER_VISITOR), False),
        (Waiting(0, pool.MAX_WAITING_PER_VISITOR), True),  # a housemate has filled theirs
        (Waiting(0, pool.MAX_WAITING_PER_ADDRESS), False),
    ],
)
def test_no_visitor_takes_all_the_room_of_their_address(
    monkeypatch: pytest.MonkeyPatch, waiting: Waiting, *, fits: bool
) -> None:
    monkeypatch.setattr(pool.making, "waiting", lambda _: waiting)
    pool.making.check_room(Asker("192.0.2.1", "ada", Urgency.TURN))
    if fits:
        pool.making.check_room(Asker("192.0.2.1", "ada", Urgency.AHEAD))
    else:
        with pytest.raises(TooManyJobs):
            pool.making.check_room(Asker("192.0.2.1", "ada", Urgency.AHEAD))


@pytest.mark.parametrize(
    ("cookie", "visitor"),
    [(sign("ada"), hashed("ada")), ("ada:forged", ""), ("", "")],
    ids=["signed", "forged", "none"],
)
def test_a_job_belongs_to_the_visitor_of_the_request(cookie: str, visitor: str) -> None:
    asked: list[Asker] = []

    def view(_request: object) -> HttpResponse:
        asked.append(Asker.now())
        return HttpResponse()

    request = RequestFactory(REMOTE_ADDR="2001:db8::7").get("/about")
    request.COOKIES["visitor"] = cookie
    VisitorMiddleware(RateLimitMiddleware(view))(request)
    assert asked == [Asker("2001:db8::", visitor, Urgency.ASKED)]
