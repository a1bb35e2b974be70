"""T. for Two: mushrooms want room to grow together, Tetrods take it."""

from collections.abc import Iterator

from ludotheque.board.bits import Bits, count
from ludotheque.board.square import FULL, SIDE
from ludotheque.games.tfortwo import COVERS, MUSHROOM, RIM, State, first_group, play
from ludotheque.search.reasons import Decision, Reason


def reasons(decision: Decision) -> Iterator[Reason]:
    state, role, move = decision.state, decision.role, decision.move
    assert move is not None
    after = play(state, role, move)
    if role == MUSHROOM:
        number = count(_beside(_group(after.mushrooms, 1 << move)) & _free(after))
        if number:
            yield Reason("grows", 15 + number, (("number", number),))
        return
    covered = count(_beside(state.mushrooms) & _free(state) & COVERS[move])
    if covered:
        yield Reason("covers", 20 + covered, (("number", covered),))
    yield Reason("leaves", 10, (("number", count(_beside(after.mushrooms) & _free(after))),))


def _group(mushrooms: Bits, bit: Bits) -> Bits:
    """The group that has this mushroom."""
    group = first_group(mushrooms)
    while not group & bit:
        mushrooms &= ~group
        group = first_group(mushrooms)
    return group


def _beside(group: Bits) -> Bits:
    return group << SIDE | group >> SIDE | (group << 1 & ~RIM) | (group & ~RIM) >> 1


def _free(state: State) -> Bits:
    return FULL & ~(state.mushrooms | state.tetrods)
