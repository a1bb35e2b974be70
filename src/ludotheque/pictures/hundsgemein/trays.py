"""The seats of Hundsgemein below the board: open fleas, stock, points."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from ludotheque.games.hundsgemein.scoring import scores, winners
from ludotheque.games.hundsgemein.state import EACH, OPENING, OVER, PLAY, TABLE, WAIT, State, open_fleas, pile, secret
from ludotheque.pictures.hundsgemein.animals import BELLY, CHIP, chip, copy
from ludotheque.pictures.hundsgemein.geometry import (
    BUTTON_SIZE,
    CORNER_RADIUS,
    GAP,
    SIZE,
    TRAY_HEIGHT,
    TRAYS_LEFT,
    TRAYS_TOP,
)
from ludotheque.pictures.hundsgemein.pieces import COLOURS
from ludotheque.pictures.kit.svg import circle, group, line, moved, path, rect, text_at, title

BAND_HEIGHT = 34  # the seat's colour at the bottom of its tray
OPEN_Y, STOCK_Y = 49, 126  # heights of the open fleas and the stock in a tray
OPEN_FLEA_SPACING = 84
STOCK_SCALE = 0.8  # of a back in the stock
MAX_STOCK_SPACING = 20  # from one back to the next
STOCK_MARGIN = 45  # from the sides of a tray to the middle of a back
ARC = f"a{CORNER_RADIUS} {CORNER_RADIUS} 0 0 1-{CORNER_RADIUS}"  # round a lower corner, clockwise
PLAQUE_SIZE = (64, 30)  # of the points
STAR_DISTANCE = 52  # from the middle of the plaque to a winner's star
STAR_PATH = "M0-15L4.4-5.2L15-4.2L7 2.9L9.3 13.3L0 7.9L-9.3 13.3L-7 2.9L-15-4.2L-4.4-5.2Z"
POINTER_PATH = "M-13-14H13L0 0Z"

# What is printed on the band of a tray, as lines: height above its foot and look.
PRINTS: tuple[tuple[tuple[float, dict[str, str | float]], ...], ...] = (
    (),
    ((17, {"stroke_width": 32, "stroke_dasharray": "9 15"}),),
    ((17, {"stroke_width": 11, "stroke_dasharray": "0 23"}),),
    (
        (25, {"stroke_width": 16, "stroke_dasharray": "16 16"}),
        (9, {"stroke_width": 16, "stroke_dasharray": "16 16", "stroke_dashoffset": 16}),
    ),
)


def _box(state: State, seat: int) -> tuple[int, int]:
    """The left side and the width of a seat's tray: trays share what the buttons leave."""
    columns = 2 if state.options & TABLE else 1
    width = (SIZE[0] - 2 * TRAYS_LEFT - columns * (BUTTON_SIZE + GAP) + GAP) // state.seats - GAP
    return TRAYS_LEFT + seat * (width + GAP), width


def tray(state: State, seat: int) -> str:
    x, width = _box(state, seat)
    turn = state.phase in (PLAY, WAIT) and state.turn == seat
    parts = [_ground(seat, width, turn), _stock(seat, pile(state, seat), 4 * EACH[state.seats], width)]
    if has_points(state):
        won = state.phase == OVER and bool(winners(state) >> seat & 1)
        parts.append(_points(seat, scores(state)[seat], won, width))
    if state.objectors >> seat & 1:
        parts.append(_may_object())
    return group(parts, id=f"tray-{seat}", transform=moved(x, TRAYS_TOP))


def has_points(state: State) -> bool:
    """Whether everybody may know how it stands."""
    return not secret(state) and state.phase > OPENING


@cache
def _ground(seat: int, width: int, turn: bool) -> str:
    """A tray with a band in its seat's colour and pattern."""
    high = TRAY_HEIGHT
    prints = [
        line(CORNER_RADIUS, high - up, width - CORNER_RADIUS, high - up, class_=f"hundsgemein-print{seat}", **look)
        for up, look in PRINTS[seat]
    ]
    parts = [
        rect(0, 0, width, high, title(COLOURS[seat]), class_="tray", rx=CORNER_RADIUS),
        path(_band(width), class_=f"hundsgemein-seat{seat}"),
        *prints,
        rect(0, 0, width, high, class_="hundsgemein-turn" if turn else "hundsgemein-edge", rx=CORNER_RADIUS),
        path(POINTER_PATH, class_="hundsgemein-pointer", transform=moved(width / 2, 0)) if turn else "",
    ]
    return "".join(parts)


def _band(width: int) -> str:
    """The foot of a tray, with its rounded corners."""
    radius = CORNER_RADIUS
    return f"M0 {TRAY_HEIGHT - BAND_HEIGHT}H{width}v{BAND_HEIGHT - radius}{ARC} {radius}H{radius}{ARC}-{radius}Z"


def hand(state: State, seat: int) -> Iterator[str]:
    """A seat's open fleas; two of a type are one thing to touch."""
    (x, width), kinds = _box(state, seat), open_fleas(state, seat)
    x += (width - OPEN_FLEA_SPACING * (len(kinds) - 1)) // 2
    for kind, number in Counter(kinds).items():
        yield _open(seat, kind, number, x + OPEN_FLEA_SPACING * kinds.index(kind))


@cache
def _open(seat: int, kind: str, number: int, x: int) -> str:
    flea, name = [*chip(), copy(f"bare-{kind}")], f"open-{seat}-{kind}"
    second = group(flea, id=f"{name}-2", transform=moved(OPEN_FLEA_SPACING, 0)) if number > 1 else ""
    said = title(f"{COLOURS[seat]}: flea {kind}")
    return group([said, *flea, second], id=name, transform=moved(x, TRAYS_TOP + OPEN_Y))


@cache
def _stock(seat: int, left: int, whole: int, width: int) -> str:
    """The stock as a row of backs, and how many they are."""
    said, name = title(f"{COLOURS[seat]}: {left} in stock"), f"stock-{seat}"
    if not left:
        return group([said, circle(width / 2, STOCK_Y, CHIP * STOCK_SCALE, class_="hundsgemein-gap")], id=name)
    spacing = min(MAX_STOCK_SPACING, (width - 2 * STOCK_MARGIN) / (whole - 1))
    places = [spacing * number / STOCK_SCALE for number in range(left)]
    row = [copy(f"{seat}", place) for place in places]
    row.append(circle(places[-1], 0, BELLY, class_="hundsgemein-belly"))
    row.append(text_at(places[-1], 0, str(left), class_="hundsgemein-count"))
    begin = (width - spacing * (left - 1)) / 2
    return group([said, *row], id=name, transform=f"{moved(begin, STOCK_Y)} scale({STOCK_SCALE})")


@cache
def _points(seat: int, points: int, won: bool, width: int) -> str:
    """A plaque on the band of a tray, between stars if it is the winner's."""
    wide, high = PLAQUE_SIZE
    parts = [
        title(f"points: {points}"),
        rect(-wide / 2, -high / 2, wide, high, class_="hundsgemein-plaque", rx=high / 2),
        text_at(0, 0, str(points), class_="hundsgemein-points"),
    ]
    if won:
        parts += [
            path(STAR_PATH, class_="hundsgemein-star", transform=moved(x, 0)) for x in (-STAR_DISTANCE, STAR_DISTANCE)
        ]
    return group(parts, id=f"points-{seat}", transform=moved(width / 2, TRAY_HEIGHT - BAND_HEIGHT / 2))


@cache
def _may_object() -> str:
    mark = circle(0, 0, 17, class_="hundsgemein-alarm")
    return group([title("may object"), mark, text_at(0, 0, "!", class_="hundsgemein-cry")], transform=moved(16, 4))
