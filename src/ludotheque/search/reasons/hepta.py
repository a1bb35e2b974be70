"""Hepta: room for one's own pieces, and for those of the other."""

from collections.abc import Iterator

from ludotheque.board.bits import Bits
from ludotheque.game import NOBODY
from ludotheque.games.hepta import ELLS, EYES, TAKE_EYES, State, play
from ludotheque.search.reasons import Decision, Reason

SHAPES = (EYES, ELLS)


def reasons(decision: Decision) -> Iterator[Reason]:
    state, role, move = decision.state, decision.role, decision.move
    assert move is not None
    if state.blockers_left:
        yield _block(state, role, move)
    elif state.eyes_seat == NOBODY:
        mine, theirs = (EYES, ELLS) if move == TAKE_EYES else (ELLS, EYES)
        yield Reason("choose", 20, (("mine", len(_places(state, mine))), ("theirs", len(_places(state, theirs)))))
    else:
        yield from _lay(state, role, move)


def _block(state: State, role: int, move: int) -> Reason:
    after = play(state, role, move)
    eyes, ells = (len(_places(state, shape)) - len(_places(after, shape)) for shape in SHAPES)
    return Reason("block", 20, (("eyes", eyes), ("ells", ells)))


def _lay(state: State, role: int, move: int) -> Iterator[Reason]:
    after, other = play(state, role, move), ("seat:other", 1 - role)
    mine, theirs = _open_places(state, role), _open_places(state, 1 - role)
    still_mine, still_theirs = _open_places(after, role), _open_places(after, 1 - role)
    if theirs and not still_theirs:
        yield Reason("stops", 70, (other,))
    sure = _sure(after, role)
    if sure and still_theirs:
        yield Reason("keeps", 30 + sure, (other, ("number", sure)))
    if not _left(after, role):
        yield Reason("last-piece", 30)
        return
    lost, taken = len(mine) - len(still_mine), len(theirs) - len(still_theirs)
    yield Reason("closes", 20, (other, ("taken", taken), ("all", len(theirs)), ("lost", lost), ("own", len(mine))))


def _sure(state: State, role: int) -> int:
    """How many pieces the seat can lay at least, whatever the other does: on cells that the other cannot cover."""
    reach = 0
    for place in _open_places(state, 1 - role):
        reach |= place
    used, number = 0, 0
    for place in _open_places(state, role):
        if not place & (reach | used):
            used, number = used | place, number + 1
    return min(number, _left(state, role))


def _open_places(state: State, role: int) -> list[Bits]:
    """Where the seat's pieces fit; nowhere if it has none left."""
    return _places(state, SHAPES[role != state.eyes_seat]) if _left(state, role) else []


def _left(state: State, role: int) -> int:
    return state.eyes_left if role == state.eyes_seat else state.ells_left


def _places(state: State, shape: tuple[Bits, ...]) -> list[Bits]:
    taken = state.blockers | state.eyes | state.ells
    return [mask for mask in shape if not mask & taken]
