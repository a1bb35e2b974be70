"""What is wrong with a position: the fewest moves that must go for a solution to be in reach again."""

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from ludotheque.board.bits import cells
from ludotheque.board.punched import HOLES, RECTANGLES
from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.puzzles import hepta_solo, pegs_solo, tetrods
from ludotheque.puzzles.solving.layouts import layouts
from ludotheque.puzzles.solving.pegs_solo import covers
from ludotheque.puzzles.solving.solver import SOLVERS

ENOUGH = 2000  # solutions looked at
FEW = 3  # pieces lifted together where there are more
NEAR = 40  # layouts of pegs looked at, the nearest first


def wrong(match: Match) -> tuple[str, ...] | None:
    """The moves to take back: none if all is well; None if the puzzle itself has no solution."""
    solver, game = SOLVERS[match.game.key], match.game
    if match.solved or solver.first(match.state) is not None:
        return ()
    fresh = game.start(match.seats, **match.options)
    if solver.first(fresh) is None:
        return None
    state = match.state
    gone = _pegs(state) if isinstance(state, pegs_solo.State) else _pieces(game, fresh, laid(state))
    return tuple(game.texts[move] for move in sorted(gone))


def laid(state: object) -> set[int]:
    """The moves that lay the pieces on the board."""
    assert isinstance(state, tetrods.State | hepta_solo.State)
    return {move for move in state.laid if move >= 0}


def _pieces(game: AnyGame, fresh: tuple[object, ...], here: set[int]) -> set[int]:
    """The fewest pieces that keep the others from being part of a solution.

    If there are too many solutions to compare with all of them, a few pieces lifted are nearly always enough.
    """
    solver = SOLVERS[game.key]
    solutions = solver.solutions(fresh, ENOUGH)
    if len(solutions) == ENOUGH:
        for some in _subsets(here, FEW):
            state = fresh
            for move in here - some:
                state = game.play(state, 0, move)
            if solver.first(state) is not None:
                return some
    return min((here - set(moves) for moves in solutions), key=len)


def _pegs(state: pegs_solo.State) -> set[int]:
    """The pegs and cards that are not as in the nearest layout that can be covered; cards too many on top."""
    put, places = state.pegs & ~state.given, pegs_solo.places_of(state)
    possible = layouts(state.most)
    possible = possible[possible & state.given == state.given]
    missed = np.bitwise_count(put & ~possible).astype(np.int64)
    for place in places:
        missed += possible & RECTANGLES[place] != HOLES[place]
    nearest = [int(possible[number]) for number in np.argsort(missed, kind="stable")[:NEAR]]
    return min((_cards(state, pegs) for pegs in nearest), key=len)


def _cards(state: pegs_solo.State, pegs: int) -> set[int]:
    """What has to go for the pegs to become these, and the board to be covered then."""
    places = pegs_solo.places_of(state)
    fitting = {place for place in places if pegs & RECTANGLES[place] == HOLES[place]}
    for some in _subsets(fitting, len(fitting)):
        kept = tuple(fitting - some)
        if covers(pegs, state.most - len(kept), 1, kept):
            break
    gone = {pegs_solo.LAY_0 + place for place in set(places) - (fitting - some)}
    return gone | set(cells(state.pegs & ~pegs))


def _subsets(things: set[int], most: int) -> Iterable[set[int]]:
    """Nothing, then each thing, then two, and so on."""
    return (set(some) for number in range(most + 1) for some in combinations(sorted(things), number))
