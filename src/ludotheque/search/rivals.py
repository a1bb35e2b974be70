"""Players to measure ours by: one that plays at random, one that grabs what it can with a single move."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from ludotheque.game import AnyGame, moves
from ludotheque.search import heuristics
from ludotheque.search.heuristics import Position

Witnessed: TypeAlias = "tuple[tuple[int, int], ...]"
Rival: TypeAlias = Callable[[AnyGame, Position, Witnessed, int, Random], int | None]

SAMPLES = 20  # of what other seats choose in secret


def at_random(game: AnyGame, view: Position, _witnessed: Witnessed, seat: int, random: Random) -> int | None:
    return random.choice(moves(game, view, seat))


def greedy(game: AnyGame, view: Position, witnessed: Witnessed, seat: int, random: Random) -> int | None:
    """The move after which the seat has won, or else leads by most points; any of those equally good."""
    recall = getattr(heuristics.knowledge(game), "recall", None)
    state = recall(view, witnessed, seat, random, 1.0) if recall else game.guess(view, seat, random)
    count = getattr(heuristics.knowledge(game), "points", game.scores)
    found = moves(game, state, seat)
    if not found:  # only an objection, say
        return None
    merits = [_merit(game, state, seat, move, random, count) for move in found]
    return random.choice([move for move, merit in zip(found, merits, strict=True) if merit == max(merits)])


def _merit(  # noqa: PLR0917
    game: AnyGame, state: Position, seat: int, move: int, random: Random, count: Callable[[Position], tuple[int, ...]]
) -> float:
    others = game.sealed(state) & game.to_act(state) & ~(1 << seat)
    samples = SAMPLES if others else 1
    total = 0.0
    for _ in range(samples):
        after = game.play(state, seat, move)
        while game.sealed(after) and (waiting := game.to_act(after) & others):
            other = (waiting & -waiting).bit_length() - 1
            after = game.play(after, other, random.choice(moves(game, after, other)))
        points = count(after)
        total += points[seat] - max(points[other] for other in range(len(points)) if other != seat)
        if not game.to_act(after) and game.winners(after) >> seat & 1:
            total += 1000
    return total / samples
