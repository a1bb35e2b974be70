"""How many connections there may be, and which are closed for others; what a connection may send."""

from resource import RLIMIT_NOFILE, getrlimit

import pytest

from ludotheque.web.guard.budgets import FrameBudget, Rate, TokenBucket
from ludotheque.web.server.connections import (
    MAX_PER_ADDRESS,
    NEW_CONNECTIONS,
    OF_ADDRESS,
    OF_FILES,
    WARN_EVERY_S,
    Connections,
    raise_file_limit,
)


class Idle:
    def __init__(self) -> None:
        self.is_closed = False

    def close_idle(self) -> None:
        self.is_closed = True


def test_the_longest_idle_connection_of_the_heaviest_makes_room() -> None:
    counted = Connections(10)
    assert counted.most_per_address == 5
    mine, theirs = [Idle() for _ in range(5)], [Idle() for _ in range(5)]
    for connections, address in ((mine, "192.0.2.1"), (theirs, "192.0.2.2")):
        for connection in connections:
            assert counted.admit(address)
            counted.now_idle(address, connection)
    counted.now_busy("192.0.2.2", theirs[0])
    assert counted.admit("192.0.2.3"), "of the one with most idle connections"
    assert [connection.is_closed for connection in mine] == [True, False, False, False, False]
    counted.leave("192.0.2.1")
    for _ in range(4):
        assert counted.admit("192.0.2.2"), "one's own, if one has too many"
    assert not counted.admit("192.0.2.2"), "what is busy is not closed for a newcomer"
    assert [connection.is_closed for connection in theirs] == [False, True, True, True, True]
    assert sum(connection.is_closed for connection in mine) == 1


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, object]]]:
    found = [(record.getMessage(), record.__dict__["facts"]) for record in caplog.records]
    caplog.clear()
    return found


def test_the_log_says_why_and_not_too_often(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    caplog.set_level("WARNING", "ludotheque")
    counted = Connections(10)
    for number in range(5):
        assert counted.admit("192.0.2.1"), number
    counted.now_idle("192.0.2.1", Idle())
    assert not logged(caplog)
    assert counted.admit("192.0.2.1")
    ((what, facts),) = logged(caplog)
    assert what == "an idle connection was closed for a new one"
    assert facts["cause"] == OF_ADDRESS
    assert (facts["open"], facts["of this address"], facts["most of an address"], facts["most"]) == (5, 5, 5, 10)
    assert "192.0.2.1" not in str(facts)
    for number in range(4):
        assert counted.admit(f"192.0.2.{number + 10}")
    assert not counted.admit("192.0.2.2")
    assert not logged(caplog), "it was said just now"
    now[0] += WARN_EVERY_S
    assert not counted.admit("192.0.2.2")
    ((what, facts),) = logged(caplog)
    assert what == "connections are refused"
    assert facts["cause"] == OF_FILES
    assert (facts["open"], facts["refused"], facts["file descriptors"]) == (10, 2, getrlimit(RLIMIT_NOFILE)[0])


def test_who_opens_one_connection_after_the_other_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    counted = Connections(10_000, ("192.0.2.9",))

    def opened(address: str, number: int) -> int:
        admitted = [address for _ in range(number) if counted.admit(address)]
        for each in admitted:
            counted.leave(each)
        return len(admitted)

    burst, per_second = map(int, NEW_CONNECTIONS)
    assert opened("192.0.2.1", 2 * burst) == burst
    assert opened("192.0.2.2", burst) == burst, "of another address"
    assert opened("192.0.2.9", 2 * burst) == 2 * burst, "of a proxy"
    now[0] += 1
    assert opened("192.0.2.1", burst) == per_second


def test_a_proxy_may_have_them_all() -> None:
    assert MAX_PER_ADDRESS < 2_000
    for proxy, address in (("192.0.2.7", "192.0.2.7"), ("192.0.2.0/24", "192.0.2.9"), ("*", "192.0.2.1")):
        counted = Connections(10_000, [proxy])
        assert all(counted.admit(address) for _ in range(2_000))
    counted = Connections(10_000)
    assert sum(counted.admit("192.0.2.7") for _ in range(2_000)) == MAX_PER_ADDRESS


def test_the_limit_of_files_is_raised_and_leaves_some_for_others() -> None:
    connections = raise_file_limit()
    assert raise_file_limit() == connections
    assert 100 < connections < 65_536


def test_a_bucket_refills_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bucket = TokenBucket(Rate(10, 2))
    assert [bucket.take(6), bucket.take(6), bucket.take(4)] == [True, False, True]
    now[0] += 1.5
    assert [bucket.take(3), bucket.take(1)] == [True, False]
    now[0] += 60
    assert [bucket.take(10), bucket.take(1)] == [True, False]


def test_connections_of_an_address_share_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 0.0)  # nothing is refilled
    connections = [FrameBudget() for _ in range(100)]
    for connection in connections:
        connection.join("192.0.2.1")
    passed = sum(connection.take_control() for connection in connections for _ in range(30))
    assert passed == 400
    other = FrameBudget()
    other.join("192.0.2.2")
    assert other.take_control()
