"""Who looks at a table: which seats are theirs, and through which one the page is drawn."""

from dataclasses import dataclass

from ludotheque.match import Match
from ludotheque.web.models import Seat
from ludotheque.web.table.state import TableState
from ludotheque.web.visitors import owns


@dataclass(frozen=True)
class Viewer:
    """`seat` is None for a spectator; `handover_to` is the seat that is asked to take the screen."""

    mine: tuple[int, ...]
    seat: int | None = None
    handover_to: int | None = None


def viewer_of(state: TableState, seats: list[Seat], visitor: str, wanted: int) -> Viewer:
    """What a visitor sees. One who holds several seats sees what the one to move sees.

    Where these seats know different things the screen must be handed over: until the next person says so, by asking
    to look through the `wanted` seat, the page shows what everybody may see.
    """
    mine = tuple([seat.number for seat in seats if owns(seat, visitor)])
    match = state.match
    if match is None or not mine:
        return Viewer(mine, mine[0] if mine else None)
    if len(mine) == 1 or state.over:
        return Viewer(mine, mine[0])
    acting = [seat for seat in mine if seat in match.to_act]
    if not has_secrets(match, mine):
        return Viewer(mine, acting[0] if acting else mine[0])
    if wanted in acting:
        return Viewer(mine, wanted)
    return Viewer(mine, None, acting[0] if acting else None)


def has_secrets(match: Match, seats: tuple[int, ...]) -> bool:
    """Whether one of these seats knows, or is about to choose, what another may not see."""
    if match.game.sealed(match.state) or len({match.seen(seat) for seat in seats}) > 1:
        return True
    return match.game.has_private and any(match.is_private(actor, seat) for actor in seats for seat in seats)


def may_ask_hint(state: TableState, seats: list[Seat], viewer: Viewer) -> bool:
    """Whether the one to move may ask for a hint: nobody may who plays against other people."""
    people = tuple([seat.number for seat in seats if seat.kind == Seat.Kind.PERSON])
    match = state.match
    if match is None or people != viewer.mine:
        return False
    return match.seats > 1 and viewer.seat in match.to_act
