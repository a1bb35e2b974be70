"""Too big, too slow, too often: turned away kindly, at every entrance, and nobody else notices."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.test.utils import override_settings
from django.urls import get_resolver

from ludotheque import words
from ludotheque.web.asgi import application
from ludotheque.web.guard import rate_limits, request_size
from ludotheque.web.jobs import pool
from ludotheque.web.models import Replay, Table
from ludotheque.web.refusals import TooManyJobs
from ludotheque.web.visitors import asked_from
from web.connections import PageConnection, run
from web.people import browser, seated

Clock = Callable[[float], None]


@pytest.fixture(autouse=True)
def fresh_counters() -> Iterator[None]:
    cache.clear()
    rate_limits.reset()
    yield
    cache.clear()
    rate_limits.reset()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands until it is put on. Redis has a clock of its own, so counting is in memory."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(rate_limits, "_shared_store", rate_limits._local_store)
    monkeypatch.setattr("throttled.utils.now_mono_f", lambda: now[0])

    def on(seconds: float) -> None:
        now[0] += seconds

    return on


def only(**wanted: str) -> override_settings:
    """No limits but these."""
    others = [f"{name}=0/0" for name in rate_limits.USUAL if name not in wanted]
    return override_settings(LIMITS=" ".join([*others, *(f"{name}={text}" for name, text in wanted.items())]))


def passed(number: int, entrance: str, visitor: str = "ada", address: str = "192.0.2.1") -> int:
    """How many of so many get through."""
    return sum(not rate_limits.wait(entrance, visitor, address) for _ in range(number))


def test_a_clock_that_is_put_back_locks_nobody_out(clock: Clock) -> None:
    """As Redis's may be, by which all processes count; that of a single process only goes forward."""
    with only(deed="10/0"):
        assert passed(12, "deed") == 10
        clock(-2 * 3600)
        assert passed(1, "deed") == 1


def test_so_many_in_a_window_and_not_twice_as_many_round_its_end(clock: Clock) -> None:
    with only(deed="10/0"):
        clock(59)
        assert passed(25, "deed") == 10
        assert passed(25, "deed", "bob") == 10
        clock(2)
        assert passed(25, "deed") == 0
        clock(29)
        assert passed(25, "deed") == 5, "half a window has passed"
        clock(120)
        assert passed(25, "deed") == 10


@pytest.mark.parametrize("since", [0, 1, 30, 59])
def test_who_waits_as_told_gets_through(clock: Clock, since: int) -> None:
    with only(deed="7/0"):
        clock(since)
        assert passed(5, "deed") == 5
        clock(33)
        for _ in range(40):
            seconds = rate_limits.wait("deed", "ada", "")
            if seconds:
                assert 1 <= seconds <= 120
                clock(seconds)
                assert rate_limits.wait("deed", "ada", "") == 0


def test_all_who_come_without_a_cookie_from_one_address_are_one_visitor(clock: Clock) -> None:
    clock(0)
    with only(deed="10/100"):
        assert passed(25, "deed", "") == 10
        assert passed(25, "deed", "ada") == 10
        assert passed(25, "deed", "", "192.0.2.9") == 10


def test_what_is_computed_is_charged_and_then_one_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    who = "ada", "192.0.2.1"
    with only(work="6000/12000"):
        rate_limits.charge(*who, 4.0)
        assert not rate_limits.overdrawn(*who)
        rate_limits.charge(*who, 3.0)
        assert rate_limits.overdrawn(*who) == 10, "a second of work, a tenth of which comes back in a second"
        assert not rate_limits.overdrawn("bob", "192.0.2.1")
        now[0] += 10
        assert not rate_limits.overdrawn(*who)
        rate_limits.charge(*who, 3600.0)
        assert rate_limits.overdrawn(*who) == 60, "the debt has an end"
        for number in range(10):
            rate_limits.charge(f"guest {number}", "192.0.2.9", 2.0)
        assert rate_limits.overdrawn("bob", "192.0.2.9"), "all of an address together"
        assert not rate_limits.overdrawn("bob", "192.0.2.8")


def test_an_overdrawn_visitor_is_asked_to_wait_and_others_are_not() -> None:
    with only(work="1000/0"):
        assert browser("ada").get("/about").status_code == 200
        rate_limits.charge("ada", "127.0.0.1", 2.0)
        answer = browser("ada").get("/about")
        assert (answer.status_code, int(answer["Retry-After"]) >= 1) == (429, True)
        assert browser("bob").get("/about").status_code == 200


def test_what_a_connection_makes_the_site_compute_is_charged_and_moves_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, charged = seated(), Counter[str]()

    def charge(visitor: str, _address: str, seconds: float) -> None:
        assert seconds > 0
        charged[visitor] += 1

    monkeypatch.setattr(rate_limits, "charge", charge)

    async def story() -> None:
        ada, bob, eve = (PageConnection(table, name) for name in ("ada", "bob", "eve"))
        for page in (ada, bob, eve):
            assert await page.open()
            await page.hear()
        assert charged == {"ada": 1, "bob": 1, "eve": 1}, "the first screen"
        assert (await ada.ask(do="move", seat=0, move="a1", version=4)).get("ok")
        await bob.hear()
        await eve.hear()
        assert charged == {"ada": 1, "bob": 1, "eve": 2}, "whoever plays does not pay for moves"
        assert "refused" in await bob.ask(do="nonsense")
        assert "refused" in await ada.ask(do="sit", seat=0)
        assert charged == {"ada": 3, "bob": 2, "eve": 2}, "a command, and the screen that is sent again"
        await bob.send('{"unfolded": true}')
        await bob.hear()
        assert charged["bob"] == 3
        for page in (ada, bob, eve):
            await page.close()

    run(story)


def test_who_is_overdrawn_can_still_move_and_cannot_connect_or_look() -> None:
    table = seated()

    async def story() -> None:
        ada = PageConnection(table, "ada")
        assert await ada.open()
        await ada.hear()
        rate_limits.charge("ada", "192.0.2.1", 2.0)
        for message in ({"unfolded": True}, {"look": 0}, {"do": "undo", "seat": 0}):
            assert (await ada.ask(**message))["code"] == "too-often"
        assert not await PageConnection(table, "ada").open()
        assert (await ada.ask(do="move", seat=0, move="a1", version=4)).get("ok")
        other = PageConnection(table, "bob")
        assert await other.open()
        await ada.close()
        await other.close()

    with only(work="1000/0"):
        run(story)


def test_who_only_looks_and_is_overdrawn_is_told_later(monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked = seated(), list[str]()

    def overdrawn(visitor: str, _address: str) -> int:
        asked.append(visitor)
        return int(visitor == "eve")

    async def story() -> None:
        ada, bob, eve = (PageConnection(table, name) for name in ("ada", "bob", "eve"))
        for page in (ada, bob, eve):
            assert await page.open()
            await page.hear()
        monkeypatch.setattr(rate_limits, "overdrawn", overdrawn)
        assert (await ada.ask(do="move", seat=0, move="a1", version=4)).get("ok")
        assert (await bob.hear())["version"] == 5
        assert (await bob.ask(do="move", seat=1, move="g4", version=5)).get("ok")
        while (await eve.hear())["version"] != 6:
            pass
        assert set(asked) == {"eve"}, "who plays is not asked"
        for page in (ada, bob, eve):
            await page.close()

    run(story)


def spin(seconds: float) -> float:
    """Take so much of a core, in a worker process."""
    since = time.process_time()
    while time.process_time() - since < seconds:
        pass
    return seconds


def computed(urgency: pool.Urgency) -> float:
    with asked_from("192.0.2.1"), pool.with_urgency(urgency):
        return pool.making.ask(compute_spinning)


def compute_spinning() -> float:
    return pool.making.compute(spin, 0.5)


@pytest.mark.skipif(pool.scaled(), reason="workers cannot refuse")
def test_whoever_had_worker_processes_compute_much_asks_for_nothing_more() -> None:
    with only(compute="0/400"):
        for urgency in (pool.Urgency.TURN, pool.Urgency.AHEAD):
            assert computed(urgency) == computed(urgency), "nobody asked"
        computed(pool.Urgency.ASKED)
        for urgency in (pool.Urgency.ASKED, pool.Urgency.AHEAD):
            with pytest.raises(TooManyJobs):
                computed(urgency)
        computed(pool.Urgency.TURN)
        with asked_from("192.0.2.2"):
            pool.making.ask(compute_spinning)
        assert browser("ada").get("/about").status_code == 200, "pages are another matter"


@pytest.mark.skipif(pool.scaled(), reason="workers cannot refuse")
def test_a_replay_can_be_read_without_being_analysed() -> None:
    table = seated("hepta", 2)
    table.play_randomly()
    with only(compute="0/400"):
        rate_limits.charge("", "127.0.0.1", 1.0, "compute")
        assert browser("ada").get(f"/replay/{table.id}").status_code == 200
    assert Replay.objects.get().claimed is None


def test_an_address_counts_for_all_who_share_it(clock: Clock) -> None:
    clock(0)
    with only(deed="0/10"):
        assert sum(passed(4, "deed", name, "192.0.2.7") for name in ("ada", "bob", "cleo", "")) == 10
        assert passed(4, "deed", "ada", "192.0.2.8") == 4


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("", "/run/socket", True),
    ],
)
def test_addresses_of_one_household_are_one(one: str, other: str, same: bool) -> None:
    assert (rate_limits.network(one) == rate_limits.network(other)) == same


def test_a_club_behind_one_address_notices_nothing(clock: Clock) -> None:
    """Eighty people who play fast, each with two pages open that ask and draw ghosts, and set tables."""
    with override_settings(LIMITS=""):
        for second in range(61):
            for person in range(80):
                who = f"person {person}"
                assert passed(1, "page", who) == 1
                assert second % 2 or passed(1, "deed", who) == 1
                assert second % 20 or passed(1, "socket", who) == 1
                assert second % 60 or passed(1, "table", who) == 1
            clock(1)


def test_a_cache_that_is_away_stops_nobody(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def away(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(rate_limits, "_shared_store", away)
    caplog.set_level("WARNING", "ludotheque")
    with only(deed="1/1"):
        assert passed(5, "deed") == 5
    assert "requests are not counted" in caplog.text


@pytest.mark.parametrize("wanted", ["deed", "deed=5", "deed=5/x", "dead=5/5", "deed=-1/5"])
def test_limits_that_make_no_sense_are_refused(wanted: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="LUDOTHEQUE_LIMITS"):
        rate_limits.read(wanted)


def test_limits_as_a_keeper_writes_them() -> None:
    wanted = rate_limits.read("table=5/50, deed=0/7")
    assert wanted["table"] == rate_limits.Limit(5, 50, rate_limits.HOUR_S)
    assert wanted["deed"] == rate_limits.Limit(0, 7, rate_limits.MINUTE_S)
    assert wanted["page"] == rate_limits.USUAL["page"]


# Requests


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_pages_ask_to_wait(lang: str) -> None:
    person = Client(headers={"accept-language": lang})
    with only(page="0/2"):
        answers = [person.get("/about") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 1 <= int(answers[2]["Retry-After"]) <= 120
    assert words.say(None, lang, "web", "too-often") in answers[2].text
    assert "Content-Security-Policy" in answers[2]


def test_deeds_by_script_and_by_form_ask_to_wait_and_change_nothing() -> None:
    table = seated("hepta", 2)
    move = {"do": "move", "seat": 0, "move": "d4", "version": table.state.version}
    with only(deed="1/0"):
        browser("ada").post("/settings")
        for kind in ("application/json", "multipart/form-data; boundary=x"):
            answer = browser("ada").post(f"/t/{table.id}/do", json.dumps(move), content_type=kind)
            assert answer.status_code == 429
        assert browser("ada").post(f"/t/{table.id}/do", move, "application/json").json()["code"] == "too-often"
        assert browser("bob").post("/settings").status_code == 302
    assert table.match.events == []


@pytest.mark.parametrize(
    ("name", "method", "path"),
    [
        ("table", "post", "/games/hepta/new"),
        ("hint", "get", "/t/{table}/hint"),
        ("booklet", "post", "/puzzles/booklet"),
        ("make", "get", "/t/{table}/preview.png"),
        ("link", "post", "/t/{table}/link"),
        ("seat", "get", "/seat/guess"),
        ("login", "post", "/admin/login/"),
        ("deed", "post", "/games/hepta/lesson/1"),
        ("page", "get", "/nothing/at/all"),
    ],
)
def test_each_entrance_has_its_own_limit(name: str, method: str, path: str) -> None:
    table = seated("hepta", 2)
    with only(**{name: "2/0"}):
        codes = [browser("ada").generic(method.upper(), path.format(table=table.id)).status_code for _ in range(3)]
    assert codes[2] == 429
    assert 429 not in codes[:2]


def test_dear_views_exist() -> None:
    names = {str(name) for name in get_resolver().reverse_dict} | {"admin:login"}
    assert {name for _, name in rate_limits.EXPENSIVE} <= names
    assert set(rate_limits.EXPENSIVE.values()) < set(rate_limits.USUAL)


def test_a_rematch_is_a_new_table() -> None:
    table = seated("hepta", 2)
    browser("ada").post(f"/t/{table.id}/do", {"do": "resign", "seat": 0})
    with only(table="0/1"):
        rate_limits.wait("table", "", "127.0.0.1")
        reply = browser("ada").post(f"/t/{table.id}/do", {"do": "rematch"}, "application/json").json()
    assert reply["code"] == "too-often"
    assert Table.objects.count() == 1


# Before Django is asked


class Answer(dict[str, Any]):
    """What the application answers to one request."""


def ask(
    path: str,
    *parts: bytes,
    headers: Mapping[bytes, bytes] = {},
    query: bytes = b"",
    slow: bool = False,
) -> Answer:
    """A request as a server hands it over, its body in parts."""
    messages: list[MutableMapping[str, object]] = [
        {"type": "http.request", "body": part, "more_body": True} for part in parts
    ] or [{"type": "http.request", "body": b""}]
    messages[-1]["more_body"] = False
    answer = Answer(body=b"")

    async def receive() -> Mapping[str, object]:
        if slow or not messages:
            await asyncio.sleep(30)
        return messages.pop(0)

    async def send(message: Mapping[str, object]) -> None:
        answer.update({name: value for name, value in message.items() if name != "body"})
        answer["body"] += message.get("body", b"")

    scope = {
        "type": "http",
        "method": "POST" if parts else "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": [(b"host", b"localhost"), *headers.items()],
        "client": ("192.0.2.1", 1),
    }

    async def story() -> None:
        await application(scope, receive, send)

    run(story)
    return answer


def test_bodies_addresses_and_patience_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    big = b"x" * (request_size.MAX_BODY_BYTES // 2 + 1)
    assert ask("/settings", big, big)["status"] == 413
    assert ask("/settings", b"x", headers={b"content-length": b"99999999999"})["status"] == 413
    assert ask("/settings", b"x", headers={b"content-length": b"-5"})["status"] == 413
    assert ask("/", query=b"x" * 3000)["status"] == 414
    assert ask("/" + "x" * 3000)["status"] == 414
    monkeypatch.setattr(request_size, "BODY_TIMEOUT_S", 0.05)
    slow = ask("/settings", b"x", slow=True)
    assert slow["status"] == 408
    assert "trop de temps" in slow["body"].decode()
    assert ask("/about")["status"] == 200


@pytest.mark.parametrize(("sent", "read"), [(3, 3), (100, 5)])
def test_who_still_sends_too_much_is_listened_to_for_a_while(sent: int, read: int) -> None:
    part, taken = b"x" * (request_size.MAX_DISCARDED_BYTES // 4), list[int]()

    async def receive() -> Mapping[str, object]:
        taken.append(len(part))
        return {"type": "http.request", "body": part, "more_body": len(taken) < sent}

    async def send(message: Mapping[str, object]) -> None:
        assert message.get("status", 413) == 413

    scope = {"type": "http", "path": "/replay", "query_string": b"", "headers": []}
    run(lambda: request_size.limit_size(application)(scope, receive, send))
    assert len(taken) == read


@pytest.mark.parametrize(
    ("path", "query", "body"),
    [
        ("/t/a\0b", b"", ()),
        ("/", b"players=%00", ()),
        ("/settings", b"", (b"back=%00",)),
        ("/settings", b"", (b"back=/\0",)),
        ("/t/x/do", b"", (b'{"do": "\\u0000"}',)),
    ],
)
def test_what_no_database_can_store_is_refused_at_the_door(path: str, query: bytes, body: tuple[bytes, ...]) -> None:
    answer = ask(path, *body, query=query)
    assert answer["status"] == 400
    assert words.say(None, "fr", "web", "unreadable") in answer["body"].decode()


def test_many_fields_are_refused() -> None:
    assert Client().post("/games/hepta/new", {f"field-{number}": "" for number in range(200)}).status_code == 400
    assert not Table.objects.exists()


# Live tables


def test_a_line_that_talks_too_much_is_answered_and_then_closed() -> None:
    table = seated("hepta", 2)

    async def story() -> None:
        ada, bob = PageConnection(table, "ada"), PageConnection(table, "bob")
        assert await ada.open()
        assert await bob.open()
        await ada.hear()
        await bob.hear()
        for _ in range(3):
            assert (await ada.ask(do="nonsense"))["code"] == "bad-message"
        refused = await ada.ask(do="move", seat=0, move="d4", version=3)
        assert refused["code"] == "too-often"
        assert int(str(refused["wait"])) >= 1
        assert await bob.silent(), "nobody else notices"
        assert (await bob.ask(do="nonsense"))["code"] == "bad-message"
        for _ in range(20):
            await ada.send('{"look": 1}')
        while (event := await ada.event())["type"] != "websocket.close":
            assert "too-often" in str(event["text"])
        assert event["code"] == 4429
        await bob.close()

    with only(deed="3/0"):
        run(story)
    assert table.match.events == []


@pytest.mark.parametrize("who", ["visitor", "address"])
@pytest.mark.parametrize("name", ["socket", "sockets"])
def test_so_many_lines_and_no_more(who: str, name: str) -> None:
    table = seated("hepta", 2)

    async def story() -> None:
        first, second = PageConnection(table, "ada"), PageConnection(table, "ada")
        assert await first.open()
        assert await second.open()
        third = PageConnection(table, "ada")
        await third.sent.put({"type": "websocket.connect"})
        refused = await third.event()
        assert (refused["type"], refused["status"]) == ("websocket.http.response.start", 429)
        other = PageConnection(table, "bob", address="192.0.2.2")
        assert await other.open()
        for line in (first, second, other):
            await line.close()
        again = PageConnection(table, "ada")
        assert await again.open() == (name == "sockets"), "who has left makes room"
        await again.close()

    with only(**{name: "2/0" if who == "visitor" else "0/2"}):
        run(story)
    assert not rate_limits._open


@pytest.mark.usefixtures("clock")
def test_only_those_who_come_often_are_counted_together() -> None:
    with override_settings(LIMITS="deed=300/6000"):
        assert [rate_limits.within_local_share("deed", "ada", "192.0.2.7") for _ in range(32)] == [True] * 30 + [
            False
        ] * 2
        assert rate_limits.within_local_share("deed", "bob", "192.0.2.7")
