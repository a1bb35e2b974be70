"""The picture of Tricolore: pawns of gold, silver and black on a triangle, and what each player has captured.

A pawn's body tells its owner, the bands around it are its six sides. The three colours differ by brightness and by
sign as well: a diamond, a circle, a square. Where enemies touch, an arrowhead points at the one that the other would
capture by turning; touching sides never match as they stand, for what matches is captured at once.

A pawn has two ids. The inner one, by which it is touched, comes from its place: `pawn-c2`, `captured-0-1`; it is all
that `picks` and `steps` can know, for a position does not tell two pawns of one player apart. The outer one,
`pawn-0-3`, follows the story and stays with the pawn wherever it goes; without the whole story there is none.
"""

from ludotheque.board.bits import cells
from ludotheque.games.tricolore import BEGINS, BOARD, ENDS, SPINS, State, colour, play, turned_by
from ludotheque.pictures.kit.picture import Picture, Story
from ludotheque.pictures.kit.svg import el, group, moved, use
from ludotheque.pictures.tricolore.animation import TURNS, reason, score_steps, steps
from ludotheque.pictures.tricolore.board import empty_board, limit_bar
from ludotheque.pictures.tricolore.geometry import SIZE, place
from ludotheque.pictures.tricolore.pawns import (
    DEFINITIONS,
    emblem,
    pawn_shape,
    standing_pawn,
    threats,
    tray,
    turn_arrow,
)
from ludotheque.pictures.tricolore.terminal import text
from ludotheque.pictures.tricolore.track import captured_by, track_pawns


def draw(state: State, _seat: int, story: Story) -> str:
    _, standing, held = track_pawns(state, story)
    parts = [DEFINITIONS, empty_board(state.seats), limit_bar(state)]
    parts += [tray(state, seat, pawns) for seat, pawns in enumerate(held)]
    for cell, pawn in standing.items():
        shape = standing_pawn(cell, state.seats, pawn.seat, turned_by(state, cell))
        parts.append(el("g", shape, id=pawn.name, transform=moved(*place(cell))))
    return "".join([*parts, *threats(state)])


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """The pawn, then the space it goes to or the button that turns it."""
    pawn = f"pawn-{BOARD.names[BEGINS[move]]}"
    return pawn, TURNS[SPINS[move]] if SPINS[move] else f"space-{BOARD.names[ENDS[move]]}"


def ghost(state: State, actor: int, move: int) -> str:
    """The pawn as it would stand, the way it turned, and a cross on whatever it would capture."""
    x, y = place(ENDS[move])
    turned = turned_by(state, BEGINS[move]) + SPINS[move]
    parts = [el("g", pawn_shape(colour(state.seats, actor), turned), transform=moved(x, y))]
    if SPINS[move]:
        parts.append(turn_arrow(x, y, 1 if SPINS[move] == 1 else -1))
    prey = captured_by(state, play(state, actor, move), actor)
    return group([*parts, *(use("tricolore-cross", *place(cell)) for cell in cells(prey))])


PICTURE = Picture(
    size=SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    score_steps=score_steps,
    reason=reason,
    emblem=emblem,
    ignores_seat=True,
)
