"""What is wrong with a position: the moves made that lead nowhere."""

from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.puzzles.solving.solver import SOLVERS

ENOUGH = 2000  # solutions looked at


def wrong(match: Match) -> tuple[str, ...] | None:
    """The pieces that must go, by their moves: none if all is well; None if the puzzle itself has no solution.

    Where there are several solutions, the one nearest to what lies on the board decides.
    """
    solver, game = SOLVERS[match.game.key], match.game
    if match.solved or solver.first(match.state) is not None:
        return ()
    fresh = game.start(match.seats, **match.options)
    solutions = solver.solutions(fresh, ENOUGH)
    if not solutions:
        return None
    here = laid(game, match.state)
    nearest = max(solutions, key=lambda moves: len(here & set(moves)))
    return tuple(game.texts[move] for move in sorted(here - set(nearest)))


def laid(game: AnyGame, state: tuple[object, ...]) -> set[int]:
    """The moves that lay what lies on the board."""
    described = game.describe(state)
    names = {text: move for move, text in enumerate(game.texts)}
    found = [text for part in ("pieces", "I", "L", "laid") for text in _list(described.get(part))]
    return {names[text] for text in found}


def _list(value: object) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []
