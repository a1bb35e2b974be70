"""Alpha-beta with iterative deepening and a transposition table, for two seats without luck or secrets; compiled.

Values are whole numbers from the first seat's side, which maximises them: points in hundredths, and `WIN_VALUE` more
for a win where there is one. A value that depends on no estimate is exact and is kept as such; once the root's value
is exact, the position is solved.
"""

from typing import NamedTuple, TypeAlias

from ludotheque.extras import extra
from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import BY_POINTS, BY_RULES, Evaluator, Objective, Position
from ludotheque.search.playouts import MAX_MOVES, list_moves

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Longs: TypeAlias = NDArray[np.int64]
Bound: TypeAlias = int | np.int64

rules: Rules  # the game's, bound by `Machine.build`
evaluator: Evaluator  # the same

WIN_VALUE = 1_000_000
INFINITE = 1 << 40
MAX_PLY = 60
COMPLETE = 1000  # as the depth of an entry: its value depends on no estimate
EXACTLY, AT_LEAST, AT_MOST = range(3)
NODES, LIMIT, STOP, ESTIMATED = range(4)  # indexes into `Buffers.counts`

ENTRY = np.dtype(
    [("key", np.int64), ("move", np.int64), ("value", np.int64), ("depth", np.int32), ("bound", np.int32)],
    align=True,
)


class Buffers(NamedTuple):
    """Transposition table, history heuristic, moves and their ranks by ply, and counters."""

    table: NDArray[np.void]
    history: Longs
    found: Longs
    ranks: Longs
    counts: Longs


def new_buffers(texts: int, entries: int) -> Buffers:
    """Empty buffers; the number of entries is a power of two."""
    return Buffers(
        table=np.zeros(entries, ENTRY),
        history=np.zeros(2 * texts, np.int64),
        found=np.zeros((MAX_PLY + 1, MAX_MOVES), np.int64),
        ranks=np.zeros((MAX_PLY + 1, MAX_MOVES), np.int64),
        counts=np.zeros(4, np.int64),
    )


def value_moves(  # noqa: PLR0917 - compiled: no keywords
    state: Position, moves: Longs, values: Longs, depth: int, slack: int, buffers: Buffers, objective: Objective
) -> bool:
    """Value these moves, the best and all within `slack` of it exactly; false if the search was stopped."""
    actor = 0 if rules.to_act(state) & 1 else 1
    # Not the plain constants: numba would compile another version, whose cached code crashes (its issue 6713).
    low, high, ply = np.int64(-INFINITE), np.int64(INFINITE), np.int64(1)
    for index in range(len(moves)):
        value = alphabeta(rules.play(state, actor, moves[index]), depth - 1, low, high, ply, buffers, objective)
        if buffers.counts[STOP]:
            return False
        values[index] = value
        if actor == 0:
            low = np.int64(value - slack - 1) if value - slack - 1 > low else low
        else:
            high = np.int64(value + slack + 1) if value + slack + 1 < high else high
    return True


def alphabeta(  # noqa: PLR0917 - compiled: no keywords
    state: Position, depth: int, low: Bound, high: Bound, ply: Bound, buffers: Buffers, objective: Objective
) -> int:
    """The value of a position if it lies between `low` and `high`, else a bound on that side."""
    counts = buffers.counts
    counts[NODES] += 1
    if counts[NODES] >= counts[LIMIT]:
        counts[STOP] = 1
    if counts[STOP]:
        return 0
    acting = rules.to_act(state)
    if acting == 0:
        return final_value(state, objective)
    if depth <= 0 or ply >= MAX_PLY:
        counts[ESTIMATED] += 1
        return int(evaluator.static_value(state) + 100 * (objective.first_bonus - objective.second_bonus))
    key = evaluator.position_key(state)
    entry = buffers.table[key & (len(buffers.table) - 1)]
    table_move = -1
    if entry.key == key:
        table_move = entry.move
        if entry.depth >= depth and _is_usable(entry.value, entry.bound, low, high):
            counts[ESTIMATED] += entry.depth < COMPLETE
            return int(entry.value)
    before, floor, ceiling = counts[ESTIMATED], low, high
    actor = 0 if acting & 1 else 1
    found, ranks = buffers.found[ply], buffers.ranks[ply]
    number = list_moves(state, actor, found)
    _rank(state, actor, number, table_move, ply, buffers)
    best, choice = -INFINITE if actor == 0 else INFINITE, table_move
    for index in range(number):
        _next_best(found, ranks, index, number)
        move = found[index]
        value = alphabeta(rules.play(state, actor, move), depth - 1, low, high, ply + 1, buffers, objective)
        if counts[STOP]:
            return 0
        if (value > best) if actor == 0 else (value < best):
            best, choice = value, move
        if actor == 0:
            low = max(low, best)
        else:
            high = min(high, best)
        if low >= high:
            buffers.history[actor * (len(buffers.history) // 2) + move] += depth * depth
            break
    kept_depth = depth if counts[ESTIMATED] > before else COMPLETE
    bound = AT_MOST if best <= floor else AT_LEAST if best >= ceiling else EXACTLY
    if entry.key != key or kept_depth >= entry.depth or entry.depth < COMPLETE:
        entry.key, entry.move, entry.value, entry.depth, entry.bound = key, choice, best, kept_depth, bound
    return best


def final_value(state: Position, objective: Objective) -> int:
    """The value of a finished game: its points, and the win if there is one."""
    scores = rules.scores(state)
    lead = int(scores[0] + objective.first_bonus - scores[1] - objective.second_bonus)
    won = rules.winners(state) & 3 if objective.decided_by == BY_RULES else 0
    if objective.decided_by == BY_POINTS:
        won = 3 if lead == 0 else 1 if lead > 0 else 2
    if won == 1:
        return WIN_VALUE + 100 * lead
    if won == 2:
        return 100 * lead - WIN_VALUE
    return 100 * lead


def _is_usable(value: int, bound: int, low: Bound, high: Bound) -> bool:
    if bound == AT_LEAST:
        return bool(value >= high)
    if bound == AT_MOST:
        return bool(value <= low)
    return True


def _rank(  # noqa: PLR0917 - compiled: no keywords
    state: Position, actor: int, number: int, table_move: int, ply: Bound, buffers: Buffers
) -> None:
    """Rank moves: the one from the transposition table first, then by priority, then by the history heuristic."""
    half = len(buffers.history) // 2
    for index in range(number):
        move = buffers.found[ply, index]
        rank = (evaluator.move_priority(state, actor, move) << 40) + buffers.history[actor * half + move]
        buffers.ranks[ply, index] = INFINITE << 15 if move == table_move else rank


def _next_best(found: Longs, ranks: Longs, index: int, number: int) -> None:
    """Swap the highest ranked of the remaining moves to this index."""
    best = index
    for other in range(index + 1, number):
        if ranks[other] > ranks[best]:
            best = other
    move, rank = found[best], ranks[best]
    found[best], ranks[best] = found[index], ranks[index]
    found[index], ranks[index] = move, rank
