"""Attacks with records that somebody brings: many of them, long ones, and many looks at them."""

import json
from collections.abc import Callable
from functools import cache

import ludotheque
from attack.client import ATTACKER, get, request
from attack.requests import at_once
from crowd.site import Site

LONGEST_ENTRIES = 5600  # of the log: as much as fits into the 60,000 characters that a record may have
ACCEPTED_ENTRIES = 2500  # that the site accepts
BOUNDARY = "x" * 20


def records(port: int, until: float) -> None:
    """Records of long games, each brought once and then looked at by many at once."""
    bring, brought = bringer(port), list[str]()

    def bring_or_look(number: int) -> None:
        if number % 4 == 0 or not brought:
            entries = LONGEST_ENTRIES if number % 8 == 0 else ACCEPTED_ENTRIES
            _, address = bring(turning_record(entries, number))
            brought.extend([address] if address else [])
        else:
            get(port, brought[number % len(brought)])

    at_once(until, bring_or_look, 20)


def looks(port: int, until: float) -> None:
    """The longest record that is accepted, and its pages, its positions and its preview, by many at once."""
    address = bring_longest(port)
    paths = ("?step={}", "/at/{}", "?step={}", "/preview.png?{}", "/progress?{}")
    at_once(until, lambda number: get(port, address + paths[number % len(paths)].format(number % ACCEPTED_ENTRIES)))


def bring_longest(port: int, number: int = 0) -> str:
    """Bring the longest record that is accepted; its address."""
    bring = bringer(port)
    for entries in (LONGEST_ENTRIES, ACCEPTED_ENTRIES):
        status, address = bring(turning_record(entries, number))
        if status == 302:
            return address
    raise ConnectionError(f"no record is accepted: {status}")


def bringer(port: int, visitor: str = "") -> Callable[[str], tuple[int, str]]:
    """bring(record): bring a record; the status, and its address if it is accepted. `visitor` is a cookie's value."""
    visit = Site(port, address=ATTACKER)
    visit.get_token()
    cookie, token = f"csrftoken={visit.cookie}; visitor={visitor}", visit.token

    def bring(record: str) -> tuple[int, str]:
        fields = {"csrfmiddlewaretoken": token, "text": record}
        parts = [
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
            for name, value in fields.items()
        ]
        body = ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()
        headers = f"Cookie: {cookie}\r\nContent-Type: multipart/form-data; boundary={BOUNDARY}\r\n"
        status, answer = request(port, "POST /replay", body, headers=headers)
        return status, answer.lower().partition(b"location: ")[2].partition(b"\r\n")[0].decode()

    return bring


def turning_record(entries: int, number: int) -> str:
    """A game of Tricolore in which two pawns turn on the spot, there and back, until somebody resigns.

    One with another number is another record: it has another limit of moves without a capture.
    """
    record = json.loads(_turning(entries))
    record["options"]["quiet"] -= number % 4000
    return json.dumps(record, separators=(",", ":"))


@cache
def _turning(entries: int) -> str:
    match = ludotheque.game("tricolore").match(seats=2, luck=None, quiet=10_000)
    while match.length < entries:
        seat = match.to_act[0]
        match.play(seat, next(text for text in match.moves(seat) if text.endswith("><"[match.length // 2 % 2])))
    match.resign(0)
    return match.save()
