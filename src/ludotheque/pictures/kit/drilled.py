"""Drilled pieces, for Tetrods and T. for Two: on the board round their mushrooms, and in the tray."""

from collections.abc import Callable, Collection, Iterable
from functools import cache

from ludotheque.board.bits import Bits, cells
from ludotheque.board.drilled import DRAWINGS, PIECES, Placement, drawn
from ludotheque.board.shapes import Point, flipped, turned
from ludotheque.board.square import NAMES, SIDE
from ludotheque.pictures.kit import trays
from ludotheque.pictures.kit.contour import contour
from ludotheque.pictures.kit.picture import AnimationStep
from ludotheque.pictures.kit.square import CELL, centre, outline, toadstool
from ludotheque.pictures.kit.svg import group, path, short, text_at, title

TRAY_ROWS = (("L1", "L2", "L3", "L4", "S1", "S2", "O1"), ("T1", "T2", "T3", "I1", "I2", "M"))
TRAY_PIECES = tuple(PIECES.index(name) for row in TRAY_ROWS for name in row)
PIECE_AREA_HEIGHT = 58  # of a place in the tray, above its label
HOLE_RADIUS = 0.34  # in squares
SHADOW = "translate(0 4)"


@cache
def piece_on_board(placement: Placement, *, named: bool = True) -> str:
    """A piece on the board; as a ghost it is not `named`, for there is but one of each."""
    name = PIECES[placement.piece]
    d = _body(placement)
    shine = outline(placement.cells, 11, 8)
    parts = [
        title(placement.text),
        path(d, class_="drilled-shadow", transform=SHADOW),
        path(d, class_=f"drilled drilled-{name[0]}"),
        path(shine, class_="drilled-shine"),
        *_engraved(name, placement.solid),
    ]
    return group(parts, id=f"piece-{name}" if named else None)


def lifted_piece(placement: Placement) -> str:
    """Where a piece would be taken from."""
    return path(_body(placement), class_="piece-lifted")


@cache
def mushroom_on_board(cell: int) -> str:
    """A mushroom on its cell."""
    return group([toadstool(*centre(cell))], id=f"mushroom-{NAMES[cell]}")


def tray(pieces: int, used: Bits) -> str:
    """The tray for so many pieces: those left, and gaps for those used."""
    places = [(place, piece) for place, piece in enumerate(TRAY_PIECES) if piece < pieces]
    return trays.empty_tray() + "".join(_in_tray(place, piece, bool(used >> piece & 1)) for place, piece in places)


def picks(placement: Placement) -> tuple[str, str, str]:
    """The piece, the cell of its hole, the way it lies."""
    return f"tray-{PIECES[placement.piece]}", f"cell-{NAMES[placement.hole]}", f"way-{_way(placement)}"


def stuck(unused: Iterable[int], fitting: Collection[int]) -> tuple[str, ...]:
    """The pieces in the tray that are not among the fitting ones."""
    return tuple(f"tray-{PIECES[piece]}" for piece in unused if piece not in fitting)


def step(placement: Placement, sentence: str) -> AnimationStep:
    """A piece on its way between tray and board: it keeps its id."""
    name = PIECES[placement.piece]
    where = placement.text.removeprefix(f"{name}:")
    return AnimationStep(
        "move", f"piece-{name}", to=f"piece-{name}", sentence=sentence, values=(("piece", name), ("cells", where))
    )


def cell_titles(mushrooms: Bits, placements: Iterable[Placement]) -> Callable[[int], str]:
    """What to say of each cell: its name, the piece on it, its mushroom."""
    found = {cell: PIECES[placement.piece] for placement in placements for cell in cells(placement.cells)}
    for cell in cells(mushrooms):
        found[cell] = f"{found[cell]}, mushroom" if cell in found else "mushroom"
    return lambda cell: f"{NAMES[cell]}: {found[cell]}" if cell in found else NAMES[cell]


def _body(placement: Placement) -> str:
    return outline(placement.cells, 4, 13) + _ring(*centre(placement.hole), HOLE_RADIUS * CELL)


@cache
def _in_tray(place: int, piece: int, used: bool) -> str:
    name = PIECES[piece]
    points = drawn(DRAWINGS[name])
    top = max(rank for _, rank in points)
    hole, *solid = ((file, top - rank) for file, rank in points)
    shape = frozenset((hole, *solid))
    drawing = trays.gap(shape, place, height=PIECE_AREA_HEIGHT) if used else _small(place, name, shape, hole)
    return drawing + trays.label(place, name, used=used) + trays.touch_area(place, f"tray-{name}", name)


def _small(place: int, name: str, shape: frozenset[Point], hole: Point) -> str:
    side = trays.SQUARE_SIZE
    x, y = origin = trays.origin(shape, place, height=PIECE_AREA_HEIGHT)
    ring = _ring(x + (hole[0] + 0.5) * side, y + (hole[1] + 0.5) * side, HOLE_RADIUS * side)
    d = contour(shape, side, 0, 4, origin) + ring
    return group([path(d, class_=f"drilled-small drilled-{name[0]}")], id=f"piece-{name}")


def _ring(x: float, y: float, radius: float) -> str:
    r, wide = short(radius), short(2 * radius)
    return f"M{short(x - radius)} {short(y)}a{r} {r} 0 1 0 {wide} 0a{r} {r} 0 1 0-{wide} 0z"


def _engraved(name: str, solid: Bits) -> list[str]:
    """The name of a piece on its highest solid square, to be hidden with the coordinates."""
    if not solid:
        return []
    x, y = centre(max(cells(solid), key=lambda cell: (cell % SIDE, -cell)))
    return [group([text_at(x, y, name, class_="drilled-name")], class_="coordinates")]


@cache
def _ways(piece: int) -> list[frozenset[Point]]:
    """How a piece may lie, seen from its hole: turned clockwise from its drawing, then flipped and turned."""
    points = drawn(DRAWINGS[PIECES[piece]])
    ways = [_from_hole(way) for start in (points, flipped(points)) for way in _four_turns(start)]
    return list(dict.fromkeys(ways))


def _four_turns(points: Iterable[Point]) -> list[list[Point]]:
    ways = [list(points)]
    for _ in range(3):
        ways.append(turned(ways[-1]))
    return ways


def _from_hole(points: list[Point]) -> frozenset[Point]:
    (file, rank), *others = points
    return frozenset((x - file, y - rank) for x, y in others)


@cache
def _way(placement: Placement) -> int:
    """The number of the way it lies: the same wherever on the board."""
    points = [divmod(cell, SIDE) for cell in (placement.hole, *cells(placement.solid))]
    return _ways(placement.piece).index(_from_hole(points))
