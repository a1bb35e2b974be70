"""Moves by alpha-beta: for games where it plays better than tree search, and to solve endgames of others."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import tanh
from threading import Event, Thread
from typing import NamedTuple

from ludotheque.extras import extra
from ludotheque.game import moves
from ludotheque.search import alphabeta
from ludotheque.search.alphabeta import Buffers, Longs
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import UNDECIDED, Position
from ludotheque.search.thought import CLOCK_CHECK_S, Candidate, Task, Thought
from ludotheque.search.tree_player import MAX_LINE_MOVES, pick

with extra("players"):
    import numpy as np

SOLVING_SHARE = 0.3  # of the time that may go into the attempt to solve an endgame
MIN_SOLVER_DEPTH = 3  # a player that looks ahead less than this solves nothing
ENOUGH_SHARE = 0.4  # of the budget: a player that has used as much will not finish the next depth
NODES_PER_SIMULATION = 25  # positions that alpha-beta visits in the time of one simulation
LARGE_BUDGET = 10_000  # simulations, beyond which the transposition table is large
LARGE_TABLE, SMALL_TABLE = 1 << 20, 1 << 16  # entries


class Deepening(NamedTuple):
    """What iterative deepening found: the values of the moves, best first, and the best one a depth before.

    `exact` means that no value depends on an estimate; `proven` that the result is certain, if not the points.
    """

    exact: bool
    proven: bool
    depth: int
    values: Longs
    earlier: int


def choose(task: Task) -> Thought | None:
    """A move; None if alpha-beta is not this game's player and does not solve the position either."""
    is_player = task.objective.seats in task.profile.alphabeta
    found = moves(task.game, task.view, task.seat)
    if not is_player and (len(found) > task.profile.solve_moves or task.max_depth < MIN_SOLVER_DEPTH):
        return None
    task.random.shuffle(found)
    order = np.array(found)
    share = 1.0 if is_player else SOLVING_SHARE
    buffers = alphabeta.new_buffers(len(task.game.texts), LARGE_TABLE if task.budget > LARGE_BUDGET else SMALL_TABLE)
    max_depth = task.max_depth if is_player else alphabeta.MAX_PLY
    found_out = deepened(task, order, buffers, share, max_depth)
    if not is_player and not found_out.proven:
        task.done = 0
        return None
    proven = found_out.proven
    expected = [expected_of(int(value), task) for value in found_out.values]
    candidates = [
        Candidate(task.game.texts[move], expected[rank][task.seat], 1 / (rank + 1), proven)
        for rank, move in enumerate(order)
    ]
    choice = pick(task, candidates)
    sure = 1.0 if proven or len(order) == 1 else min(0.5 + 0.05 * found_out.depth, 0.95)
    line = line_of(task, choice.move, buffers)
    return Thought(choice.move, expected[candidates.index(choice)], sure, proven, line, tuple(candidates))


def deepened(
    task: Task, order: Longs, buffers: Buffers, share: float, max_depth: int, *, until_exact: bool = False
) -> Deepening:
    """Iterative deepening, best moves first, until the result is proven or, if wanted, until the values are exact.

    Reorders the moves in place. A player that has only one move needs no more than one depth.
    """
    value_moves = machine(task.game).build(alphabeta.value_moves)
    sign = 1 if task.seat == 0 else -1
    slack = int(200 * task.profile.points_scale * task.level.temperature)
    values = np.zeros(len(order), np.int64)
    found = Deepening(exact=False, proven=False, depth=0, values=values, earlier=0)
    value_moves(task.view, order[:1], values, 1, 0, buffers, task.objective)  # compiles it
    task.begin = task.clock()
    counts = buffers.counts
    counts[:] = 0
    counts[alphabeta.LIMIT] = max(int(task.budget * NODES_PER_SIMULATION * share), 4 * len(order))
    with _watchdog(task, buffers, share):
        while found.depth < max_depth:
            counts[alphabeta.ESTIMATED] = 0
            if not value_moves(task.view, order, values, found.depth + 1, slack, buffers, task.objective):
                break
            ranked = np.argsort(-sign * values, kind="stable")
            order[:], values = order[ranked], values[ranked]
            exact, best = bool(counts[alphabeta.ESTIMATED] == 0), sign * int(values[0])
            proven, earlier = (
                exact or best > alphabeta.WIN_VALUE // 2,
                int(found.values[0] if found.depth else values[0]),
            )
            found = Deepening(exact, proven, found.depth + 1, values.copy(), earlier)
            task.done = int(counts[alphabeta.NODES]) // NODES_PER_SIMULATION + 1
            task.over()
            if exact or (not until_exact and (proven or len(order) == 1)):
                break
            if share == 1 and counts[alphabeta.NODES] > ENOUGH_SHARE * counts[alphabeta.LIMIT]:
                break
    return found


@contextmanager
def _watchdog(task: Task, buffers: Buffers, share: float) -> Iterator[None]:
    """Stop the search when time is up or the task is cancelled, from a thread of its own."""
    finished = Event()

    def watch() -> None:
        while not finished.wait(CLOCK_CHECK_S):
            if task.spent() > task.level.seconds * share or task.cancel():
                buffers.counts[alphabeta.STOP] = 1

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def expected_of(value: int, task: Task) -> tuple[float, float]:
    """What an alpha-beta value means for the two seats, from 0 to 1."""
    win = alphabeta.WIN_VALUE
    won = (value > win // 2) - (value < -win // 2)
    lead = (value - won * win) / 100 / task.objective.points_scale
    part = min(max(0.5 + 0.5 * lead, 0.0), 1.0)
    if task.objective.decided_by == UNDECIDED:
        return part, 1 - part
    share = 0.5 + 0.5 * won if won else 0.5 + 0.4 * tanh(lead)
    mine = (1 - task.objective.points_weight) * share + task.objective.points_weight * part
    return mine, 1 - mine


def line_of(task: Task, first: str, buffers: Buffers) -> tuple[tuple[int, str], ...]:
    """The principal variation by the transposition table."""
    key, texts = machine(task.game).evaluator.position_key, task.game.texts
    state: Position = task.game.play(task.view, task.seat, texts.index(first))
    line = [(task.seat, first)]
    while len(line) < MAX_LINE_MOVES and (acting := task.game.to_act(state)):
        number = key(state)
        entry = buffers.table[number & (len(buffers.table) - 1)]
        actor = 0 if acting & 1 else 1
        move = int(entry["move"])
        if entry["key"] != number or move not in moves(task.game, state, actor):
            break
        line.append((actor, texts[move]))
        state = task.game.play(state, actor, move)
    return tuple(line)
