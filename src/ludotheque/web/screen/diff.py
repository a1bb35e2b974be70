"""What a page has already, so that only the rest is sent.

A screen is cut into parts (`board.CUT`); of a part that changed goes what is between its unchanged beginning and end.
Moves the page knows, with the same picks and the same ghost, are only named.
"""

from collections.abc import Callable
from functools import lru_cache

from ludotheque.web.screen import template
from ludotheque.web.screen.screen import Facts
from ludotheque.web.screen.template import CUT, Alike, Change, Drawn
from ludotheque.web.screen.viewer import Move

MOST = 1000  # moves remembered for one page
SHORT = 150  # characters of a part that is sent whole


class Page:
    """What was sent to one page."""

    def __init__(self) -> None:
        self.drawn: Drawn | None = None
        self.seat = -1
        self.moves: dict[str, Move] = {}  # by their texts
        self.same: set[int] = set()  # the ids of these very objects, which are found faster than they are compared

    def news(self, facts: Facts, drawn: Drawn) -> dict[str, object]:
        """What to send: the whole screen at first, then {"changes": [[part, at, how much goes, what comes], …]}."""
        message: dict[str, object] = {**facts, "moves": self._named(facts["moves"])}
        if self.drawn is None:
            message["html"] = CUT.join(drawn.in_order())
        else:
            message["changes"] = _since(self.drawn.alike, drawn.alike) + _own(self.drawn, drawn)
        self.drawn, self.seat = drawn, facts["seat"]
        return message

    def is_for(self, seat: int | None) -> bool:
        """Whether it shows what this seat sees: else nothing of it may stay, not even what is folded away."""
        return self.seat == (-1 if seat is None else seat)

    def _named(self, moves: list[Move]) -> list[Move | str]:
        """Moves the page has are only named."""
        known = self.moves
        if self.same.issuperset(map(id, moves)):
            return [move[0] for move in moves]
        return [move[0] if known.get(move[0]) == move else self._learned(move) for move in moves]

    def _learned(self, move: Move) -> Move:
        """A move that is sent whole, and that the page has from now on."""
        if len(self.moves) < MOST or move[0] in self.moves:
            self.same.discard(id(self.moves.get(move[0])))
            self.moves[move[0]] = move
            self.same.add(id(move))
        return move


_ALIKE, _LIVELY, _CALM, _FOLDED = template.numbers()


def _since(before: Alike, now: Alike) -> list[Change]:
    """How parts that are alike to many have changed: found out once for all who had the same before."""
    known = now.changes
    if known is None or known[0] is not before.parts:
        known = now.changes = before.parts, _changes(_ALIKE, before.parts, now.parts, _change)
    return known[1]


def _own(before: Drawn, now: Drawn) -> list[Change]:
    changes = _changes(_LIVELY, before.lively, now.lively, _usual)
    if now.calm is not before.calm:
        changes += _changes(_CALM, before.calm, now.calm, _usual)
    if now.folded is not before.folded:
        changes += _changes(_FOLDED, before.folded, now.folded, _change)
    return changes


def _changes(
    numbers: list[int], before: list[str], now: list[str], change: Callable[[str, str], tuple[int, int, str]]
) -> list[Change]:
    return [
        (number, *change(old, new))
        for number, old, new in zip(numbers, before, now, strict=True)
        if old is not new and old != new
    ]


def _change(old: str, new: str) -> tuple[int, int, str]:
    return (0, _units(old), new) if len(old) < SHORT > len(new) else splice(old, new)


_usual = lru_cache(5_000)(_change)  # whose turn it is goes back and forth


def splice(old: str, new: str) -> tuple[int, int, str]:
    """Where the two begin to differ, how much of the old goes there, and what comes instead, as JavaScript counts."""
    if new.startswith(old):  # as the list of moves grows
        return _units(old), 0, new[len(old) :]
    begin = _alike(old, new, min(len(old), len(new)))
    end = _alike_at_the_end(old, new, min(len(old), len(new)) - begin)
    return _units(old[:begin]), _units(old[begin : len(old) - end]), new[begin : len(new) - end]


def _alike(one: str, other: str, most: int) -> int:
    """How many characters two texts have in common at the beginning."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _alike_at_the_end(one: str, other: str, most: int) -> int:
    low, high, length, others = 0, most, len(one), len(other)
    while low < high:
        middle = (low + high + 1) // 2
        if one.endswith(other[others - middle : others - low], 0, length - low):
            low = middle
        else:
            high = middle - 1
    return low


def _units(text: str) -> int:
    """How long JavaScript finds a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
