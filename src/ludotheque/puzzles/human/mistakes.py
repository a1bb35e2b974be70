"""What is wrong with a position: the fewest moves that must go for a solution to be in reach again."""

from collections.abc import Callable, Iterable
from itertools import combinations

from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.puzzles.kinds import AnyState, kind

MAX_SOLUTIONS = 2000  # compared with
MAX_LIFTED = 3  # pieces lifted together where there are more solutions


def mistakes(match: Match) -> tuple[str, ...] | None:
    """The moves to take back: none if all is well; None if the puzzle itself has no solution."""
    engine, game = kind(match.game.key).engine, match.game
    if match.solved or engine.first(match.state) is not None:
        return ()
    fresh = game.start(match.seats, **match.options)
    if engine.first(fresh) is None:
        return None
    return tuple(game.texts[move] for move in sorted(engine.mistakes(fresh, match.state)))


def wrong_pieces(
    game: AnyGame, solutions: Callable[[AnyState, int], list[tuple[int, ...]]], fresh: AnyState, laid: set[int]
) -> set[int]:
    """Of the moves that laid pieces, the fewest that keep the others from being part of a solution.

    If there are too many solutions to compare with all of them, a few pieces lifted are nearly always enough.
    """
    known = solutions(fresh, MAX_SOLUTIONS)
    if len(known) == MAX_SOLUTIONS:
        for some in subsets(laid, MAX_LIFTED):
            state = fresh
            for move in laid - some:
                state = game.play(state, 0, move)
            if solutions(state, 1):
                return some
    return min((laid - set(moves) for moves in known), key=len)


def subsets(moves: set[int], most: int) -> Iterable[set[int]]:
    """Nothing, then each move, then two, and so on."""
    return (set(some) for number in range(most + 1) for some in combinations(sorted(moves), number))
