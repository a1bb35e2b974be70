"""Houses that are opened and closed, and what their processes are."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TypeAlias

import psutil

import services

SET_TABLE = """
from ludotheque.web.server import serve
serve.wake_up()
from ludotheque.web.table import actions
from ludotheque.web.visitors import COOKIE, sign
table = actions.open_table("hepta", 2, {})
actions.sit(table.id, "ada", 0, "Ada")
actions.sit(table.id, "bob", 1, "Bob")
print(table.id, f"{COOKIE}={sign('ada')}")
"""
SET_COMPUTER = """
from ludotheque.web.server import serve
serve.wake_up()
from ludotheque.web.table import actions
table = actions.open_table("hepta", 2, {})
actions.sit(table.id, "ada", 1, "Ada")
actions.seat_computer(table.id, "ada", 0, "1")
"""
CSRF = "c" * 32
Reply: TypeAlias = tuple[int, dict[str, object]]
BENCHMARKS = Path(services.__file__).parent  # where `mover` is


class House:
    """Processes of one house."""

    def __init__(self, folder: Path, **environment: str) -> None:
        own = {
            "LUDOTHEQUE_DATA": str(folder),
            "LUDOTHEQUE_LOG": "ERROR",
            "LUDOTHEQUE_WARM_UP": "0",
            "PROMETHEUS_MULTIPROC_DIR": str(folder / "metrics"),
            "PYTHONPATH": os.pathsep.join([str(BENCHMARKS), os.environ.get("PYTHONPATH", "")]),
        }
        shared = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = shared | own | environment
        self.processes: list[subprocess.Popen[str]] = []
        self.port = 0

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "ludotheque.cli", "--lang", "en", *words]
        return subprocess.run(  # noqa: S603 - our own command
            command, env=self.environment, capture_output=True, text=True, check=False, timeout=120
        )

    def start(self, *words: str) -> "subprocess.Popen[str]":
        command = ["timeout", "-k", "5", "300", sys.executable, "-m", "ludotheque.cli", *words]
        process = subprocess.Popen(  # noqa: S603 - our own command
            command, env=self.environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self.processes.append(process)
        return process

    def open(self, *words: str) -> "subprocess.Popen[str]":
        process = self.start("serve", "--port", "0", *words)
        assert process.stdout is not None
        found = re.search(r"http://\S+:(\d+)", process.stdout.readline())
        assert found, "it did not open"
        self.port = int(found[1])
        return process

    def set_table(self) -> tuple[str, str]:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", SET_TABLE], env=self.environment, capture_output=True, text=True, check=True
        )
        table, cookie = done.stdout.split()
        return table, f"{cookie}; csrftoken={CSRF}"

    def ask(self, path: str, cookie: str = "", body: object = None) -> Reply:
        line = HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Cookie": cookie, "Content-Type": "application/json", "X-CSRFToken": CSRF}
        line.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers)
        reply = line.getresponse()
        found: dict[str, object] = json.loads(reply.read())
        line.close()
        return reply.status, found

    def read(self, path: str, cookie: str = "") -> tuple[HTTPResponse, str]:
        line = HTTPConnection("127.0.0.1", self.port, timeout=30)
        line.request("GET", path, None, {"Cookie": cookie})
        reply = line.getresponse()
        page = reply.read().decode()
        line.close()
        return reply, page

    def close(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)
            assert process.stdout is not None
            process.stdout.close()


def head(house: "subprocess.Popen[str]") -> psutil.Process:
    """The process that looks after all others of a house; who started it only counts the seconds."""
    [found] = psutil.Process(house.pid).children()
    return found


def serving(house: "subprocess.Popen[str]") -> list[int]:
    """The processes behind the address of a house, but not those who think."""
    found = []
    for each in head(house).children():
        with suppress(psutil.NoSuchProcess):  # killed, and not yet missed
            found += [each.pid] if any("spawn_main" in word for word in each.cmdline()) else []
    return found


def holder(house: "subprocess.Popen[str]", port: int) -> int:
    """Which process of a house has the other end of the connection from this port."""
    found: list[int] = []
    for each in head(house).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            found += [each.pid for line in each.net_connections("tcp") if line.raddr and line.raddr.port == port]
    [who] = found
    return who
