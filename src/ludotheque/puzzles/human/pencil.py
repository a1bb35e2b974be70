"""Pencil marks: what a solver has ruled out. `d4` is a cell that is crossed out, `L3-d4` a piece that is not there.

A change sets the marks that are not there and takes away those that are. Changes are kept in order, each with the
number of moves that were made before it, so that undo takes back whatever came last.
"""

from collections.abc import Iterable
from typing import TypeAlias

from ludotheque.board.square import NAMES
from ludotheque.errors import BadOption, quoted
from ludotheque.puzzles.kinds import PuzzleKind

Change: TypeAlias = tuple[int, list[str]]
"""How many moves were made before it, and its marks."""

MAX_CHANGES = 500  # beyond, the oldest two become one


def mark_of(piece: str, cell: int) -> str:
    """The mark that says that a piece does not lie on a cell."""
    return f"{piece}-{NAMES[cell]}"


def parts(mark: str) -> tuple[str, str]:
    """The piece of a mark, empty if it has none, and its cell."""
    piece, _, cell = mark.rpartition("-")
    return piece, cell


def read(kind: PuzzleKind, text: str) -> list[str]:
    """Marks as people write them: `d4`, `L3-d4`, or `L3 d4 e5`, a piece and the cells where it does not lie."""
    known = {piece.lower(): piece for piece in ("", *kind.pieces)}
    found, piece = [], ""
    for word in text.replace(",", " ").lower().split():
        own, cell = parts(word)
        if word in known:
            piece = known[word]
        elif cell in NAMES and own in known:
            found.append("-".join(filter(None, (known[own] or piece, cell))))
        else:
            raise _bad(text)
    if not found:
        raise _bad(text)
    return list(dict.fromkeys(found))


def _bad(text: str) -> BadOption:
    return BadOption(f"{quoted(text)} is no mark: write d4, or a piece and cells.", "bad-mark", {"id": quoted(text)})


def marks(changes: Iterable[Change]) -> list[str]:
    """The marks that are there after these changes, the oldest first."""
    there: dict[str, None] = {}
    for _, changed in changes:
        for mark in changed:
            if mark in there:
                del there[mark]
            else:
                there[mark] = None
    return list(there)


def shortened(changes: list[Change]) -> list[Change]:
    """The same changes, not too many of them."""
    while len(changes) > MAX_CHANGES:
        before = changes[1][0]
        changes = [(before, marks(changes[:2])), *changes[2:]]
    return changes
