"""Dogs at the ends of streets and fleas on blocks, with their owners as far as these may be known."""

from functools import cache

from ludotheque.board.square import NAMES
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.scoring import taker
from ludotheque.games.hundsgemein.state import DOGS, KINDS, OVER, STREETS, VALUES, State, dog, secret
from ludotheque.pictures.hundsgemein.animals import CHIP, copy
from ludotheque.pictures.hundsgemein.geometry import (
    DISTRICT_SIZE,
    FRAME_WIDTH,
    LEFT,
    TOP,
    UP_STREETS,
    dog_place,
    middle,
    street_position,
)
from ludotheque.pictures.kit.svg import circle, group, line, moved, path, title

MEDAL_RADIUS = 55  # of the disc a dog stands on
BADGE = (29, -29, 0.46)  # x, y and scale of the mark that tells the last flea's owner
COLOURS = ("red", "green", "yellow", "blue")
CROSS_PATH = "M-30-30L30 30M30-30L-30 30"


def lane(state: State, street: int) -> str:
    """The line down a street, in the colour of whoever takes its dog."""
    seat = known_taker(state, street)
    look = "hundsgemein-lane" if seat == NOBODY else f"hundsgemein-lane hundsgemein-lane{seat}"
    place, name = street_position(street), f"lane-{STREETS[street]}"
    if street in UP_STREETS:
        return line(place, TOP - FRAME_WIDTH, place, TOP + DISTRICT_SIZE, class_=look, id=name)
    return line(LEFT, place, LEFT + DISTRICT_SIZE + FRAME_WIDTH, place, class_=look, id=name)


def known_taker(state: State, street: int) -> int:
    """Who takes the dog, as far as it may be known."""
    return NOBODY if secret(state) else taker(state, street)


def dog_at(state: State, street: int) -> str:
    return _standing(street, dog(state, street) or "", known_taker(state, street), state.phase == OVER)


@cache
def _standing(street: int, name: str, seat: int, over: bool) -> str:
    """A dog with its value, on the back of whoever takes it; crossed out in the end if nobody does."""
    said = f"{STREETS[street]}: {name} {VALUES[DOGS.index(name) + 1]}"
    if seat != NOBODY:
        parts = [
            title(f"{said}, {COLOURS[seat]}"),
            copy(f"{seat}", transform=f"scale({MEDAL_RADIUS / CHIP:.2f})"),
            copy(name),
        ]
    else:
        parts = [
            title(f"{said}, gets away" if over else said),
            circle(0, 0, MEDAL_RADIUS, class_="hundsgemein-medal"),
        ]
        parts.append(copy(name, class_="hundsgemein-free" if over else None))
        parts += [path(CROSS_PATH, class_="hundsgemein-cross")] if over else []
    return group(parts, id=f"dog-{STREETS[street]}", transform=moved(*dog_place(street)))


def _owner(state: State, cell: int) -> int:
    """Whose a flea is, as far as it may be known."""
    return next((seat for seat in range(state.seats) if state.owners[seat] >> cell & 1), NOBODY)


def flea_on(state: State, kind: int, cell: int) -> str:
    return _lying(cell, KINDS[kind], NOBODY if secret(state) else _owner(state, cell))


@cache
def _lying(cell: int, kind: str, owner: int) -> str:
    """A flea on its block; on its owner's back, once that is known."""
    known = owner != NOBODY
    said = title(f"{NAMES[cell]}: flea {kind}" + (f", {COLOURS[owner]}" if known else ""))
    return copy(f"{owner}{kind}" if known else kind, *middle(cell), said, id=f"flea-{NAMES[cell]}")


def has_marker(state: State) -> bool:
    return state.last != NOBODY and state.phase != OVER


def marker(state: State) -> str:
    """The last flea placed, and its owner if the flea itself does not tell."""
    owner = _owner(state, state.last)
    x, y, size = BADGE
    badge = copy(f"{owner}", transform=f"{moved(x, y)} scale({size})") if secret(state) else ""
    ring = circle(0, 0, CHIP + 4, class_="hundsgemein-last")
    said = title(f"last flea: {NAMES[state.last]}, {COLOURS[owner]}")
    return group([said, ring, badge], id="last", class_="hundsgemein-still", transform=moved(*middle(state.last)))
