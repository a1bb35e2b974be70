"""A deduction in words: what follows, from what, and what to mark on the picture. `explain.py` makes them."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from ludotheque import words
from ludotheque.board.bits import Bits

MAX_MOVES_NAMED = 6  # in one sentence


class Deduction(NamedTuple):
    """What follows in every solution; a `choice` alone is one way of several."""

    kind: str
    """The name of its sentence."""

    about: str
    """What it is about: `mushroom`, `cell` or `piece`."""

    lays: int | None
    """The move it lays, or"""

    out: tuple[int, ...]
    """the moves it rules out."""

    around: Bits
    """The cells that it is about, if it is about cells."""

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
        values = dict(self.values)
        return words.say(
            None, lang, "puzzles", "deductions", self.kind, **values | {"move": placed(values["move"], lang)}
        )

    @property
    def subject(self) -> tuple[object, ...]:
        """What it says, whichever move it tries and however many forced moves it follows."""
        return self.kind, *(value for value in self.values if value[0] not in {"move", "steps"})


class Elimination(NamedTuple):
    """Deductions that say the same of several moves, told in one sentence."""

    deductions: tuple[Deduction, ...]  #: all of one kind

    def say(self, lang: str) -> str:
        """The sentence; of many moves it names the first."""
        values = dict(self.deductions[0].values)
        lengths = sorted({deduction.moves for deduction in self.deductions})
        values["steps"] = "–".join(str(steps) for steps in dict.fromkeys((lengths[0], lengths[-1])))
        values["move"] = self._moves(lang)
        return words.say(None, lang, "puzzles", "deductions", self.deductions[0].kind, **values)

    def _moves(self, lang: str) -> str:
        tried = [placed(dict(deduction.values)["move"], lang) for deduction in self.deductions]
        if len(tried) == 1:
            return tried[0]
        if len(tried) > MAX_MOVES_NAMED:
            more = words.say(None, lang, "puzzles", "hints", "more", number=len(tried) - MAX_MOVES_NAMED)
            return f"{', '.join(tried[:MAX_MOVES_NAMED])} {more}"
        return words.say(None, lang, "puzzles", "hints", "or", moves=", ".join(tried[:-1]), last=tried[-1])


def placed(move: str, lang: str) -> str:
    """A move of a puzzle in words: `L3:b6-b5` is “L3 on b6-b5”."""
    piece, colon, cells = move.partition(":")
    return words.say(None, lang, "puzzles", "hints", "placed", piece=piece, cells=cells) if colon else move


def collapsed(deductions: Iterable[Deduction]) -> tuple[Elimination, ...]:
    """Deductions one after the other, those that say the same in one sentence."""
    return tuple(Elimination(tuple(same)) for _, same in groupby(deductions, key=lambda each: each.subject))
