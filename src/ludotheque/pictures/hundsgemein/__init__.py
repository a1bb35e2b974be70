"""The picture of Hundsgemein: blocks and streets, a dog at the end of every street, fleas that hide their owners.

A flea is a chip with its type. The last one placed is ringed and bears its owner's back; once owners are known, every
flea lies on its owner's. Then a dog stands on the back of whoever takes it, and the line down its street has that
colour; a dog that gets away is crossed out in the end. Below are the seats: open fleas, the stock as a row of backs,
points once they are known, an exclamation mark for whoever may object. All of it comes from the view, none from the
story, which is cut short lest it give owners away.
"""

from collections.abc import Collection

from ludotheque.board.bits import cells
from ludotheque.board.square import CELLS, NAMES
from ludotheque.games.hundsgemein.state import (
    DROP_0,
    FLIP_0,
    HIDDEN,
    KIND_OF,
    KINDS,
    OBJECT,
    PAIR_0,
    PLAY,
    STREETS,
    State,
    dog,
    open_fleas,
)
from ludotheque.pictures.hundsgemein.animals import copy, definitions
from ludotheque.pictures.hundsgemein.animals import emblem as back
from ludotheque.pictures.hundsgemein.animation import reason, score_steps, steps
from ludotheque.pictures.hundsgemein.buttons import button, button_names, thrown
from ludotheque.pictures.hundsgemein.district import district, roof_definition
from ludotheque.pictures.hundsgemein.geometry import SIZE, middle
from ludotheque.pictures.hundsgemein.pieces import CROSS_PATH, dog_at, flea_on, has_marker, lane, marker
from ludotheque.pictures.hundsgemein.terminal import text
from ludotheque.pictures.hundsgemein.trays import hand, tray
from ludotheque.pictures.kit.picture import Picture, Story
from ludotheque.pictures.kit.svg import el, moved, path


def draw(state: State, _seat: int, _story: Story) -> str:
    parts = [DEFINITIONS, district()]
    parts += [lane(state, street) for street in range(len(STREETS))]
    parts += [dog_at(state, street) for street in range(len(STREETS)) if dog(state, street)]
    parts += [flea_on(state, kind, cell) for kind in range(len(KINDS)) for cell in cells(state.fleas[kind])]
    parts += [marker(state)] if has_marker(state) else []
    for seat in range(state.seats):
        parts += [tray(state, seat), *hand(state, seat)]
    parts += [button(state, name) for name in button_names(state)]
    return "".join(parts)


def picks(_state: State, actor: int, move: int) -> tuple[str, ...]:
    """An open flea, then a block or the bin; both at once, an objection and the end have buttons of their own."""
    if move < DROP_0:
        return f"open-{actor}-{KINDS[KIND_OF[move]]}", f"block-{NAMES[move % CELLS]}"
    if move < PAIR_0:
        return f"open-{actor}-{KINDS[move - DROP_0]}", "bin"
    if move < OBJECT:
        return ("both",)
    if move < FLIP_0:
        return ("object",) if move == OBJECT else ("accept",)
    return ()


def stuck(view: State, actor: int, legal: Collection[int]) -> tuple[str, ...]:
    """Open fleas that can only be thrown away."""
    fitting = {KINDS[KIND_OF[move]] for move in legal if move < DROP_0}
    is_turn = view.phase == PLAY and view.turn == actor
    return tuple(f"open-{actor}-{kind}" for kind in sorted({*open_fleas(view, actor)} - fitting)) if is_turn else ()


def ghost(state: State, _actor: int, move: int) -> str:
    """A flea on its block or over the bin; a cross on the one objected to."""
    if move < DROP_0:
        return copy(KINDS[KIND_OF[move]], *middle(move % CELLS))
    if move < OBJECT:
        return thrown(state, move)
    return (
        path(CROSS_PATH, class_="hundsgemein-cross", transform=moved(*middle(state.last))) if move == OBJECT else ""
    )


def emblem(_state: State, role: int) -> str:
    return back(role)


def uncovered(state: State) -> State:
    """With the owners of all fleas."""
    return state._replace(options=state.options & ~HIDDEN)


DEFINITIONS = el("defs", *definitions(), roof_definition())
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
    uncovered=uncovered,
    stuck=stuck,
    ignores_seat=True,
)
