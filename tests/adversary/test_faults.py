"""Faults of the machine: the short form of `scripts/benchmark faults`."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis

import services
from faults import crash_points
from faults.__main__ import in_a_process
from faults.catalogue import FAULTS
from faults.clocks import HOUR_S
from faults.dial import Dial
from metronome import metronome
from scale.sites import CSRF, Site, first_move
from waiting import TIMEOUT_S

BY_UNIT_TESTS = {"memory-refused"}  # takes more than a minute; tests/web/jobs/test_no_memory.py
HEALTH_P99_S = 2  # on a machine that is free; the benchmark has the figure
ON_POSTGRES = ("move", "move in a batch", "rematch")  # of which each is another way to write


def test_a_command_is_stored_as_a_whole_or_not_at_all_wherever_its_process_dies() -> None:
    found = crash_points.in_a_process("")
    assert not found.wrong
    assert all(points >= 2 for points in found.points.values()), "a statement and a commit at least"
    assert sum(found.points.values()) > 200


def test_a_command_is_stored_as_a_whole_or_not_at_all_in_postgresql() -> None:
    if services.missing():
        pytest.skip(services.lacking())
    postgres = services.Postgres(durable=False)
    try:
        postgres.start()
        found = crash_points.in_a_process(postgres.url, ON_POSTGRES)
    finally:
        postgres.close()
    assert not found.wrong
    assert sum(found.points.values()) > 15


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - BY_UNIT_TESTS))
def test_nothing_acknowledged_is_lost_and_moves_go_on(name: str) -> None:
    with metronome() as machine:
        outcome = in_a_process(name, short=True, max_back_s=TIMEOUT_S)
    if isinstance(outcome, str):
        pytest.skip(outcome)
    assert outcome.good, outcome
    assert outcome.acknowledged > 15
    assert outcome.back_s
    assert outcome.health_p99_s < machine.bound_s(HEALTH_P99_S)
    if name == "disk-full":
        assert outcome.more["moves refused or sent again"], "it was not full"
    if name == "memory-killed":
        assert outcome.more["worker processes killed"]


# What bots do not notice

FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("wrong_by", [-HOUR_S, 24 * HOUR_S])
def test_cookies_and_links_stay_good_and_limits_end_when_the_clock_jumps(
    new_site: Callable[..., Site], tmp_path: Path, wrong_by: int
) -> None:
    clock = Dial(tmp_path / "clock")
    clock.turn(0)
    settings = {"DJANGO_SETTINGS_MODULE": "faults.jumping_clock", "FAULTS_CLOCK_S": str(clock.file)}
    made = new_site(**settings, LUDOTHEQUE_LIMITS="table=2/0")
    table, cookie = made.set_table()
    link = _link(made, table, cookie)
    _is_limited_to_two(made, cookie)
    clock.turn(wrong_by)
    made.move(table, cookie, first_move(made.screen(table, cookie), "after the jump"))
    assert 0 < _open_table(made, cookie) <= HOUR_S // 2, "as long as before"
    headers = {"Cookie": f"csrftoken={CSRF}", "X-CSRFToken": CSRF}
    taken, _ = made.request("POST", link, None, headers, 0)
    assert (taken.status, taken.headers["Location"]) == (302, f"/t/{table}")


def _link(made: Site, table: str, cookie: str) -> str:
    headers = {"Cookie": cookie, "X-CSRFToken": CSRF, "Content-Type": FORM}
    _, page = made.request("POST", f"/t/{table}/link", "seat=0", headers, 0)
    found = re.search(r"/seat/[\w-]+", page)
    assert found
    return found[0]


def _open_table(made: Site, cookie: str) -> int:
    """Seconds to wait, or 0 if it was opened."""
    headers = {"Cookie": cookie, "X-CSRFToken": CSRF, "Content-Type": FORM}
    reply, _ = made.request("POST", "/games/hepta/new", "way=link&seats=2&seat=0&name-0=Ada", headers, 0)
    assert reply.status in (302, 429)
    return int(reply.headers.get("Retry-After", "0"))


def _is_limited_to_two(made: Site, cookie: str) -> None:
    """The third table within an hour has to wait until there is room for one: half an hour, less what has passed."""
    first, second, third = (_open_table(made, cookie) for _ in range(3))
    assert (first, second) == (0, 0)
    assert 0 < third <= HOUR_S // 2


@pytest.fixture
def store() -> Iterator[services.Redis]:
    if services.missing():
        pytest.skip(services.lacking())
    made = services.Redis()
    made.start()
    yield made
    made.close()


def test_limits_begin_anew_when_redis_is_flushed(new_site: Callable[..., Site], store: services.Redis) -> None:
    made = new_site(REDIS_URL=store.url, LUDOTHEQUE_LIMITS="table=2/0", LUDOTHEQUE_THINKER="")
    _, cookie = made.set_table()
    _is_limited_to_two(made, cookie)
    with redis.Redis.from_url(store.url) as client:
        client.flushall()
    _is_limited_to_two(made, cookie)
