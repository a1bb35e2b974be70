"""Baseline players to measure ours against: one plays at random, one takes the greatest lead of a single move."""

from collections.abc import Iterable
from random import Random
from typing import TypeAlias

from ludotheque.game import AnyGame, moves
from ludotheque.search import heuristics
from ludotheque.search.heuristics import Position

Witnessed: TypeAlias = "tuple[tuple[int, int], ...]"

GREEDY_SAMPLES = 20  # of what other seats choose in secret, or have chosen already
WIN_POINTS = 1000  # more than any lead


def random_move(game: AnyGame, view: Position, _witnessed: Witnessed, seat: int, random: Random) -> int | None:
    """Any legal move, all equally likely."""
    return random.choice(moves(game, view, seat))


def greedy_move(game: AnyGame, view: Position, witnessed: Witnessed, seat: int, random: Random) -> int | None:
    """The move after which the seat has won, or else leads by most points; any of those equally good."""
    recall = getattr(heuristics.knowledge(game), "recall", None)
    count = getattr(heuristics.knowledge(game), "points", game.scores)
    secret = game.sealed(view) >> seat & 1

    def possible() -> Position:
        state: Position = recall(view, witnessed, seat, random, 1.0) if recall else game.guess(view, seat, random)
        return state

    def merit(move: int, states: Iterable[Position]) -> int:
        total = 0
        for state in states:
            after = game.play(state, seat, move)
            if secret:
                after = _revealed(game, after, random)
            total += leads(game, after, count(after))[seat]
        return total

    known = possible()
    found = moves(game, known, seat)
    if not found:  # only an objection, say
        return None
    merits = [merit(move, (possible() for _ in range(GREEDY_SAMPLES)) if secret else (known,)) for move in found]
    return random.choice([move for move, each in zip(found, merits, strict=True) if each == max(merits)])


def _revealed(game: AnyGame, state: Position, random: Random) -> Position:
    """The state after all seats that have yet to choose in secret have chosen at random."""
    while waiting := game.sealed(state) & game.to_act(state):
        other = (waiting & -waiting).bit_length() - 1
        state = game.play(state, other, random.choice(moves(game, state, other)))
    return state


def leads(game: AnyGame, state: Position, points: tuple[int, ...]) -> list[int]:
    """By how many points each seat leads; a win counts `WIN_POINTS` more."""
    won = 0 if game.to_act(state) else game.winners(state)
    return [
        own
        - max(other for rival, other in enumerate(points) if rival != seat)
        + (WIN_POINTS if won >> seat & 1 else 0)
        for seat, own in enumerate(points)
    ]
