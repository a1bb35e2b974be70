"""Alpha-beta with iterative deepening and a table of positions, for two seats without luck or secrets; compiled.

Values are whole numbers from the first seat's side, which it raises and the second lowers: points in hundredths, and
`WIN` more for a win where there is one. What does not depend on the horizon is exact, is kept as such, and in the end
proves the value of the position: endgames are solved.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import Objective, Position, Sense
from ludotheque.search.playouts import WIDEST, listed

Longs: TypeAlias = NDArray[np.int64]
Bound: TypeAlias = int | np.int64

rules: Rules  # the game's, given by `Machine.build`
sense: Sense  # the same

WIN = 1_000_000
INFINITE = 1 << 40
DEEPEST = 60
COMPLETE = 1000  # as the depth of an entry: nothing below was left to judgement
EXACTLY, AT_LEAST, AT_MOST = range(3)
NODES, LIMIT, STOP, JUDGED = range(4)  # of `Work.counts`

ENTRY = np.dtype(
    [("key", np.int64), ("move", np.int64), ("value", np.int64), ("depth", np.int32), ("bound", np.int32)],
    align=True,
)


class Work(NamedTuple):
    """The table of positions, what has worked before, moves and their ranks by depth, and the counts."""

    table: NDArray[np.void]
    history: Longs
    found: Longs
    ranks: Longs
    counts: Longs


def new_work(texts: int, entries: int) -> Work:
    """An empty scratch; the number of entries is a power of two."""
    return Work(
        table=np.zeros(entries, ENTRY),
        history=np.zeros(2 * texts, np.int64),
        found=np.zeros((DEEPEST + 1, WIDEST), np.int64),
        ranks=np.zeros((DEEPEST + 1, WIDEST), np.int64),
        counts=np.zeros(4, np.int64),
    )


def ponder(  # noqa: PLR0917 - compiled: no keywords
    state: Position, moves: Longs, values: Longs, depth: int, slack: int, work: Work, objective: Objective
) -> bool:
    """Value these moves, the best and all within `slack` of it exactly; false if there was no time for it."""
    actor = 0 if rules.to_act(state) & 1 else 1
    # Not the plain constants: for these numba would make another version, whose kept code crashes (its issue 6713).
    low, high, ply = np.int64(-INFINITE), np.int64(INFINITE), np.int64(1)
    for index in range(len(moves)):
        value = explore(rules.play(state, actor, moves[index]), depth - 1, low, high, ply, work, objective)
        if work.counts[STOP]:
            return False
        values[index] = value
        if actor == 0:
            low = np.int64(value - slack - 1) if value - slack - 1 > low else low
        else:
            high = np.int64(value + slack + 1) if value + slack + 1 < high else high
    return True


def explore(  # noqa: PLR0917 - compiled: no keywords
    state: Position, depth: int, low: Bound, high: Bound, ply: Bound, work: Work, objective: Objective
) -> int:
    """The value of a position if it lies between `low` and `high`, else a bound on its side of them."""
    counts = work.counts
    counts[NODES] += 1
    if counts[NODES] >= counts[LIMIT]:
        counts[STOP] = 1
    if counts[STOP]:
        return 0
    acting = rules.to_act(state)
    if acting == 0:
        return final(state, objective)
    if depth <= 0 or ply >= DEEPEST:
        counts[JUDGED] += 1
        return int(sense.value(state) + 100 * (objective.ahead - objective.behind))
    key = sense.key(state)
    entry = work.table[key & (len(work.table) - 1)]
    hint = -1
    if entry.key == key:
        hint = entry.move
        if entry.depth >= depth and _settles(entry.value, entry.bound, low, high):
            counts[JUDGED] += entry.depth < COMPLETE
            return int(entry.value)
    before, floor, ceiling = counts[JUDGED], low, high
    actor = 0 if acting & 1 else 1
    found, ranks = work.found[ply], work.ranks[ply]
    number = listed(state, actor, found)
    _rank(state, actor, number, hint, ply, work)
    best, choice = -INFINITE if actor == 0 else INFINITE, hint
    for index in range(number):
        _next_best(found, ranks, index, number)
        move = found[index]
        value = explore(rules.play(state, actor, move), depth - 1, low, high, ply + 1, work, objective)
        if counts[STOP]:
            return 0
        if (value > best) if actor == 0 else (value < best):
            best, choice = value, move
        if actor == 0:
            low = max(low, best)
        else:
            high = min(high, best)
        if low >= high:
            work.history[actor * (len(work.history) // 2) + move] += depth * depth
            break
    deep = depth if counts[JUDGED] > before else COMPLETE
    bound = AT_MOST if best <= floor else AT_LEAST if best >= ceiling else EXACTLY
    if entry.key != key or deep >= entry.depth or entry.depth < COMPLETE:
        entry.key, entry.move, entry.value, entry.depth, entry.bound = key, choice, best, deep, bound
    return best


def final(state: Position, objective: Objective) -> int:
    """The value of a finished game: its points, and the win if there is one."""
    scores = rules.scores(state)
    lead = int(scores[0] + objective.ahead - scores[1] - objective.behind)
    won = rules.winners(state) & 3 if objective.decides == 1 else 0
    if objective.decides == 2:
        won = 3 if lead == 0 else 1 if lead > 0 else 2
    if won == 1:
        return WIN + 100 * lead
    if won == 2:
        return 100 * lead - WIN
    return 100 * lead


def _settles(value: int, bound: int, low: Bound, high: Bound) -> bool:
    if bound == AT_LEAST:
        return bool(value >= high)
    if bound == AT_MOST:
        return bool(value <= low)
    return True


def _rank(state: Position, actor: int, number: int, hint: int, ply: Bound, work: Work) -> None:  # noqa: PLR0917
    """Which moves to look at first: the one that was best here before, then what we know and what has worked."""
    half = len(work.history) // 2
    for index in range(number):
        move = work.found[ply, index]
        rank = (sense.order(state, actor, move) << 40) + work.history[actor * half + move]
        work.ranks[ply, index] = INFINITE << 15 if move == hint else rank


def _next_best(found: Longs, ranks: Longs, index: int, number: int) -> None:
    """Bring the best of the rest to this place."""
    best = index
    for other in range(index + 1, number):
        if ranks[other] > ranks[best]:
            best = other
    move, rank = found[best], ranks[best]
    found[best], ranks[best] = found[index], ranks[index]
    found[index], ranks[index] = move, rank
