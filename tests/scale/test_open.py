"""Opening and closing a house, by itself and as many processes."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

import services
from crowd.house import House as Pages
from crowd.pairs import Seats
from scale.houses import SET_COMPUTER, House, Reply, head, holder


@pytest.mark.parametrize(
    ("words", "environment", "told"),
    [
        (["work"], {}, "REDIS_URL"),
        (["serve"], {"DATABASE_URL": "mysql://localhost/x"}, "must begin with postgresql://"),
        (["serve"], {"DATABASE_URL": "postgresql://%zz"}, "not an address of PostgreSQL"),
    ],
)
def test_what_cannot_work_is_said_in_one_sentence(
    house: Callable[..., House], words: list[str], environment: dict[str, str], told: str
) -> None:
    done = house(**environment).run(*words)
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_who_is_told_to_stop_sends_pages_away_in_a_way_that_they_come_back(house: Callable[..., House]) -> None:
    made = house()
    process = made.open()
    table, cookie = made.set_table()

    async def visit() -> int | None:
        headers = {"Cookie": cookie, "Origin": "http://127.0.0.1"}
        address = f"ws://127.0.0.1:{made.port}/live/{table}?lang=en&version=-1&seat=-1"
        async with connect(address, additional_headers=headers, max_size=None) as socket:
            version = json.loads(await socket.recv())["version"]
            process.send_signal(signal.SIGTERM)
            try:
                await socket.send(json.dumps({"id": "a", "do": "move", "seat": 0, "move": "d4", "version": version}))
                while True:
                    await asyncio.wait_for(socket.recv(), 20)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None

    assert asyncio.run(visit()) == 1012, "service restart"
    assert process.wait(20) in (0, 124)  # 124 is how `timeout` passes it on


def test_many_processes_are_one_house_and_live_without_redis(
    house: Callable[..., House], both: tuple[services.Postgres, services.Redis]
) -> None:
    postgres, redis = both
    made = house(DATABASE_URL=postgres.url, REDIS_URL=redis.url)
    process = made.open("--workers", "2")
    table, cookie = made.set_table()
    address = f"/t/{table}/do"
    _, first = made.ask(f"/t/{table}/screen?version=-1", cookie)
    version = first["version"]
    for number, move in enumerate(("a1", "b2")):
        body = {"id": f"m{number}", "do": "move", "seat": 0, "move": move, "version": version}
        assert made.ask(address, cookie, body) == (200, {"ok": True})
        version = made.ask(f"/t/{table}/screen?version=-1", cookie)[1]["version"]
    # Redis dies: moves are stored all the same, and whoever asks is told what is missing.
    redis.kill()
    body = {"id": "m2", "do": "move", "seat": 0, "move": "c3", "version": version}
    assert made.ask(address, cookie, body) == (200, {"ok": True})
    assert made.ask(address, cookie, body) == (200, {"ok": True}), "sent twice, counted once"
    status, told = made.ask("/ready")
    assert (status, told["ready"]) == (200, True)
    assert "redis" in str(told["missing"])
    # One process after the other is replaced.
    redis.start()
    head(process).send_signal(signal.SIGHUP)
    version = made.ask(f"/t/{table}/screen?version=-1", cookie)[1]["version"]
    for number, move in enumerate(("d4", "e5", "f6"), 3):
        body = {"id": f"m{number}", "do": "move", "seat": 0, "move": move, "version": version}
        assert made.ask(address, cookie, body)[1].get("ok")
        version = made.ask(f"/t/{table}/screen?version=-1", cookie)[1]["version"]


def test_everybody_of_a_table_comes_to_the_same_process(
    house: Callable[..., House], both: tuple[services.Postgres, services.Redis]
) -> None:
    postgres, redis = both
    made = house(DATABASE_URL=postgres.url, REDIS_URL=redis.url)
    process = made.open("--workers", "2")
    pages = Pages([made.port])
    tables = [pages.open() for _ in range(6)]

    async def visit(lines: AsyncExitStack, table: str, cookie: str) -> int:
        """Who answers."""
        where = f"ws://127.0.0.1:{made.port}/live/{table}?lang=en&version=-1&seat=-1"
        headers = {"Cookie": f"visitor={cookie}", "Origin": "http://127.0.0.1"}
        line = await lines.enter_async_context(connect(where, additional_headers=headers, max_size=None))
        assert json.loads(await asyncio.wait_for(line.recv(), 20))["version"] > 0
        return holder(process, line.local_address[1])

    async def visit_all(some: list[Seats] = tables) -> list[set[int]]:
        async with AsyncExitStack() as lines:
            return [{await visit(lines, table, cookie) for cookie in cookies * 2} for table, cookies in some]

    before = asyncio.run(visit_all())
    assert [len(who) for who in before] == [1] * len(tables), "four lines to each table, all to one process"
    victim, *others = {who for [who] in before}
    assert len(others) == 1, "and both have tables"
    os.kill(victim, signal.SIGKILL)
    orphans = [tables[before.index({victim})]]
    end, found = time.monotonic() + 60, [set(others)]
    while found == [set(others)]:
        assert time.monotonic() < end, "nobody has taken the place of whoever died"
        with suppress(InvalidMessage):  # handed to whoever was dying; a page comes back
            found = asyncio.run(visit_all(orphans))
    after = asyncio.run(visit_all())
    assert [len(who) for who in after] == [1] * len(tables)
    assert [who == {others[0]} for who in after] == [who == {others[0]} for who in before], "the heir has its tables"


def test_while_postgresql_is_away_everybody_is_told_to_come_back(
    house: Callable[..., House], both: tuple[services.Postgres, services.Redis]
) -> None:
    postgres, redis = both
    made = house(DATABASE_URL=postgres.url, REDIS_URL=redis.url)
    made.open("--workers", "2")
    table, cookie = made.set_table()
    address, move = f"/t/{table}/do", {"id": "m", "do": "move", "seat": 0, "move": "a1", "version": 3}

    async def visit() -> tuple[int | None, int]:
        """What a page that is open is told, and one that comes."""
        where = f"ws://127.0.0.1:{made.port}/live/{table}?lang=en&version=-1&seat=-1"
        headers = {"Cookie": cookie, "Origin": "http://127.0.0.1"}
        code = None
        async with connect(where, additional_headers=headers, max_size=None) as socket:
            await socket.recv()
            await asyncio.to_thread(postgres.kill)
            try:
                await socket.send(json.dumps(move))
                while True:
                    await asyncio.wait_for(socket.recv(), 40)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
        with pytest.raises(InvalidStatus) as refused:
            await connect(where, additional_headers=headers)
        return code, refused.value.response.status_code

    assert asyncio.run(visit()) == (1013, 503)
    took = []
    for lang, sentence in (("en", "We are back in a moment"), ("fr", "Nous revenons dans un instant")) * 3:
        began = time.monotonic()
        reply, page = made.read(f"/t/{table}", f"{cookie}; language={lang}")
        assert (reply.status, reply.headers["Retry-After"]) == (503, "5")
        assert sentence in page
        assert "Traceback" not in page
        took.append(time.monotonic() - began)
    assert max(took) < 6, "it is soon known"
    assert sorted(took)[len(took) // 2] < 2, "nobody waits any more once it is"
    status, told = made.ask(address, cookie, move)
    assert (status, told["code"], told["wait"]) == (503, "away", 5)
    status, told = made.ask("/ready")
    assert (status, told["ready"]) == (503, False)
    assert "database" in str(told["missing"])
    postgres.start()
    answers = _asked_again(lambda: made.ask(address, cookie, move), seconds=60)
    assert {status for status, _ in answers[:-1]} <= {503}
    assert answers[-1] == (200, {"ok": True}), "what was not answered is sent again"
    assert _asked_again(lambda: made.ask("/ready"), seconds=60)[-1][0] == 200


def test_workers_tell_their_own_figures(
    house: Callable[..., House], both: tuple[services.Postgres, services.Redis]
) -> None:
    postgres, redis = both
    made = house(DATABASE_URL=postgres.url, REDIS_URL=redis.url, LUDOTHEQUE_THINKER="mover:anything")
    worker = made.start("work", "--processes", "1", "--metrics-port", "0")
    assert worker.stdout is not None
    found = re.search(r"http://127.0.0.1:(\d+)/metrics", worker.stdout.readline() + worker.stdout.readline())
    assert found, "it did not say where"
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", SET_COMPUTER], env=made.environment, capture_output=True, text=True, check=True
    )
    made.port = int(found[1])
    end = time.monotonic() + 60
    while time.monotonic() < end:
        _, page = made.read("/metrics")
        if 'ludotheque_moves_total{who="computer"}' in page and "ludotheque_thinking_seconds_count" in page:
            break
        time.sleep(0.5)
    else:
        pytest.fail(page)
    assert "ludotheque_tables" not in page, "what the database knows is told by the servers"
    taken = made.run("work", "--metrics-port", found[1])
    assert taken.returncode == 1
    assert f"Port {found[1]} cannot be opened" in taken.stderr


def _asked_again(ask: Callable[[], Reply], seconds: float) -> list[Reply]:
    """The answers until one is not that we should come back: each of the processes finds PostgreSQL by itself."""
    end, answers = time.monotonic() + seconds, [ask()]
    while answers[-1][0] == 503 and time.monotonic() < end:
        time.sleep(0.5)
        answers.append(ask())
    return answers
