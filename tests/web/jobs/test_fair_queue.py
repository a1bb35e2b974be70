"""Who is next: addresses take turns, then visitors of one address; of one visitor the most urgent job goes first."""

import threading
from concurrent.futures import CancelledError, Future

import pytest

from ludotheque.web.jobs.fair_queue import Asker, FairExecutor, FairQueues, Job

TIMEOUT_S = 30


def nothing() -> None:
    pass


def served(lines: FairQueues, jobs: int, most_each: int = 1) -> list[str]:
    """Who gets the next turns, one after the other."""
    found = []
    for _ in range(jobs):
        turn = lines.next(most_each)
        assert turn is not None
        found.append(turn[0].visitor or turn[0].address)
        lines.end(turn[0])
    return found


def add(lines: FairQueues, address: str, visitor: str = "", *, urgency: int = 1, jobs: int = 1) -> None:
    for _ in range(jobs):
        lines.add(Asker(address, visitor), Job(urgency, lines.number(), nothing, nothing))


def test_addresses_take_turns() -> None:
    lines = FairQueues()
    add(lines, "many", jobs=10)
    assert served(lines, 2) == ["many", "many"]
    add(lines, "one")
    add(lines, "two", jobs=2)
    assert served(lines, 5) == ["one", "two", "many", "two", "many"]
    add(lines, "one")
    assert served(lines, 2) == ["one", "many"], "who comes back has their turn, too"
    assert (lines.waiting(Asker("many")), lines.waiting(Asker("one")), lines.all_waiting()) == ((5, 5), (0, 0), 5)


def test_visitors_of_one_address_take_turns() -> None:
    lines = FairQueues()
    add(lines, "home", "greedy", jobs=10)
    assert served(lines, 2) == ["greedy", "greedy"]
    add(lines, "home", "housemate", jobs=2)
    add(lines, "home", jobs=1)
    add(lines, "elsewhere", jobs=3)
    found = served(lines, 8)
    assert found[:6:2] == ["elsewhere"] * 3, "however many visitors an address has, it is one address"
    assert [each for each in found if each != "elsewhere"] == ["housemate", "home", "greedy", "housemate", "greedy"]
    assert (lines.waiting(Asker("home", "greedy")), lines.waiting(Asker("home", "housemate"))) == ((6, 6), (0, 6))


def test_of_one_address_too_the_most_urgent_goes_first_but_never_again_and_again() -> None:
    lines = FairQueues()
    add(lines, "home", "hint", urgency=1, jobs=2)
    add(lines, "home", "turns", urgency=0, jobs=3)
    assert served(lines, 5) == ["turns", "hint", "turns", "hint", "turns"]


def test_of_one_address_too_whoever_has_fewest_running_is_next() -> None:
    lines = FairQueues()
    add(lines, "home", "greedy", jobs=3)
    assert lines.next(4) is not None
    add(lines, "home", "housemate", urgency=2, jobs=2)
    askers = [turn[0].visitor for _ in range(3) if (turn := lines.next(4))]
    assert askers == ["housemate", "greedy", "housemate"]
    assert lines.next(4) is None, "four run for this address already"
    lines.end(Asker("home", "greedy"))
    turn = lines.next(4)
    assert turn is not None
    assert turn[0].visitor == "greedy"


def test_the_most_urgent_goes_first_but_never_again_and_again() -> None:
    lines = FairQueues()
    add(lines, "hint", urgency=1)
    add(lines, "turns", urgency=0, jobs=5)
    assert served(lines, 3) == ["turns", "hint", "turns"]
    add(lines, "turns", urgency=2)
    add(lines, "turns", urgency=0)
    urgencies = [turn[1].urgency for _ in range(5) if (turn := lines.next(9))]
    assert urgencies == [0, 0, 0, 0, 2], "of one asker"


def test_whoever_has_fewest_running_is_next() -> None:
    lines = FairQueues()
    add(lines, "many", urgency=0, jobs=3)
    assert lines.next(2) is not None
    add(lines, "one", urgency=2)
    turn = lines.next(2)
    assert turn is not None
    assert turn[0].address == "one"
    assert lines.next(2) is not None
    assert lines.next(2) is None, "of this asker two run already"


def test_nobody_has_all_threads_and_results_come_back() -> None:
    executor, going_on = FairExecutor("test", 4, 2), threading.Event()
    busy = [executor.submit(Asker("many"), 1, going_on.wait, TIMEOUT_S) for _ in range(8)]
    assert executor.submit(Asker("one"), 1, lambda: "done").result(TIMEOUT_S) == "done"
    assert (executor.waiting(Asker("many")), executor.all_waiting()) == ((6, 6), 6)
    going_on.set()
    assert all(each.result(TIMEOUT_S) for each in busy)
    failed: Future[float] = executor.submit(Asker("one"), 1, lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failed.result(TIMEOUT_S)


def test_what_waits_can_be_forgotten() -> None:
    executor, going_on = FairExecutor("test", 1, 1), threading.Event()
    running = executor.submit(Asker("one"), 1, going_on.wait, TIMEOUT_S)
    waits, again = executor.submit(Asker("one"), 1, nothing), executor.submit(Asker("one"), 1, nothing)
    again.cancel()
    executor.cancel_waiting()
    with pytest.raises(CancelledError):
        waits.result(TIMEOUT_S)
    going_on.set()
    assert running.result(TIMEOUT_S)
    assert executor.submit(Asker("one"), 1, lambda: 3).result(TIMEOUT_S) == 3
