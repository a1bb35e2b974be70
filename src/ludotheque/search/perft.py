"""Perft: how many sequences of moves there are, for checking rules against other implementations.

Luck's outcomes count as moves. Of seats that choose in secret only the lowest moves next, since their order means
nothing; where several may act openly, each of them does. A sequence never goes beyond the leg it starts in.
"""

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import TypeAlias, cast

from ludotheque.extras import extra
from ludotheque.game import LUCK, AnyGame

Position: TypeAlias = tuple[object, ...]
Counting: TypeAlias = Callable[[Position, int], int]

COMPILE_ABOVE = 100_000  # sequences, at which compiling pays for the next depth

rules: AnyGame  # the game's, bound by `interpreted` or by `Machine.build`


def perft(game: AnyGame, state: Position, depth: int) -> int:
    """The number of sequences of `depth` moves from a state."""
    return interpreted(game)(state, depth)


def perfts(game: AnyGame, state: Position, depth: int) -> Iterator[int]:
    """The numbers for the depths from 1 on, compiled where that pays."""
    counting, number = interpreted(game), 0
    for deep in range(1, depth + 1):
        if number > COMPILE_ABOVE:
            counting = _faster(game, state, deep - 1, number) or counting
        number = counting(state, deep)
        yield number


def interpreted(game: AnyGame) -> Counting:
    """The count by the interpreted rules."""
    names = {**globals(), "rules": game}
    names[sequences.__name__] = FunctionType(sequences.__code__, names)
    return cast("Counting", names[sequences.__name__])


def compiled(game: AnyGame) -> Counting:
    """The count by the compiled rules: seconds to compile the first time, then hundreds of times as fast."""
    from ludotheque.search.compiled import machine  # noqa: PLC0415 - numba takes long to import

    return machine(game).build(sequences)


def sequences(state: Position, depth: int) -> int:
    """The number of sequences of this length; the last move is counted, not played."""
    if depth == 0:
        return 1
    acting = rules.to_act(state)
    if rules.sealed(state):
        acting &= -acting
    number = 0
    for actor in range(LUCK + 1):
        if acting >> actor & 1:
            for first, stop in rules.spans(state, actor):
                for move in range(first, stop):
                    if rules.legal(state, actor, move):
                        number += 1 if depth == 1 else sequences(rules.play(state, actor, move), depth - 1)
    return number


def _faster(game: AnyGame, state: Position, depth: int, number: int) -> Counting | None:
    """The compiled count, if the rules compile (puzzles and plug-ins need not) and it gives the known number."""
    with extra("players"):
        from numba.core.errors import NumbaError  # noqa: PLC0415

    counting = compiled(game)
    try:
        return counting if counting(state, depth) == number else None
    except (NumbaError, OverflowError):
        return None
