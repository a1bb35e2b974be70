"""Sites that are started and stopped: one process by itself, or several behind nginx."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from typing import TypeAlias

import pytest

import services
from waiting import TIMEOUT_S

SET_TABLE = """
from ludotheque.web.server import serve
serve.configure_django()
from ludotheque.web.table import seating
from ludotheque.web.visitors import COOKIE, sign
table = seating.open_table("hepta", 2, {})
seating.sit(table.id, "ada", 0, "Ada")
seating.sit(table.id, "bob", 1, "Bob")
print(table.id, f"{COOKIE}={sign('ada')}")
"""
SET_COMPUTER = """
import sys
from ludotheque.web.server import serve
serve.configure_django()
from ludotheque.web.table import seating, transaction
from ludotheque.web.visitors import COOKIE, sign
transaction.listeners.clear()  # this process neither thinks nor tells others
person = int(sys.argv[1])
table = seating.open_table("hepta", 2, {"legs": 1})
seating.sit(table.id, "ada", person, "Ada")
seating.seat_computer(table.id, "ada", 1 - person, "1")
print(table.id, f"{COOKIE}={sign('ada')}")
"""
CSRF = "c" * 32
BENCHMARKS = Path(services.__file__).parent  # where `mover` is
Server: TypeAlias = "subprocess.Popen[str]"
Reply: TypeAlias = tuple[int, dict[str, object]]


class Site:
    """The processes of one site. `port` is the one that visitors use: of the only process, or nginx's."""

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
        self.processes: list[Server] = []
        self.servers: dict[int, Server] = {}
        self.nginx: services.Nginx | None = None
        self.port = 0
        self.under: tuple[str, ...] = ()  # a command under which the servers run, `prlimit` for one
        self.log: Path | None = None  # a file for what the servers log; else it goes where the tests' own errors go

    # Processes

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "ludotheque.cli", "--lang", "en", *words]
        return subprocess.run(  # noqa: S603 - our own command
            command, env=self.environment, capture_output=True, text=True, check=False, timeout=TIMEOUT_S
        )

    def start(self, *words: str) -> Server:
        command = [*self.under, "timeout", "-k", "5", "600", sys.executable, "-m", "ludotheque.cli", *words]
        errors = self.log.open("ab") if self.log else None
        process = subprocess.Popen(  # noqa: S603 - our own command
            command, env=self.environment, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
        )
        if errors:
            errors.close()
        self.processes.append(process)
        return process

    def serve(self, port: int = 0, *words: str) -> int:
        """One web process at this port, or at any; its port, once it is open."""
        process = self.start("serve", "--port", str(port), *words)
        assert process.stdout is not None
        found = re.search(r"http://\S+:(\d+)", process.stdout.readline())
        assert found, "it did not open"
        self.servers[int(found[1])] = process
        return int(found[1])

    def open(self) -> Server:
        """One process by itself."""
        self.port = self.serve()
        return self.servers[self.port]

    def open_behind_nginx(self, processes: int = 2) -> services.Nginx:
        self.nginx = services.Nginx([self.serve() for _ in range(processes)])
        self.nginx.start()
        self.port = self.nginx.port
        return self.nginx

    def kill(self, port: int) -> None:
        """The web process at this port."""
        process = self.servers.pop(port)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(TIMEOUT_S)

    def restart(self, port: int) -> None:
        """As systemd does it: SIGTERM, and a new one when the old one has ended."""
        process = self.servers.pop(port)
        process.send_signal(signal.SIGTERM)
        process.wait(TIMEOUT_S)
        assert self.serve(port) == port

    def close(self) -> None:
        if self.nginx is not None:
            self.nginx.close()
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(TIMEOUT_S)
            assert process.stdout is not None
            process.stdout.close()

    # Tables

    def set_table(self) -> tuple[str, str]:
        """A table for two people; its id, and the cookies of the one who moves first."""
        return self._set(SET_TABLE)

    def set_computer(self, person: int) -> tuple[str, str]:
        """A table with a person at this seat and a computer player at the other."""
        return self._set(SET_COMPUTER, str(person))

    def _set(self, program: str, *words: str) -> tuple[str, str]:
        table, cookie = self.told_by(program, *words)
        return table, f"{cookie}; csrftoken={CSRF}"

    def told_by(self, program: str, *words: str) -> list[str]:
        """The words that a program prints, run with the settings of this site."""
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", program, *words], env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    # Requests

    def ask(self, path: str, cookie: str = "", body: object = None, port: int = 0) -> Reply:
        """The JSON that is answered, by the site or by the process at this port."""
        headers = {"Cookie": cookie, "Content-Type": "application/json", "X-CSRFToken": CSRF}
        reply, text = self.request("POST" if body else "GET", path, json.dumps(body) if body else None, headers, port)
        found: dict[str, object] = json.loads(text)
        return reply.status, found

    def read(self, path: str, cookie: str = "", port: int = 0) -> tuple[HTTPResponse, str]:
        return self.request("GET", path, None, {"Cookie": cookie}, port)

    def request(
        self, method: str, path: str, body: str | None, headers: dict[str, str], port: int
    ) -> tuple[HTTPResponse, str]:
        connection = HTTPConnection("127.0.0.1", port or self.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply, reply.read().decode()
        finally:
            connection.close()

    def screen(self, table: str, cookie: str, port: int = 0) -> dict[str, object]:
        """What a page shows, asked for until it is answered."""
        return self._insist(lambda: self.ask(f"/t/{table}/screen?version=-1", cookie, port=port))

    def move(self, table: str, cookie: str, message: dict[str, object]) -> None:
        """As a page does: the same message until it is answered; it counts once."""
        assert self._insist(lambda: self.ask(f"/t/{table}/do", cookie, message)) == {"ok": True}

    def _insist(self, ask: Callable[[], Reply]) -> dict[str, object]:
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            with suppress(OSError, HTTPException, ValueError):  # nginx answers 502 with a page of its own
                status, found = ask()
                if status < 500:
                    return found
            time.sleep(0.1)
        pytest.fail("no answer")

    def page(self, cookie: str, port: int = 0) -> dict[str, str]:
        """What a page of the site sends with its WebSocket."""
        return {"Cookie": cookie, "Origin": f"http://127.0.0.1:{port or self.port}"}

    def live(self, table: str, port: int = 0) -> str:
        """The address of the WebSocket of a table."""
        return f"ws://127.0.0.1:{port or self.port}/live/{table}?lang=en&version=-1&seat=-1"


def first_move(screen: dict[str, object], name: str) -> dict[str, object]:
    """A message that makes the first legal move of a screen."""
    return {"id": name, "do": "move", "seat": 0, "move": moves(screen)[0], "version": screen["version"]}


def moves(screen: dict[str, object]) -> list[str]:
    """The legal moves of a screen."""
    told = screen["moves"]
    assert isinstance(told, list)
    return [move if isinstance(move, str) else move[0] for move in told]


def ask_over(path: Path, request: str) -> str:
    """What a server answers over a Unix socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(TIMEOUT_S)
        connection.connect(str(path))
        connection.sendall(request.encode())
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return answer.decode()
