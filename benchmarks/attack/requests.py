"""Attacks with requests that the site is made to answer, as many and as dear as one address can send."""

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import HTTPException
from itertools import count, product
from urllib.parse import urlencode

from attack.client import ATTACKER, get, request, websocket
from crowd.site import FORM, Site

AT_ONCE = 64  # connections
TABLES_AT_ONCE = 8
FIRST_PUZZLE = 700_000  # whose numbers nobody else asks for
TOKEN = "a" * 32
BY_SCRIPT = "application/json"


def pages(port: int, until: float) -> None:
    """Pages that are made anew each time, over and over."""
    at_once(until, lambda _: get(port, "/games/pizza"))


def table_pages(port: int, until: float) -> None:
    """The same with the pages of a table of one's own."""
    table, _ = Site(port, address=ATTACKER).open()
    at_once(until, lambda _: get(port, f"/t/{table}"))


def previews(port: int, until: float) -> None:
    """Pictures for other sites, of tables and puzzles that nobody has asked for before."""
    tables = [Site(port, address=ATTACKER).open()[0] for _ in range(20)]
    names = [f"/t/{table}/preview.png?lang={lang}" for table in tables for lang in ("en", "fr")]
    at_once(until, lambda number: get(port, names[number % len(names)]))


def puzzles(port: int, until: float) -> None:
    """Puzzles of the hardest grade that nobody has asked for before, as many visitors."""
    cookies = visitors(port)

    def ask(number: int) -> None:
        headers = f"Cookie: visitor={cookies[number % len(cookies)]}\r\n"
        get(port, f"/puzzles/hepta-solo/5/{FIRST_PUZZLE + number}", headers=headers)

    at_once(until, ask)


def puzzle_hints(port: int, until: float) -> None:
    """Hints and checks of a puzzle of the hardest grade, as many visitors."""
    cookies, path = visitors(port), "/puzzles/hepta-solo/5/1"
    asked = ({"do": "hint", "version": 0}, {"do": "check"})

    def ask(number: int) -> None:
        post(port, path, json.dumps(asked[number % len(asked)]), BY_SCRIPT, cookies[number % len(cookies)])

    at_once(until, ask)


def booklets(port: int, until: float) -> None:
    """The largest booklets of puzzles, as many visitors."""
    cookies = visitors(port)
    wishes = list(product(range(1, 10), ("a4", "a5"), ("en", "fr")))

    def ask(number: int) -> None:
        volume, paper, lang = wishes[number % len(wishes)]
        wish = {"puzzle": "hepta-solo", "count": 96, "paper": paper, "lang": lang, "volume": volume}
        post(port, "/puzzles/booklet", urlencode(wish), FORM, cookies[number % len(cookies)])

    at_once(until, ask)


def log_ins(port: int, until: float) -> None:
    """Attempts to log in as the keeper, each under another name, with a wrong password."""

    def ask(number: int) -> None:
        post(port, "/admin/login/", urlencode({"username": f"keeper {number}", "password": "wrong"}), FORM)

    at_once(until, ask)


def computers(port: int, until: float) -> None:
    """Tables against the strongest computer player, who moves first at each of them, as many visitors."""
    visit, cookies = Site(port, address=ATTACKER), visitors(port)

    def open_one(number: int) -> None:
        visit.open_against_computer(visitor=cookies[number % len(cookies)])

    at_once(until, open_one, TABLES_AT_ONCE)


def tables(port: int, until: float) -> None:
    """New tables, as many visitors."""
    visit, cookies = Site(port, address=ATTACKER), visitors(port)

    def open_one(number: int) -> None:
        visit.open(cookies[number % len(cookies)])

    at_once(until, open_one, TABLES_AT_ONCE)


def looks_at_tables(port: int, until: float) -> None:
    """New tables, all of which are looked at again and again."""
    visit, cookies, opened = Site(port, address=ATTACKER), visitors(port), list[str]()

    def open_or_look(number: int) -> None:
        if number % 4 == 0 or not opened:
            opened.append(visit.open(cookies[number % len(cookies)])[0])
        else:
            get(port, f"/t/{opened[number % len(opened)]}")

    at_once(until, open_or_look, TABLES_AT_ONCE)


def screens(port: int, until: float) -> None:
    """Messages over a WebSocket that have the whole page drawn again."""
    visit = Site(port, address=ATTACKER)
    table, cookies = visit.open()
    message = json.dumps({"unfolded": True}).encode()
    frame = b"\x81" + bytes([0x80 | len(message)]) + b"\0\0\0\0" + message
    while time.monotonic() < until:
        with suppress(OSError), websocket(port, f"/live/{table}", cookie=f"visitor={cookies[0]}") as line:
            line.settimeout(2)
            while time.monotonic() < until:
                line.sendall(frame * 50)
                line.recv(1_000_000)


def visitors(port: int) -> list[str]:
    """The cookies of several who are all the attacker."""
    visit = Site(port, address=ATTACKER)
    return [cookie for _ in range(10) for cookie in visit.open()[1]]


def post(port: int, path: str, body: str, kind: str, visitor: str = "") -> int:
    """Send a form, or what a script sends; the status."""
    cookies = f"csrftoken={TOKEN}{f'; visitor={visitor}' if visitor else ''}"
    headers = f"Cookie: {cookies}\r\nX-CSRFToken: {TOKEN}\r\nContent-Type: {kind}\r\n"
    status, _ = request(port, f"POST {path}", body.encode(), ATTACKER, headers)
    return status


def at_once(until: float, ask: Callable[[int], object], people: int = AT_ONCE) -> None:
    """Ask from so many threads, whatever becomes of single connections."""
    numbers = count()

    def ask_on() -> None:
        while time.monotonic() < until:
            with suppress(OSError, HTTPException):
                ask(next(numbers))

    with ThreadPoolExecutor(people) as crowd:
        for asking in [crowd.submit(ask_on) for _ in range(people)]:
            asking.result()
