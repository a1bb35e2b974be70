"""Hepta alone solved."""

from ludotheque.board.square import FULL
from ludotheque.extras import extra
from ludotheque.games.hepta import PIECES
from ludotheque.puzzles.hepta_solo import ELL_0, MASKS, State, left
from ludotheque.puzzles.solving.cover import Task, solve, tagged
from ludotheque.puzzles.solving.cover import task as cover_task

with extra("players"):
    import numpy as np

WORDS = np.array([tagged(mask, int(move >= ELL_0)) for move, mask in enumerate(MASKS)])
MOVES = {word: move for move, word in enumerate(WORDS.tolist())}


def count(state: State, limit: int) -> int:
    """How many solutions there are from here, at most `limit`."""
    return solve(task(state), limit, np.empty((0, 2 * PIECES), np.int64))


def solutions(state: State, limit: int) -> list[tuple[int, ...]]:
    """The solutions from here, at most `limit`, each as the moves that are left, in order."""
    what = task(state)
    found = np.zeros((min(limit, count(state, limit)), 2 * PIECES), np.int64)
    solve(what, limit, found)
    return [tuple(sorted(MOVES[word] for word in row if word)) for row in found.tolist()]


def task(state: State) -> Task:
    """What is left to do."""
    return cover_task(WORDS, FULL & ~(state.blockers | state.covered), left(state))
