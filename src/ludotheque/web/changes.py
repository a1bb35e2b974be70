"""What a page has already, so that only the rest is sent.

A screen is cut into parts (`board.CUT`); of a part that changed goes what is between its unchanged beginning and end.
Moves the page knows, with the same picks and the same ghost, are only named.
"""

from ludotheque.game import Json
from ludotheque.web.board import CUT
from ludotheque.web.screen import Screen

MOST = 1000  # moves remembered for one page


class Page:
    """What was sent to one page."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.moves: dict[str, int] = {}  # by their texts, with a mark of the rest

    def news(self, screen: Screen) -> dict[str, object]:
        """What to send: the whole screen at first, then {"changes": [[part, at, how much goes, what comes], …]}."""
        message: dict[str, object] = {**screen, "moves": [self._named(move) for move in screen["moves"]]}
        parts = screen["html"].split(CUT)
        if len(parts) == len(self.parts):
            del message["html"]
            message["changes"] = [
                [number, *splice(old, new)]
                for number, (old, new) in enumerate(zip(self.parts, parts, strict=True))
                if old != new
            ]
        self.parts = parts
        return message

    def _named(self, move: Json) -> Json:
        assert isinstance(move, list)
        text, picks, ghost = move
        assert isinstance(text, str)
        assert isinstance(picks, list)
        mark = hash((*picks, ghost))  # of texts
        if self.moves.get(text) == mark:
            return text
        if text in self.moves or len(self.moves) < MOST:
            self.moves[text] = mark
        return move


def splice(old: str, new: str) -> tuple[int, int, str]:
    """Where the two begin to differ, how much of the old goes there, and what comes instead, as JavaScript counts."""
    begin = _common(old, new)
    most = min(len(old), len(new)) - begin
    end = _common(old[len(old) - most :][::-1], new[len(new) - most :][::-1]) if most else 0
    return _units(old[:begin]), _units(old[begin : len(old) - end]), new[begin : len(new) - end]


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
