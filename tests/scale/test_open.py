"""Starting and stopping one process, and what `serve` and `work` refuse."""

import asyncio
import json
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import services
from scale.sites import Site, ask_over
from waiting import TIMEOUT_S, until


@pytest.mark.parametrize(
    ("words", "environment", "told"),
    [
        (["work"], {}, "REDIS_URL"),
        (["serve"], {"DATABASE_URL": "mysql://localhost/x"}, "must begin with postgresql://"),
        (["serve"], {"DATABASE_URL": "postgresql://%zz"}, "not an address of PostgreSQL"),
        (["serve", "--workers", "2"], {}, "each with its own --port or --uds, behind a proxy: docs/guides/keep.md"),
    ],
)
def test_what_cannot_work_is_said_in_one_sentence(
    site: Callable[..., Site], words: list[str], environment: dict[str, str], told: str
) -> None:
    done = site(**environment).run(*words)
    assert done.returncode in (1, 2)
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stderr.strip().count(". ") <= 1


def test_one_worker_is_what_serve_is_and_old_settings_are_ignored_with_a_notice(site: Callable[..., Site]) -> None:
    made = site(LUDOTHEQUE_TOGETHER="/nowhere", LUDOTHEQUE_LOG="WARNING")
    done = made.run("serve", "--workers", "1", "--set-up-only")
    assert done.returncode == 0
    assert "LUDOTHEQUE_TOGETHER is ignored" in done.stderr


def test_a_second_process_with_the_same_data_is_refused_while_the_first_lives(site: Callable[..., Site]) -> None:
    made = site()
    made.open()
    refused = made.run("serve", "--port", "0")
    assert (refused.returncode, "open already" in refused.stderr) == (1, True)
    made.kill(made.port)
    assert made.open().poll() is None


def test_a_process_that_is_told_to_stop_closes_connections_so_that_pages_come_back(site: Callable[..., Site]) -> None:
    made = site()
    process = made.open()
    table, cookie = made.set_table()

    async def visit() -> int | None:
        headers = made.page(cookie)
        async with connect(made.live(table), additional_headers=headers, max_size=None) as page:
            version = json.loads(await page.recv())["version"]
            process.send_signal(signal.SIGTERM)
            try:
                await page.send(json.dumps({"id": "a", "do": "move", "seat": 0, "move": "d4", "version": version}))
                while True:
                    await asyncio.wait_for(page.recv(), TIMEOUT_S)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None

    assert asyncio.run(visit()) == 1012, "service restart"
    assert process.wait(TIMEOUT_S) in (0, 124)  # 124 is how `timeout` passes it on


def test_a_unix_socket_serves_a_proxy_whose_headers_are_believed(site: Callable[..., Site], tmp_path: Path) -> None:
    made, path = site(LUDOTHEQUE_WATCHERS="192.0.2.7"), tmp_path / "socket"
    process = made.start("serve", "--uds", str(path))
    assert process.stdout is not None
    assert f"unix:{path}" in process.stdout.readline()
    request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: {}\r\n\r\n"
    assert ask_over(path, request.format("192.0.2.7")).startswith("HTTP/1.1 200")
    assert ask_over(path, request.format("192.0.2.8")).startswith("HTTP/1.1 404")


def test_workers_tell_their_own_metrics(
    site: Callable[..., Site], backends: tuple[services.Postgres, services.Redis]
) -> None:
    postgres, redis = backends
    made = site(
        DATABASE_URL=postgres.url, REDIS_URL=redis.url, LUDOTHEQUE_THINKER="mover:anything", LUDOTHEQUE_SWEEP="1"
    )
    worker = made.start("work", "--processes", "1", "--metrics-port", "0")
    assert worker.stdout is not None
    found = re.search(r"http://127.0.0.1:(\d+)/metrics", worker.stdout.readline() + worker.stdout.readline())
    assert found, "it did not say where"
    made.set_computer(1)
    made.port = int(found[1])
    page = ""

    def has_thought() -> bool:
        nonlocal page
        page = made.read("/metrics")[1]
        return 'ludotheque_moves_total{who="computer"}' in page and "ludotheque_thinking_seconds_count" in page

    until(has_thought, "it does not think")
    assert "ludotheque_tables" not in page, "what the database knows is told by the servers"
    taken = made.run("work", "--metrics-port", found[1])
    assert taken.returncode == 1
    assert f"Port {found[1]} cannot be opened" in taken.stderr
