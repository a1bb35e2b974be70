"""Tricolore: who can capture whom, before the move and after it."""

from collections.abc import Iterator

from ludotheque.board.bits import count
from ludotheque.board.triangle import WAYS
from ludotheque.game import NOBODY, moves
from ludotheque.games.tricolore import BEGINS, ENDS, GAME, SPINS, State, play, prey_of, turned_by
from ludotheque.search.reasons import Decision, Reason


def reasons(decision: Decision) -> Iterator[Reason]:
    state, role, move = decision.state, decision.role, decision.move
    assert move is not None
    taken = count(_prey(state, role, move))
    if taken:
        yield Reason("gains", 50 + 10 * taken, (("number", taken),))
    after = play(state, role, move)
    if after.turn == NOBODY:
        return
    other = ("seat:other", after.turn)
    before, now = _threat(state, after.turn, role), _threat(after, after.turn, role)
    if before > now:
        yield Reason("rescues", 60 + 5 * (before - now), (other, ("number", before), ("now", now)))
    if not now:
        yield Reason("safe", 15, (other,))
    else:
        yield Reason("exposes", 5, (other, ("number", now)))
    hunted, hunting = _best(state, role), _best(after, role)
    if hunting > hunted:
        yield Reason("threatens", 25 + 5 * hunting, (("number", hunting),))


def _best(state: State, role: int) -> int:
    """The most pawns that the seat could capture if it were its turn."""
    here = state._replace(turn=role)
    return max((count(_prey(here, role, move)) for move in moves(GAME, here, role)), default=0)


def _threat(state: State, hunter: int, victim: int) -> int:
    """The most pawns of one seat that another could capture if it were its turn."""
    here = state._replace(turn=hunter)
    pawns = state.pawns[victim]
    return max((count(_prey(here, hunter, move) & pawns) for move in moves(GAME, here, hunter)), default=0)


def _prey(state: State, seat: int, move: int) -> int:
    return prey_of(state, seat, ENDS[move], (turned_by(state, BEGINS[move]) + SPINS[move]) % WAYS)
