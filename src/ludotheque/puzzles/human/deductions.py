"""A deduction in words: what follows, from what, and what to mark on the picture. `explain.py` makes them."""

from typing import NamedTuple

from ludotheque import words
from ludotheque.board.bits import Bits


class Deduction(NamedTuple):
    """What follows in every solution; a `choice` alone is one way of several."""

    kind: str
    """The name of its sentence."""

    lays: int | None
    """The move it lays, or"""

    out: tuple[int, ...]
    """the moves it rules out."""

    cells: Bits
    """What to mark on the picture."""

    pieces: tuple[str, ...]
    """The pieces that it is about."""

    tried: int | None
    """The move that a what-if begins with."""

    moves: int
    """How many forced moves it follows."""

    values: tuple[tuple[str, str], ...]
    """What its sentence names."""

    def say(self, lang: str) -> str:
        """The deduction in words."""
        return words.say(None, lang, "puzzles", "deductions", self.kind, **dict(self.values))
