"""Hundsgemein: all saw who placed each flea, so a player with full recall knows everything but the next flip.

Good players object to every flea placed against the rules and place none themselves, so the search ignores objections
and plays as under a strict referee.
"""

from collections.abc import Sequence
from random import Random

from ludotheque.board.bits import cells
from ludotheque.board.square import CELLS, SIDE, SURROUNDINGS
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.scoring import kennels, scores
from ludotheque.games.hundsgemein.state import (
    ACCEPT,
    CENTRE,
    DOG,
    DROP_0,
    EXPERT,
    HIDDEN,
    OBJECT,
    TABLE,
    TEXTS,
    VALUES,
    WAIT,
    Quad,
    State,
    secret,
)
from ludotheque.games.hundsgemein.turns import legal, play, start
from ludotheque.search.heuristics import SearchProfile

PROFILE = SearchProfile(points_weight=0.2, points_scale=15.0)
OWN_RECALL = 0.7  # share of one's own fleas that every player remembers at least


def reflex(seen: State, seat: int, random: Random, notice_chance: float) -> tuple[str | None] | None:
    """Object to a flea placed against the rules, if it is noticed; else accept, or pass until it is one's turn."""
    if seen.objectors >> seat & 1 and against_rules(seen) and random.random() < notice_chance:
        return (TEXTS[OBJECT],)
    if seen.turn != seat:
        return (None,)
    return (TEXTS[ACCEPT],) if seen.phase == WAIT else None


def against_rules(seen: State) -> bool:
    """Whether the last flea placed lies where it may not."""
    if seen.last == NOBODY:
        return False
    kind = next(kind for kind in range(4) if seen.fleas[kind] >> seen.last & 1)
    return seen.last == CENTRE or SURROUNDINGS[seen.last] & seen.fleas[kind] != 0


def recall(seen: State, witnessed: Sequence[tuple[int, int]], seat: int, random: Random, share: float) -> State:
    """The state as a player remembers it that knows a share of the owners; the others are shuffled within a type."""
    known = _replayed(seen, witnessed) if secret(seen) else seen
    if share < 1 and secret(seen):
        known = known._replace(owners=_shuffled_owners(known, seat, random, share))
    return _strict(known)


def points(state: State) -> Quad:
    """The points of each seat if the game ended now."""
    return scores(state._replace(options=state.options & ~HIDDEN))


def playout_weight(state: State, _actor: int, move: int) -> int:
    """The squared value of the dogs that pass the block; throwing away is rare."""
    if move >= DROP_0:
        return 1
    file, rank = move % CELLS // SIDE, move % SIDE
    last = SIDE - 1
    total = _prize(state, rank) if rank < last else 0
    total += _prize(state, rank - 1) if rank else 0
    total += _prize(state, last + file) if file < last else 0
    total += _prize(state, last + file - 1) if file else 0
    return total * total


def uniform_playouts() -> bool:
    return False


def greedy_gain(state: State, actor: int, move: int) -> int:
    owned = kennels(play(state, actor, move))
    best = 0
    for seat in range(state.seats):
        if seat != actor:
            best = max(best, owned[seat] >> 4)
    return (owned[actor] >> 4) - best


def open_moves(seen: State, witnessed: Sequence[tuple[int, int]]) -> list[tuple[State, int, int]] | None:
    """Every legal flea placed or thrown away so far: the position, the seat, and the move.

    None for two seats: against a single opponent a model does not help.
    """
    if seen.seats == 2:
        return None
    state, found = _first(seen), []
    for actor, move in witnessed:
        if move < OBJECT and legal(_strict(state), actor, move):
            found.append((_strict(state), actor, move))
        state = play(state, actor, move)
    return found


def _prize(state: State, street: int) -> int:
    return VALUES[state.dogs >> DOG * street & 0b111]


def _replayed(seen: State, witnessed: Sequence[tuple[int, int]]) -> State:
    state = _first(seen)
    for actor, move in witnessed:
        state = play(state, actor, move)
    return state


def _first(seen: State) -> State:
    """The state at the start."""
    return start(
        seen.seats,
        expert=bool(seen.options & EXPERT),
        referee="table" if seen.options & TABLE else "strict",
        owners="hidden" if seen.options & HIDDEN else "open",
    )


def _strict(state: State) -> State:
    """The same position under a strict referee: nobody can object."""
    return state._replace(options=state.options & ~TABLE, objectors=0)


def _shuffled_owners(state: State, seat: int, random: Random, share: float) -> Quad:
    owners = list(state.owners)
    for kind in range(4):
        vague = [
            (cell, owner)
            for owner in range(state.seats)
            for cell in cells(state.fleas[kind] & state.owners[owner])
            if cell != state.last and random.random() > (share if owner != seat else max(share, OWN_RECALL))
        ]
        shuffled = [owner for _, owner in vague]
        random.shuffle(shuffled)
        for (cell, owner), other in zip(vague, shuffled, strict=True):
            owners[owner] &= ~(1 << cell)
            owners[other] |= 1 << cell
    first, second, third, fourth = owners
    return first, second, third, fourth
