"""Which pawn is which: a position does not tell two pawns of one player apart, the story of the match does."""

from functools import lru_cache
from typing import NamedTuple

from ludotheque.board.bits import Bits, cells
from ludotheque.games.tricolore import BEGINS, COLOURS, ENDS, State, play, start
from ludotheque.pictures.kit.picture import Story

UNKNOWN = len(COLOURS)  # the owner of a captured pawn if the story does not tell
CHECKPOINT_MOVES = 64  # stories are cached at multiples of so many moves, and replayed from there


class Pawn(NamedTuple):
    """A pawn tracked since the start: whose it was, and its number there; 0 if it was not tracked."""

    seat: int
    number: int

    @property
    def name(self) -> str | None:
        return f"pawn-{self.seat}-{self.number}" if self.number else None


class Track(NamedTuple):
    """Where a story has led: the position, the pawns by their spaces, and those each seat has captured."""

    state: State
    standing: dict[int, Pawn]
    held: tuple[tuple[Pawn, ...], ...]


def track_pawns(state: State, story: Story) -> Track:
    """The pawns of a position as the story tells them apart, or nameless if it does not lead here."""
    told = _replayed(state.seats, state.limit, story)
    if told and told.state == state:
        return told
    standing = {cell: Pawn(seat, 0) for seat in range(len(COLOURS)) for cell in cells(state.pawns[seat])}
    losers = (1, 0) if state.seats == 2 else (UNKNOWN,) * state.seats
    return Track(state, standing, tuple((Pawn(loser, 0),) * state.taken[seat] for seat, loser in enumerate(losers)))


@lru_cache(maxsize=64)
def _replayed(seats: int, limit: int, story: Story) -> Track | None:
    """The pawns at the end of a whole story, from the last checkpoint on; None if it does not begin at the start."""
    told = story[: (len(story) - 1) // CHECKPOINT_MOVES * CHECKPOINT_MOVES] if story else ()
    track = _replayed(seats, limit, told) if told else _beginning(seats, limit)
    if track is None:
        return None
    state, standing, held = track.state, dict(track.standing), [list(pawns) for pawns in track.held]
    for actor, move in story[len(told) :]:
        if BEGINS[move] not in standing:
            return None
        after = play(state, actor, move)
        standing[ENDS[move]] = standing.pop(BEGINS[move])
        if after.taken != state.taken:
            held[actor] += [standing.pop(cell) for cell in cells(captured_by(state, after, actor))]
        state = after
    return Track(state, standing, tuple(tuple(pawns) for pawns in held))


def _beginning(seats: int, limit: int) -> Track:
    state = start(seats, quiet=limit)
    pawns = [(seat, pawn) for seat in range(len(COLOURS)) for pawn in enumerate(cells(state.pawns[seat]), 1)]
    return Track(state, {cell: Pawn(seat, number) for seat, (number, cell) in pawns}, ((),) * seats)


def captured_by(before: State, after: State, actor: int) -> Bits:
    """Where pawns of others than the actor have gone from."""
    return sum(before.pawns[seat] & ~after.pawns[seat] for seat in range(len(COLOURS)) if seat != actor)
