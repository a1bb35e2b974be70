"""Several processes with PostgreSQL and Redis behind a real nginx, which has the configuration that we document."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

import services
from scale.sites import Reply, Site, first_move, moves
from waiting import TIMEOUT_S, until

POLL_INTERVAL_S = 3  # of `live/subscriptions.py`, for messages that were lost
TABLES = 6


@pytest.fixture
def shared(site: Callable[..., Site], backends: tuple[services.Postgres, services.Redis]) -> Callable[..., Site]:
    """Sites that share the PostgreSQL and the Redis."""
    postgres, redis = backends
    return partial(site, DATABASE_URL=postgres.url, REDIS_URL=redis.url)


async def _play_from(made: Site, table: str, cookie: str, here: int, elsewhere: int) -> list[float]:
    """Seconds from each move, made at one process, until a page connected to another has it."""
    headers = made.page(cookie, here)
    took = []
    async with connect(made.live(table, here), additional_headers=headers, max_size=None) as page:
        version = json.loads(await page.recv())["version"]
        for move in ("a1", "b2", "c3", "d4", "e5"):
            message = {"id": move, "do": "move", "seat": 0, "move": move, "version": version}
            begun = time.monotonic()
            answer = await asyncio.to_thread(made.ask, f"/t/{table}/do", cookie, message, elsewhere)
            assert answer == (200, {"ok": True})
            told = version
            while told == version:
                told = json.loads(await asyncio.wait_for(page.recv(), TIMEOUT_S))["version"]
            took.append(time.monotonic() - begun)
            version = told
        metrics = (await asyncio.to_thread(made.read, "/metrics", "", elsewhere))[1]
        assert "ludotheque_connections 1.0" in metrics, "of both processes together"
        assert 'ludotheque_moves_total{who="person"} 5.0' in metrics
    return took


def test_pages_hear_of_moves_made_in_another_process(shared: Callable[..., Site]) -> None:
    made = shared(LUDOTHEQUE_SWEEP="60")
    here, elsewhere = made.serve(), made.serve()
    table, cookie = made.set_table()
    took = asyncio.run(_play_from(made, table, cookie, here, elsewhere))
    # By polling alone each move after the first would take the whole interval, since it is made right after a poll.
    assert min(took[1:]) < POLL_INTERVAL_S / 2, took


def test_all_requests_of_a_table_go_to_one_process(shared: Callable[..., Site]) -> None:
    made = shared()
    nginx = made.open_behind_nginx()
    tables = [made.set_table() for _ in range(TABLES)]

    async def visit(table: str, cookie: str) -> None:
        headers = made.page(cookie)
        async with connect(made.live(table), additional_headers=headers, max_size=None) as page:
            assert json.loads(await asyncio.wait_for(page.recv(), TIMEOUT_S))["version"] > 0

    for table, cookie in tables:
        asyncio.run(visit(table, cookie))
        assert made.read(f"/t/{table}", cookie)[0].status == 200
        assert made.read(f"/t/{table}/picture.svg", cookie)[0].status == 200
        made.move(table, cookie, first_move(made.screen(table, cookie), "m"))
    until(lambda: sum(each.path.startswith("/live/") for each in nginx.requests()) == TABLES, "not all in the log")
    processes = {table: {each.upstream for each in nginx.requests() if table in each.path} for table, _ in tables}
    assert [len(ports) for ports in processes.values()] == [1] * TABLES
    for number in range(TABLES):
        assert made.read(f"/about?{number}")[0].status == 200
    assert {each.upstream for each in nginx.requests()} == set(made.servers), "both have something to do"
    assert {each.status for each in nginx.requests()} <= {101, 200}


def test_addresses_and_protocol_of_visitors_come_through_the_proxy(shared: Callable[..., Site]) -> None:
    made = shared(LUDOTHEQUE_WATCHERS="198.51.100.7")
    made.open_behind_nginx(1)
    [process] = made.servers
    claimed = {"X-Forwarded-For": "198.51.100.7"}
    direct, _ = made.request("GET", "/metrics", None, claimed, process)
    proxied, _ = made.request("GET", "/metrics", None, claimed, made.port)
    assert direct.status == 200, "from 127.0.0.1, which may be a proxy"
    assert proxied.status == 404, "nginx puts in the real address, whatever a visitor claims"
    too_much, page = made.request("POST", "/replay", "x" * 70_000, {}, made.port)
    assert too_much.status == 413
    assert "C’est trop à la fois" in page, "the site's own answer"
    assert made.request("POST", "/replay", "x" * 200_000, {}, made.port)[0].status == 413


def test_tables_of_a_process_that_dies_go_on_at_the_other(shared: Callable[..., Site]) -> None:
    made = shared()
    nginx = made.open_behind_nginx()
    tables = [made.set_table() for _ in range(TABLES)]
    for table, cookie in tables:
        made.move(table, cookie, first_move(made.screen(table, cookie), "before"))
    homes = {table: next(each.upstream for each in nginx.requests() if table in each.path) for table, _ in tables}
    victim, other = homes[tables[0][0]], next(port for port in made.servers if port != homes[tables[0][0]])

    async def lose_and_come_back(table: str, cookie: str) -> int:
        """What a page does: it notices that the connection is gone, and opens another until one lasts."""
        headers = made.page(cookie)
        async with connect(made.live(table), additional_headers=headers, max_size=None) as page:
            await page.recv()
            await asyncio.to_thread(made.kill, victim)
            await asyncio.wait_for(page.wait_closed(), TIMEOUT_S)
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            with suppress(InvalidHandshake, OSError):
                async with connect(made.live(table), additional_headers=headers, max_size=None) as page:
                    version: int = json.loads(await asyncio.wait_for(page.recv(), TIMEOUT_S))["version"]
                    return version
            await asyncio.sleep(0.1)
        pytest.fail("no connection")

    assert asyncio.run(lose_and_come_back(*tables[0])) > 0
    for table, cookie in tables:
        made.move(table, cookie, first_move(made.screen(table, cookie), "without"))
    last = {table: [each for each in nginx.requests() if table in each.path][-1] for table, _ in tables}
    assert {each.upstream for each in last.values()} == {other}
    # The process is started again: its tables come back to it.
    assert made.serve(victim) == victim

    def is_back() -> bool:
        made.screen(*tables[0])
        return nginx.requests()[-1].upstream == victim

    until(is_back, "nginx does not use it")
    made.move(*tables[0], first_move(made.screen(*tables[0]), "after"))


def test_processes_restart_one_after_the_other_while_people_play(shared: Callable[..., Site]) -> None:
    made = shared()
    made.open_behind_nginx()
    table, cookie = made.set_table()
    for number, port in enumerate(list(made.servers)):
        made.move(table, cookie, first_move(made.screen(table, cookie), f"before {number}"))
        made.restart(port)
        made.move(table, cookie, first_move(made.screen(table, cookie), f"after {number}"))


def test_without_redis_moves_are_stored_and_counted_once(
    shared: Callable[..., Site], backends: tuple[services.Postgres, services.Redis]
) -> None:
    _, redis = backends
    made = shared()
    made.open_behind_nginx()
    table, cookie = made.set_table()
    address = f"/t/{table}/do"
    redis.kill()
    screen = made.screen(table, cookie)
    move = first_move(screen, "m")
    assert made.ask(address, cookie, move) == (200, {"ok": True})
    assert made.ask(address, cookie, move) == (200, {"ok": True}), "sent twice, counted once"
    assert made.screen(table, cookie)["version"] == int(str(screen["version"])) + 1
    status, told = made.ask("/ready")
    assert (status, told["ready"]) == (200, True)
    assert "redis" in str(told["missing"])
    redis.start()
    made.move(table, cookie, first_move(made.screen(table, cookie), "n"))


def test_while_postgresql_is_away_everybody_is_told_to_come_back(
    shared: Callable[..., Site], backends: tuple[services.Postgres, services.Redis]
) -> None:
    postgres, _ = backends
    made = shared()
    made.open_behind_nginx()
    table, cookie = made.set_table()
    address, move = f"/t/{table}/do", {"id": "m", "do": "move", "seat": 0, "move": "a1", "version": 3}

    async def visit() -> tuple[int | None, int]:
        """What a page that is open is told, and one that comes."""
        headers = made.page(cookie)
        code = None
        async with connect(made.live(table), additional_headers=headers, max_size=None) as page:
            await page.recv()
            await asyncio.to_thread(postgres.kill)
            try:
                await page.send(json.dumps(move))
                while True:
                    await asyncio.wait_for(page.recv(), TIMEOUT_S)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
        with pytest.raises(InvalidStatus) as refused:
            await connect(made.live(table), additional_headers=headers)
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
    assert min(took) < 1, "less than the pool's timeout: it is not waited for once it is known to be down"
    status, told = made.ask(address, cookie, move)
    assert (status, told["code"], told["wait"]) == (503, "away", 5)
    status, told = made.ask("/ready")
    assert (status, told["ready"]) == (503, False)
    assert "database" in str(told["missing"])
    postgres.start()
    answers = _ask_again(lambda: made.ask(address, cookie, move))
    assert {status for status, _ in answers[:-1]} <= {503}
    assert answers[-1] == (200, {"ok": True}), "what was not answered is sent again"
    assert _ask_again(lambda: made.ask("/ready"))[-1][0] == 200


def _ask_again(ask: Callable[[], Reply]) -> list[Reply]:
    """The answers until one is not 503: each process finds PostgreSQL by itself."""
    deadline, answers = time.monotonic() + TIMEOUT_S, [ask()]
    while answers[-1][0] == 503 and time.monotonic() < deadline:
        time.sleep(0.5)
        answers.append(ask())
    return answers


def test_computer_players_move_whichever_worker_is_killed(shared: Callable[..., Site]) -> None:
    made = shared(LUDOTHEQUE_THINKER="mover:anything", LUDOTHEQUE_PACE="0", LUDOTHEQUE_SWEEP="2")
    made.open_behind_nginx()
    worker = made.start("work", "--processes", "1")
    table, cookie = made.set_computer(0)
    stored = 0
    while 'id="after"' not in str((screen := made.screen(table, cookie))["html"]):
        if moves(screen):
            made.move(table, cookie, first_move(screen, f"m{stored}"))
            stored += 1
            if stored in (3, 9):
                os.killpg(worker.pid, signal.SIGKILL)
                worker = made.start("work", "--processes", "1")
        else:
            time.sleep(0.02)
    assert stored >= 9, "two workers were killed"
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(TIMEOUT_S) in (0, 124)
