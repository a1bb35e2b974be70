"""Several processes that are one house by themselves, without Redis."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil
import pytest
from websockets.asyncio.client import connect

import services
from scale.houses import CSRF, House, head, holder, serving

SET_COMPUTER = """
import sys
from ludotheque.web.server import serve
serve.wake_up()
from ludotheque.web.table import actions
from ludotheque.web.visitors import COOKIE, sign
actions.listeners.clear()  # nobody here is to think
person = int(sys.argv[1])
table = actions.open_table("hepta", 2, {"legs": 1})
actions.sit(table.id, "ada", person, "Ada")
actions.seat_computer(table.id, "ada", 1 - person, "1")
print(table.id, f"{COOKIE}={sign('ada')}")
"""
SOON = 1.5  # seconds; whoever has heard nothing looks after 3
Serving = subprocess.Popen[str]


def set_computer(house: House, person: int) -> tuple[str, str]:
    """A table with a person at this seat and a computer player at the other."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", SET_COMPUTER, str(person)],
        env=house.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    table, cookie = done.stdout.split()
    return table, f"{cookie}; csrftoken={CSRF}"


@contextmanager
def line_to(house: House, process: Serving, wanted: set[int]) -> Iterator[HTTPConnection]:
    """A connection that one of these processes has: whoever is free takes them, so it is tried until it is so."""
    lines: list[HTTPConnection] = []
    end = time.monotonic() + 30
    try:
        while not lines or holder(process, lines[-1].sock.getsockname()[1]) not in wanted:
            assert time.monotonic() < end, "it takes none"
            lines.append(HTTPConnection("127.0.0.1", house.port, timeout=30))
            lines[-1].request("GET", "/health")
            assert lines[-1].getresponse().read()
        yield lines[-1]
    finally:
        for line in lines:
            line.close()


def post(line: HTTPConnection, table: str, cookie: str, message: dict[str, object]) -> dict[str, object]:
    headers = {"Cookie": cookie, "Content-Type": "application/json", "X-CSRFToken": CSRF}
    line.request("POST", f"/t/{table}/do", json.dumps(message), headers)
    answer: dict[str, object] = json.loads(line.getresponse().read())
    return answer


def look(house: House, table: str, cookie: str) -> dict[str, object]:
    """What a page shows."""
    return house.ask(f"/t/{table}/screen?version=-1", cookie)[1]


def move_at(screen: dict[str, object], name: str) -> dict[str, object]:
    """The first move that one may make there."""
    return {"id": name, "do": "move", "seat": 0, "move": moves(screen)[0], "version": screen["version"]}


def moves(screen: dict[str, object]) -> list[str]:
    """What one may do, as a page is told it."""
    told = screen["moves"]
    assert isinstance(told, list)
    return [move if isinstance(move, str) else move[0] for move in told]


def until(true: Callable[[], bool], what: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@pytest.mark.parametrize("kept_in", ["sqlite", "postgresql"])
def test_pages_hear_at_once_of_what_is_done_in_another_process(house: Callable[..., House], kept_in: str) -> None:
    postgres = None
    if kept_in == "postgresql":
        if services.missing():
            pytest.skip(f"there is no {' and no '.join(services.missing())}")
        postgres = services.Postgres(durable=False)
        postgres.start()
    made = house(DATABASE_URL=postgres.url if postgres else "", LUDOTHEQUE_SWEEP="60")
    try:
        process = made.open("--workers", "2")
        table, cookie = made.set_table()
        took = asyncio.run(_watch_moves(made, process, table, cookie))
        assert max(took) < SOON, took
        assert made.ask("/ready")[1]["missing"] == []
        pages = [made.read("/metrics")[1] for _ in range(8)]  # some by each
        assert all('ludotheque_moves_total{who="person"} 5.0' in page for page in pages)
        assert all('ludotheque_queue_length{line="thinking"} 0.0' in page for page in pages)
    finally:
        if postgres:
            postgres.close()


async def _watch_moves(made: House, process: Serving, table: str, cookie: str) -> list[float]:
    """Seconds from each of some moves, made elsewhere, until a page has it."""
    headers = {"Cookie": cookie, "Origin": "http://127.0.0.1"}
    where = f"ws://127.0.0.1:{made.port}/live/{table}?lang=en&version=-1&seat=-1"
    took = []
    async with connect(where, additional_headers=headers, max_size=None) as page:
        version = json.loads(await page.recv())["version"]
        here = holder(process, page.local_address[1])
        with line_to(made, process, {*serving(process)} - {here}) as elsewhere:
            for move in ("a1", "b2", "c3", "d4", "e5"):
                message = {"id": move, "do": "move", "seat": 0, "move": move, "version": version}
                begun = time.monotonic()
                assert await asyncio.to_thread(post, elsewhere, table, cookie, message) == {"ok": True}
                told = version
                while told == version:
                    told = json.loads(await asyncio.wait_for(page.recv(), 20))["version"]
                took.append(time.monotonic() - begun)
                version = told
        figures = (await asyncio.to_thread(made.read, "/metrics"))[1]
        assert "ludotheque_connections 1.0" in figures
    return took


def test_computer_players_answer_whoever_is_killed_and_nobody_stays_behind(house: Callable[..., House]) -> None:
    made = house(LUDOTHEQUE_THINKER="mover:anything", LUDOTHEQUE_PACE="0", LUDOTHEQUE_SWEEP="2")
    process = made.open("--workers", "2")
    first = serving(process)
    table, cookie = set_computer(made, 0)
    stored = 0
    while 'id="after"' not in str((screen := look(made, table, cookie))["html"]):
        if moves(screen):
            _insist(made, table, cookie, move_at(screen, f"m{stored}"))
            stored += 1
            if stored in (3, 9):
                psutil.Process(first.pop()).kill()
        else:
            time.sleep(0.02)
    assert not first, "both were killed, one after the other"
    until(lambda: len(serving(process)) == 2, "they were not replaced")
    _sweeps(made)
    before = set(serving(process))
    head(process).send_signal(signal.SIGHUP)
    until(lambda: len(serving(process)) == 2 and not set(serving(process)) & before, "they were not replaced")
    _sweeps(made)
    family = head(process).children(recursive=True)
    assert len(family) > 3, "somebody thinks"
    folder = Path(psutil.Process(serving(process)[0]).environ()["LUDOTHEQUE_TOGETHER"])
    assert folder.is_dir()
    head(process).send_signal(signal.SIGTERM)
    _, alive = psutil.wait_procs(family, 20)
    assert alive == []
    until(lambda: process.poll() is not None, "it goes on", 20)
    assert not folder.exists()


def _insist(made: House, table: str, cookie: str, message: dict[str, object]) -> None:
    """As a page does: the same again until it is answered; it counts once."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(OSError, HTTPException):
            assert made.ask(f"/t/{table}/do", cookie, message) == (200, {"ok": True})
            return
        time.sleep(0.1)
    pytest.fail("no answer")


def _sweeps(made: House) -> None:
    """Somebody looks for turns that nobody took."""
    table, cookie = set_computer(made, 1)
    begun = look(made, table, cookie)["version"]
    until(lambda: look(made, table, cookie)["version"] != begun, "nobody looks")


def test_a_turn_is_taken_by_the_process_that_has_the_move_before_it(house: Callable[..., House]) -> None:
    made = house(LUDOTHEQUE_THINKER="mover:anything", LUDOTHEQUE_PACE="0", LUDOTHEQUE_SWEEP="600")
    process = made.open("--workers", "2")
    for asked in serving(process):
        table, cookie = set_computer(made, 0)
        with line_to(made, process, {asked}) as line:
            for number in range(8):  # blockers first, then both in turn
                until(partial(_may_move, made, table, cookie), "it does not answer")
                message = move_at(look(made, table, cookie), f"m{number}")
                assert post(line, table, cookie, message) == {"ok": True}
    _, page = made.read("/metrics")
    found = re.search(r'ludotheque_moves_total{who="computer"} (\d+)', page)
    assert found, page
    assert int(found[1]) >= 2


def _may_move(made: House, table: str, cookie: str) -> bool:
    return bool(moves(look(made, table, cookie)))


def test_without_the_one_who_looks_after_them_the_processes_leave(house: Callable[..., House]) -> None:
    made = house()
    process = made.open("--workers", "2")
    family = head(process).children(recursive=True)
    head(process).kill()
    _, alive = psutil.wait_procs(family, 20)
    assert alive == []
