"""Pawns of Tricolore: bodies, sides and signs, on the board and captured, and the threats between them."""

from collections.abc import Iterator
from functools import cache

from ludotheque.board.bits import cells
from ludotheque.board.triangle import NOWHERE, WAYS
from ludotheque.game import NOBODY
from ludotheque.games.tricolore import BESIDE, BOARD, COLOURS, GOAL, SIDES, State, colour, owner, side, turned_by
from ludotheque.pictures.kit.svg import el, group, moved, path, polygon, rect, title, use
from ludotheque.pictures.tricolore.geometry import (
    BODY_APOTHEM,
    NEUTRAL_APOTHEM,
    PAWN_APOTHEM,
    SPACE_PITCH,
    hexagon,
    place,
    polar,
)
from ludotheque.pictures.tricolore.track import UNKNOWN, Pawn

EMBLEM_SCALE = 1.2  # of a body as an emblem
SIGN_DISTANCE = 37.5  # from the middle of a pawn to the sign of a side
THREAT_ASIDE = 16  # from that sign to an arrowhead
ARROW = "M-39.8-33.4A52 52 0 0 1 39.8-33.4m-17.6-3.7l17.6 3.7l-.6-18"  # clockwise round a pawn
# The signs of gold, silver and black.
SIGN_PATHS = (
    "M0-11.5L11.5 0L0 11.5L-11.5 0Z",
    "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0m5 0a5 5 0 1 1 10 0a5 5 0 1 1-10 0",
    "M-8.5-8.5h17v17h-17Z",
)

TRAY_SIZE = (336, 120)
TRAY_CORNERS = ((16, 22), (648, 892), (16, 892))  # of gold, silver and black: in front of each
# Where captured pawns lie in a tray, and their size; the second pair if there are more than win.
SLOTS, CAPTIVE_SCALE = ((150, 60), (219, 60), (288, 60)), 0.68
CLOSE_SLOTS, CLOSE_SCALE = tuple((140 + 50 * column, y) for y in (35, 85) for column in range(4)), 0.47


@cache
def standing_pawn(cell: int, seats: int, seat: int, turned: int) -> str:
    """A pawn for its place on the board."""
    body, name = colour(seats, seat), BOARD.names[cell]
    if seat >= seats:
        said, shape = f"{name}: neutral pawn", use("tricolore-neutral", 0, 0)
    else:
        shown = ", ".join(COLOURS[side(turned, way)] for way in range(WAYS))
        said = f"{name}: {COLOURS[body]} pawn; sides from the right clockwise: {shown}"
        shape = pawn_shape(body, turned)
    return group([title(said), shape], id=f"pawn-{name}")


def pawn_shape(body: int, turned: int) -> str:
    kind = "unknown" if body == UNKNOWN else COLOURS[body]
    sides = use("tricolore-sides", 0, 0, transform=f"rotate({360 // WAYS * (turned % WAYS)})")
    return use("tricolore-foot", 0, 0) + sides + use(f"tricolore-{kind}", 0, 0)


def _captive(seats: int, seat: int, name: str) -> str:
    body = UNKNOWN if seat == UNKNOWN else colour(seats, seat)
    said = title("captured pawn" if body == UNKNOWN else f"captured {COLOURS[body]} pawn")
    return group([said, pawn_shape(body, 0)], id=name)


def tray(state: State, seat: int, pawns: tuple[Pawn, ...]) -> str:
    """What lies in front of a player, with room for as many pawns as win."""
    own, turn = colour(state.seats, seat), state.turn == seat
    said = title(f"{COLOURS[own]}: {len(pawns)} of {GOAL} captured")
    ground = rect(0, 0, *TRAY_SIZE, said, rx=20, class_="tray tricolore-turn" if turn else "tray")
    pointer = path("M16 49L30 60L16 71Z", class_="tricolore-pointer") if turn else ""
    parts = [ground, pointer, use(f"tricolore-{COLOURS[own]}", 66, TRAY_SIZE[1] / 2)]
    parts += [use("tricolore-slot", *slot) for slot in SLOTS[len(pawns) :]]
    slots, size = (SLOTS, CAPTIVE_SCALE) if len(pawns) <= GOAL else (CLOSE_SLOTS, CLOSE_SCALE)
    for number, pawn in enumerate(pawns, 1):
        shape = _captive(state.seats, pawn.seat, f"captured-{seat}-{number}")
        parts.append(el("g", shape, id=pawn.name, transform=f"{moved(*slots[number - 1])} scale({size})"))
    return group(parts, id=f"tray-{seat}", transform=moved(*TRAY_CORNERS[own]))


def turn_arrow(x: float, y: float, way: int, size: float = 1) -> str:
    """An arrow round the upper side of a pawn, clockwise or not."""
    return use("tricolore-arrow", 0, 0, transform=f"{moved(x, y)} scale({way * size} {size})")


def threats(state: State) -> list[str]:
    """Arrowheads from pawns to the enemies beside them that they would capture by turning."""
    if state.turn == NOBODY:
        return []
    return [
        _threat(cell, way)
        for seat in range(state.seats)
        for cell in cells(state.pawns[seat])
        for way in range(WAYS)
        if _threatens(state, seat, cell, way)
    ]


def _threatens(state: State, seat: int, cell: int, way: int) -> bool:
    other = BESIDE[WAYS * cell + way]
    if other == NOWHERE or owner(state, other) in {NOBODY, seat, *range(state.seats, len(COLOURS))}:
        return False
    turned, facing = turned_by(state, cell), side(turned_by(state, other), way + WAYS // 2)
    return facing in {side(turned + 1, way), side(turned - 1, way)}


@cache
def _threat(cell: int, way: int) -> str:
    """An arrowhead across two touching sides, to the right of their signs: two that point at each other have room."""
    x, y = place(cell)
    dx, dy = polar(SPACE_PITCH / 2, 60 * way)
    aside_x, aside_y = polar(THREAT_ASIDE, 60 * way + 90)
    return use("tricolore-threat", 0, 0, transform=moved(x + dx + aside_x, y + dy + aside_y, 60 * way))


def _band(way: int) -> str:
    """One side of an unturned pawn, with the sign of its colour."""
    outer, inner, after = hexagon(PAWN_APOTHEM), hexagon(BODY_APOTHEM), (way + 1) % WAYS
    kind = COLOURS[SIDES[way]]
    band = polygon((outer[way], outer[after], inner[after], inner[way]), class_=f"tricolore-{kind}-side")
    sign = f"{moved(*polar(SIGN_DISTANCE, 60 * way), 60 * way)} scale(.5)"
    return band + path(SIGN_PATHS[SIDES[way]], transform=sign, class_=f"tricolore-on-{kind}")


def _body(kind: str, sign: str, apothem: float = BODY_APOTHEM) -> str:
    """A body with a light ring around it, which parts it from sides of its own colour."""
    ring = polygon(hexagon(apothem + 3), class_="tricolore-ring")
    mark = path(sign, class_=f"tricolore-on-{kind}") if sign else ""
    return ring + polygon(hexagon(apothem), class_=f"tricolore-{kind}") + mark


def emblem(state: State, seat: int) -> str:
    """The body of a seat's pawns."""
    own = colour(state.seats, seat)
    return group([_body(COLOURS[own], SIGN_PATHS[own])], transform=f"scale({EMBLEM_SCALE})")


def _shadow() -> str:
    return polygon(hexagon(PAWN_APOTHEM, 0, 5), class_="tricolore-shadow")


def _definitions() -> Iterator[str]:
    foot = _shadow() + polygon(hexagon(PAWN_APOTHEM), class_="tricolore-foot")
    yield el("g", foot, id="tricolore-foot")
    yield el("g", *(_band(way) for way in range(WAYS)), id="tricolore-sides")
    for kind, shape in zip((*COLOURS, "unknown"), (*SIGN_PATHS, ""), strict=True):
        yield el("g", _body(kind, shape), id=f"tricolore-{kind}")
    rim = _shadow() + polygon(hexagon(PAWN_APOTHEM), class_="tricolore-stone")
    yield el("g", rim, _body("gold", SIGN_PATHS[0], NEUTRAL_APOTHEM), id="tricolore-neutral")
    yield polygon(hexagon(PAWN_APOTHEM * CAPTIVE_SCALE), class_="tricolore-slot", id="tricolore-slot")
    yield path(ARROW, class_="tricolore-arrow", id="tricolore-arrow")
    yield path("M-12-9L13 0L-12 9L-7 0Z", class_="tricolore-threat", id="tricolore-threat")
    yield path("M-24-24L24 24M24-24L-24 24", class_="tricolore-cross", id="tricolore-cross")


DEFINITIONS = el("defs", *_definitions())
