"""The lines in Redis: addresses take turns there, too, and visitors of one address. With `--services` only."""

from collections.abc import Iterator

import pytest

from ludotheque.web.jobs import pool
from ludotheque.web.jobs.fair_queue import Asker

KEY = "ludotheque-test:jobs"

pytestmark = pytest.mark.skipif(not pool.scaled(), reason="there is no Redis")


def add(address: str, job: str, *, visitor: str = "", urgency: int = 1) -> None:
    from ludotheque.web.jobs import queue

    queue.ADD(keys=[KEY], args=[address, visitor, urgency, job])


def take(jobs: int) -> list[str | None]:
    from ludotheque.web.jobs import queue

    found = [queue.TAKE(keys=[KEY]) for _ in range(jobs)]
    return [job and job.decode() for job in found]


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    yield
    while take(1) != [None]:
        pass


def test_addresses_take_turns_and_the_most_urgent_goes_first() -> None:
    from ludotheque.web.jobs import queue

    add("many", "hint")
    add("many", "hint 2")
    add("many", "turn", urgency=0)
    add("one", "ahead", urgency=2)
    add("two", "hint of two")
    assert take(3) == ["turn", "ahead", "hint of two"]
    add("two", "another")
    assert take(4) == ["hint", "another", "hint 2", None]
    assert queue.client.keys(f"{KEY}:*") == [f"{KEY}:number".encode()], "nothing is left of those who have gone"


def test_visitors_of_one_address_take_turns() -> None:
    from ludotheque.web.jobs import queue

    for number in range(5):
        add("home", f"greedy {number}", visitor="greedy")
    assert take(1) == ["greedy 0"]
    add("home", "housemate 0", visitor="housemate")
    add("home", "housemate 1", visitor="housemate")
    add("home", "no cookie")
    for number in range(3):
        add("elsewhere", f"elsewhere {number}")
    found = take(10)
    assert found[1:6:2] == ["elsewhere 0", "elsewhere 1", "elsewhere 2"], "it is one address, however many visit"
    home = [job for job in found if job and not job.startswith("elsewhere")]
    assert home == ["greedy 1", "housemate 0", "no cookie", "greedy 2", "housemate 1", "greedy 3", "greedy 4"]
    assert take(1) == [None]
    assert queue.client.keys(f"{KEY}:*") == [f"{KEY}:number".encode()]


def test_what_goes_beyond_what_one_visitor_or_one_address_may_ask_for_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ludotheque.web.jobs import queue
    from ludotheque.web.refusals import TooManyJobs
    from ludotheque.web.visitors import asked_from

    monkeypatch.setattr(queue, "_key", lambda _: KEY)
    monkeypatch.setattr(pool, "MAX_WAITING_PER_VISITOR", 2)
    monkeypatch.setattr(pool, "MAX_WAITING_PER_ADDRESS", 3)
    for number in range(2):
        add("home", f"job {number}", visitor="greedy")
    assert pool.making.waiting(pool.Asker("home", "greedy", pool.Urgency.ASKED)) == (2, 2)
    with asked_from("home", "greedy"), pytest.raises(TooManyJobs):
        pool.making.check_room(pool.Asker.now())
    with asked_from("home", "greedy"), pool.with_urgency(pool.Urgency.TURN):
        pool.making.check_room(pool.Asker.now())
    with asked_from("home", "housemate"):
        pool.making.check_room(pool.Asker.now())
    add("home", "one more", visitor="housemate")
    with asked_from("home", "third"), pytest.raises(TooManyJobs):
        pool.making.check_room(pool.Asker.now())
    pool.making.check_room(pool.Asker.now())
    assert queue.waiting("making", Asker("home", "housemate")) == (1, 3)
