"""What a page has already, so that only the rest is sent.

A screen is cut into parts (`board.CUT`); of a part that changed goes what is between its unchanged beginning and end.
Moves the page knows, with the same picks and the same ghost, are only named.
"""

from functools import lru_cache

from ludotheque.web.board import CUT, Drawn, is_alike
from ludotheque.web.looks import Move
from ludotheque.web.screen import Facts

MOST = 1000  # moves remembered for one page
SHORT = 150  # characters of a part that is sent whole


class Page:
    """What was sent to one page."""

    def __init__(self) -> None:
        self.drawn: Drawn | None = None
        self.seat = -1
        self.moves: dict[str, Move] = {}  # by their texts

    def news(self, facts: Facts, drawn: Drawn) -> dict[str, object]:
        """What to send: the whole screen at first, then {"changes": [[part, at, how much goes, what comes], …]}."""
        message: dict[str, object] = {**facts, "moves": self._named(facts["moves"])}
        if self.drawn is None:
            message["html"] = CUT.join(drawn.parts)
        else:
            message["changes"] = [
                (number, *_change(number, old, new))
                for number, (old, new) in enumerate(zip(self.drawn.parts, drawn.parts, strict=True))
                if old is not new and old != new
            ]
        self.drawn, self.seat = drawn, facts["seat"]
        return message

    def is_for(self, seat: int | None) -> bool:
        """Whether it shows what this seat sees: else nothing of it may stay, not even what is folded away."""
        return self.seat == (-1 if seat is None else seat)

    def _named(self, moves: list[Move]) -> list[Move | str]:
        """Moves the page has are only named."""
        known = self.moves
        told: list[Move | str] = [move[0] if known.get(move[0]) == move else move for move in moves]
        known.update((move[0], move) for move in moves if len(known) < MOST or move[0] in known)
        return told


def _change(number: int, old: str, new: str) -> tuple[int, int, str]:
    if len(old) < SHORT > len(new):
        return 0, _units(old), new
    return _spliced_for_many(old, new) if is_alike(number) else splice(old, new)


def splice(old: str, new: str) -> tuple[int, int, str]:
    """Where the two begin to differ, how much of the old goes there, and what comes instead, as JavaScript counts."""
    begin = _common(old, new)
    most = min(len(old), len(new)) - begin
    end = _common(old[len(old) - most :][::-1], new[len(new) - most :][::-1]) if most else 0
    return _units(old[:begin]), _units(old[begin : len(old) - end]), new[begin : len(new) - end]


_spliced_for_many = lru_cache(100)(splice)  # it changes for all of them at once


def _common(one: str, other: str) -> int:
    """How many characters two texts have in common at the beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _units(text: str) -> int:
    """How long JavaScript finds a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
