"""Hundsgemein: everyone saw who placed each flea, so who remembers everything knows everything but the next flip.

Good players at the table object to every flea placed against the rules and place none themselves, so the search need
not think about objections: it plays as under a strict referee.
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


def reflex(seen: State, seat: int, random: Random, notices: float) -> tuple[str | None] | None:
    """Object to what is against the rules, if it is noticed; else accept, or wait for one's turn."""
    if seen.objectors >> seat & 1 and against_rules(seen) and random.random() < notices:
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


def recall(seen: State, witnessed: Sequence[tuple[int, int]], seat: int, random: Random, memory: float) -> State:
    """The position as one remembers it: some owners of other fleas than one's own are mixed up, type by type."""
    known = _replayed(seen, witnessed) if secret(seen) else seen
    if memory < 1 and secret(seen):
        known = known._replace(owners=_mixed_up(known, seat, random, memory))
    return _strict(known)


def points(state: State) -> Quad:
    """What each seat's dogs would be worth now, if it ended here."""
    return scores(state._replace(options=state.options & ~HIDDEN))


def playout_weight(state: State, _actor: int, move: int) -> int:
    """Fleas by the dogs that pass their block; hardly ever is one thrown away."""
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
    """Every flea placed or thrown away so far by the rules: the position, who did it, and the move.

    None if nobody is to be read: against one alone it is enough to play well.
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
    """How it began."""
    return start(
        seen.seats,
        expert=bool(seen.options & EXPERT),
        referee="table" if seen.options & TABLE else "strict",
        owners="hidden" if seen.options & HIDDEN else "open",
    )


def _strict(state: State) -> State:
    """The position as a strict referee has it: nobody can object."""
    return state._replace(options=state.options & ~TABLE, objectors=0)


def _mixed_up(state: State, seat: int, random: Random, memory: float) -> Quad:
    owners = list(state.owners)
    for kind in range(4):
        vague = [
            (cell, owner)
            for owner in range(state.seats)
            for cell in cells(state.fleas[kind] & state.owners[owner])
            if cell != state.last and random.random() > (memory if owner != seat else max(memory, 0.7))
        ]
        shuffled = [owner for _, owner in vague]
        random.shuffle(shuffled)
        for (cell, owner), other in zip(vague, shuffled, strict=True):
            owners[owner] &= ~(1 << cell)
            owners[other] |= 1 << cell
    first, second, third, fourth = owners
    return first, second, third, fourth
