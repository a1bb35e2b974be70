"""Tricolore to be seen: pawns of gold, silver and black on a triangle, and what each player has captured.

A pawn's body tells its owner, the bands around it are its six sides. The three colours differ by brightness and by
sign as well: a diamond, a circle, a square. Where enemies touch, an arrowhead points at the one that the other would
capture by turning; touching sides never match as they stand, for what matches is captured at once.

A pawn has two ids. The inner one, by which it is touched, comes from its place: `pawn-c2`, `captured-0-1`; it is all
that `picks` and `steps` can know, for a position does not tell two pawns of one player apart. The outer one,
`pawn-0-3`, follows the story and stays with the pawn wherever it goes; without the whole story there is none.

In a terminal a pawn is a hexagon in its owner's colour with the name of its space, and around it the six sides, each
with the sign of its colour. Rows overlap, so that sides which touch on the board stand side by side in the text.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import groupby
from math import cos, pi, sin, sqrt
from typing import NamedTuple, TypeAlias

from ludotheque.board.bits import Bits, cells
from ludotheque.board.triangle import NOWHERE, WAYS
from ludotheque.game import NOBODY
from ludotheque.games.tricolore import (
    BEGINS,
    BEHIND_WALL,
    BESIDE,
    BOARD,
    CAMPS,
    COLOURS,
    ENDS,
    GOAL,
    SIDES,
    SPINS,
    WALL,
    State,
    colour,
    owner,
    play,
    side,
    start,
    turned_by,
)
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.svg import circle, el, group, line, moved, path, polygon, rect, text_at, title, use

Point: TypeAlias = tuple[float, float]

SIZE = (1000, 1036)
PITCH = 100  # between two touching spaces
ROW = PITCH * sqrt(3) / 2
TOP = 100  # the height of the first row
RIM = 74  # of the board around the middles of its outer spaces
# How far its sides are from the middle of a space, of a pawn, of its body, of a neutral one.
SPACE, PAWN, BODY, NEUTRAL = 47.0, 45.5, 25.5, 33.0
HOME = 42.0  # the same of the outline that marks a camp
LETTER = 60  # from the middle of a row's first space to its letter
SIGNS_AT = 37.5  # from the middle of a pawn to the sign of a side
ASIDE = 16  # from that sign to an arrowhead

TRAY = (336, 120)
TRAYS = ((16, 22), (648, 892), (16, 892))  # of gold, silver and black: in front of each
SLOTS, SMALL = ((150, 60), (219, 60), (288, 60)), 0.68  # where captured pawns lie in it, and their size
CLOSER, SMALLER = tuple((140 + 50 * place, y) for y in (35, 85) for place in range(4)), 0.47  # if there are more
UNKNOWN = len(COLOURS)  # whose a captured pawn was if the story does not tell, and its body
STRETCH = 64  # moves followed anew each time; what came before is remembered
BUTTONS = {"turn-left": (434, 952, -1), "turn-right": (566, 952, 1)}
TURNS = {1: "turn-right", WAYS - 1: "turn-left"}
ARROW = "M-39.8-33.4A52 52 0 0 1 39.8-33.4m-17.6-3.7l17.6 3.7l-.6-18"  # clockwise round a pawn
QUIET = (830, 984, 56)  # the bar that fills up with moves without a capture: from, to, height

# Signs of gold, silver, black: drawn, in a terminal, and as brackets around the pawn's space there.
SHAPES = (
    "M0-11.5L11.5 0L0 11.5L-11.5 0Z",
    "M-10 0a10 10 0 1 0 20 0a10 10 0 1 0-20 0m5 0a5 5 0 1 1 10 0a5 5 0 1 1-10 0",
    "M-8.5-8.5h17v17h-17Z",
)
SIGNS = ("◆", "○", "■")
BRACKETS = ("<{}>", "({})", "[{}]")
ON_SIDES = ("black on gold1", "black on grey93", "grey58 on grey3")
BODIES = ("black on dark_goldenrod", "black on grey66", "white on grey30")

WIDTH = 8  # of a space; each row begins half of that further left
HEIGHT = 2  # of a row; the third line of a space is the first of the row below
ROUND = ((1, 6), (2, 5), (2, 2), (1, 1), (0, 2), (0, 5))  # line and column of each side, from east clockwise


class Pawn(NamedTuple):
    """A pawn one has followed since the start: whose it was, and its number there. Numbers are 0 if one has not."""

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


class Mark(NamedTuple):
    """One letter of a space, by its line and column there."""

    line: int
    column: int
    letter: str
    style: str


def place(cell: int) -> Point:
    """Where the middle of a space is drawn."""
    row, number = BOARD.places[cell]
    return SIZE[0] / 2 + PITCH * (number - row / 2), TOP + ROW * row


def draw(state: State, _seat: int, story: Story) -> str:
    _, standing, held = _track(state, story)
    parts = [DEFINITIONS, _board(state.seats), _quiet(state)]
    parts += [_tray(state, seat, pawns) for seat, pawns in enumerate(held)]
    for cell, pawn in standing.items():
        shape = _standing(cell, state.seats, pawn.seat, turned_by(state, cell))
        parts.append(el("g", shape, id=pawn.name, transform=moved(*place(cell))))
    return "".join([*parts, *_threats(state)])


def picks(_state: State, _actor: int, move: int) -> tuple[str, ...]:
    """The pawn, then the space it goes to or the button that turns it."""
    pawn = f"pawn-{BOARD.names[BEGINS[move]]}"
    return pawn, TURNS[SPINS[move]] if SPINS[move] else f"space-{BOARD.names[ENDS[move]]}"


def ghost(state: State, actor: int, move: int) -> str:
    """The pawn as it would stand, the way it turned, and a cross on whatever it would capture."""
    x, y = place(ENDS[move])
    turned = turned_by(state, BEGINS[move]) + SPINS[move]
    parts = [el("g", _pawn(colour(state.seats, actor), turned), transform=moved(x, y))]
    if SPINS[move]:
        parts.append(_arrow(x, y, 1 if SPINS[move] == 1 else -1))
    prey = _prey(state, play(state, actor, move), actor)
    return group([*parts, *(use("tricolore-cross", *place(cell)) for cell in cells(prey))])


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    """The pawn moves or turns, then whatever it captures goes to the tray."""
    ((actor, move),) = news
    prey = cells(_prey(before, after, actor))
    first = before.taken[actor] + 1
    return [_played(move), *(_capture(before, cell, actor, number) for number, cell in enumerate(prey, first))]


def score_steps(state: State, story: Story) -> list[AnimationStep]:
    """Every capture, in the order of the moves."""
    here, told = start(state.seats, quiet=state.limit), []
    for number, (actor, move) in enumerate(story, 1):
        after = play(here, actor, move)
        for cell in cells(_prey(here, after, actor)):
            taken = ("seat:owner", str(owner(here, cell))), ("cell", BOARD.names[cell])
            values = (("number", str(number)), ("seat:taker", str(actor)), *taken)
            told.append(AnimationStep("show", f"tray-{actor}", sentence="capture", values=values))
        here = after
    return told


def text(state: State) -> str:
    lines = [[(" ", "")] * (WIDTH * BOARD.rows) for _ in range(HEIGHT * BOARD.rows + 1)]
    for cell, (row, number) in enumerate(BOARD.places):
        top, left = HEIGHT * row, WIDTH * number + WIDTH // 2 * (BOARD.rows - 1 - row)
        for down, column, letter, style in _space_in_text(state, cell):
            lines[top + down][left + column] = (letter, style)
    board = "\n".join(_markup(marks) for marks in lines)
    return board.lstrip("\n") + "\n\n" + _captures_in_text(state)


def _space_in_text(state: State, cell: int) -> Iterator[Mark]:
    name, seat = BOARD.names[cell], owner(state, cell)
    if seat != NOBODY:
        shape, style = BRACKETS[colour(state.seats, seat)], BODIES[colour(state.seats, seat)]
        yield from _run(0, 3, "  ", style)
        yield from _run(1, 2, shape.format(name), style)
        yield from _run(2, 3, "  ", style)
        if seat < state.seats:
            yield from _sides_in_text(turned_by(state, cell))
    elif state.seats == 3 or not BEHIND_WALL >> cell & 1:
        yield from _run(1, 3, name, "dim")


def _run(down: int, column: int, letters: str, style: str) -> Iterator[Mark]:
    return (Mark(down, column + number, letter, style) for number, letter in enumerate(letters))


def _sides_in_text(turned: int) -> Iterator[Mark]:
    for way in range(WAYS):
        shown = side(turned, way)
        yield Mark(*ROUND[way], SIGNS[shown], ON_SIDES[shown])


def _markup(marks: list[tuple[str, str]]) -> str:
    parts = []
    for style, run in groupby(marks, key=lambda mark: mark[1]):
        letters = "".join(letter for letter, _ in run).replace("[", r"\[")
        parts.append(f"[{style}]{letters}[/]" if style else letters)
    return "".join(parts).rstrip()


def _captures_in_text(state: State) -> str:
    """What each seat has captured, with a pointer at the one to move, and how much of the house limit is used up."""
    parts = []
    for seat in range(state.seats):
        here = colour(state.seats, seat)
        sign = BRACKETS[here].format(SIGNS[here]).replace("[", r"\[")
        pointer = "▸" if state.turn == seat else " "
        parts.append(f"{pointer} [{BODIES[here]}]{sign}[/] {state.taken[seat]}/{GOAL}")
    return "    ".join([*parts, f"[dim]… {state.quiet}/{state.limit}[/]"])


def _played(move: int) -> AnimationStep:
    begin, end = BOARD.names[BEGINS[move]], BOARD.names[ENDS[move]]
    if SPINS[move]:
        return AnimationStep("turn", f"pawn-{begin}", 0, f"pawn-{end}", TURNS[SPINS[move]], (("cell", begin),))
    return AnimationStep("move", f"pawn-{begin}", 0, f"pawn-{end}", "step", (("cell", begin), ("end", end)))


def _capture(before: State, cell: int, actor: int, number: int) -> AnimationStep:
    name = BOARD.names[cell]
    values = (("cell", name), ("seat:owner", str(owner(before, cell))))
    return AnimationStep("move", f"pawn-{name}", 1, f"captured-{actor}-{number}", "capture", values)


def _prey(before: State, after: State, actor: int) -> Bits:
    """Where pawns of others than the actor have gone from."""
    return sum(before.pawns[seat] & ~after.pawns[seat] for seat in range(len(COLOURS)) if seat != actor)


def _track(state: State, story: Story) -> Track:
    """The pawns of a position as the story tells them apart, or nameless if it does not lead here."""
    told = _followed(state.seats, state.limit, story)
    if told and told.state == state:
        return told
    standing = {cell: Pawn(seat, 0) for seat in range(len(COLOURS)) for cell in cells(state.pawns[seat])}
    losers = (1, 0) if state.seats == 2 else (UNKNOWN,) * state.seats
    return Track(state, standing, tuple((Pawn(loser, 0),) * state.taken[seat] for seat, loser in enumerate(losers)))


@lru_cache(maxsize=64)
def _followed(seats: int, limit: int, story: Story) -> Track | None:
    """The pawns at the end of a story that begins with the leg; long ones go on from where an earlier part ended."""
    told = story[: (len(story) - 1) // STRETCH * STRETCH] if story else ()
    track = _followed(seats, limit, told) if told else _beginning(seats, limit)
    if track is None:
        return None
    state, standing, held = track.state, dict(track.standing), [list(pawns) for pawns in track.held]
    for actor, move in story[len(told) :]:
        if BEGINS[move] not in standing:
            return None
        after = play(state, actor, move)
        standing[ENDS[move]] = standing.pop(BEGINS[move])
        if after.taken != state.taken:
            held[actor] += [standing.pop(cell) for cell in cells(_prey(state, after, actor))]
        state = after
    return Track(state, standing, tuple(tuple(pawns) for pawns in held))


def _beginning(seats: int, limit: int) -> Track:
    state = start(seats, quiet=limit)
    pawns = [(seat, pawn) for seat in range(len(COLOURS)) for pawn in enumerate(cells(state.pawns[seat]), 1)]
    return Track(state, {cell: Pawn(seat, number) for seat, (number, cell) in pawns}, ((),) * seats)


@cache
def _board(seats: int) -> str:
    """The spaces, their names and the buttons; with two players the rows behind the wall are only traced."""
    beyond = 0 if seats == len(COLOURS) else BEHIND_WALL
    inside = [cell for cell in range(len(BOARD.names)) if not beyond >> cell & 1]
    parts = [_ground("a1", "i9", "i1")]
    if beyond:
        parts = [group(parts, class_="tricolore-beyond"), *(_outside(cell) for cell in cells(beyond))]
        parts += [_ground("e1", "e5", "i9", "i1"), _fence()]
    parts += [_space(cell) for cell in inside]
    parts.append(group(_names(inside), class_="coordinates"))
    return "".join([*parts, *(_button(name) for name in BUTTONS)])


def _ground(*corners: str) -> str:
    """The board around these spaces, with an edge and a hint of thickness."""
    points = [place(BOARD.numbers[name]) for name in corners]
    low = [(x, y + 7) for x, y in points]
    return (
        polygon(low, class_="tricolore-thick", stroke_width=2 * RIM)
        + polygon(points, class_="tricolore-edge", stroke_width=2 * RIM)
        + polygon(points, class_="tricolore-ground", stroke_width=2 * RIM - 6)
    )


def _space(cell: int) -> str:
    """A space; those of the camps are outlined in their colour."""
    camps = [name for name, camp in zip(COLOURS, CAMPS, strict=True) if camp >> cell & 1]
    parts = [polygon(_hexagon(SPACE, *place(cell)), title(BOARD.names[cell]), class_="tricolore-space")]
    parts += [polygon(_hexagon(HOME, *place(cell)), class_=f"tricolore-{name}-home") for name in camps]
    return group(parts, id=f"space-{BOARD.names[cell]}")


def _outside(cell: int) -> str:
    said = title(f"{BOARD.names[cell]}: out of play")
    return polygon(_hexagon(SPACE, *place(cell)), said, id=f"space-{BOARD.names[cell]}", class_="tricolore-out")


def _fence() -> str:
    """A rail through the neutral pawns."""
    first, *_, last = (place(cell) for cell in cells(WALL))
    return line(*first, *last, class_="tricolore-fence")


def _names(inside: list[int]) -> Iterator[str]:
    """The name of each space on it, and the letter of each row beside it."""
    for cell in inside:
        x, y = place(cell)
        name = BOARD.names[cell]
        yield text_at(x, y, name, class_="tricolore-name")
        if name.endswith("1"):
            yield text_at(x - LETTER, y, name[0], class_="tricolore-name")


def _button(name: str) -> str:
    x, y, way = BUTTONS[name]
    said = title("turn clockwise" if way == 1 else "turn counter-clockwise")
    ground = circle(x, y, 60, said, class_="tricolore-button")
    pawn = polygon(_hexagon(20, x, y + 10), class_="tricolore-turning")
    return group([ground, pawn, _arrow(x, y + 10, way, 0.78)], id=name)


def _arrow(x: float, y: float, way: int, size: float = 1) -> str:
    """An arrow round the upper side of a pawn, clockwise or not."""
    return use("tricolore-arrow", 0, 0, transform=f"{moved(x, y)} scale({way * size} {size})")


def _quiet(state: State) -> str:
    """How much of the house limit is used up."""
    left, right, y = QUIET
    said = title(f"moves without a capture: {state.quiet} of {state.limit}")
    reached = left + (right - left) * state.quiet / state.limit
    return group(
        [
            said,
            text_at(right, y - 20, f"{state.quiet} / {state.limit}", class_="tricolore-count"),
            line(left, y, right, y, class_="tricolore-limit"),
            line(left, y, reached, y, class_="tricolore-quiet") if state.quiet else "",
        ],
        id="quiet",
    )


def _tray(state: State, seat: int, pawns: tuple[Pawn, ...]) -> str:
    """What lies in front of a player, with room for as many pawns as win."""
    own, turn = colour(state.seats, seat), state.turn == seat
    said = title(f"{COLOURS[own]}: {len(pawns)} of {GOAL} captured")
    ground = rect(0, 0, *TRAY, said, rx=20, class_="tray tricolore-turn" if turn else "tray")
    pointer = path("M16 49L30 60L16 71Z", class_="tricolore-pointer") if turn else ""
    parts = [ground, pointer, use(f"tricolore-{COLOURS[own]}", 66, TRAY[1] / 2)]
    parts += [use("tricolore-slot", *slot) for slot in SLOTS[len(pawns) :]]
    slots, size = (SLOTS, SMALL) if len(pawns) <= GOAL else (CLOSER, SMALLER)
    for number, pawn in enumerate(pawns, 1):
        shape = _captive(state.seats, pawn.seat, f"captured-{seat}-{number}")
        parts.append(el("g", shape, id=pawn.name, transform=f"{moved(*slots[number - 1])} scale({size})"))
    return group(parts, id=f"tray-{seat}", transform=moved(*TRAYS[own]))


def _captive(seats: int, seat: int, name: str) -> str:
    body = UNKNOWN if seat == UNKNOWN else colour(seats, seat)
    said = title("captured pawn" if body == UNKNOWN else f"captured {COLOURS[body]} pawn")
    return group([said, _pawn(body, 0)], id=name)


@cache
def _standing(cell: int, seats: int, seat: int, turned: int) -> str:
    """A pawn for its place on the board."""
    body, name = colour(seats, seat), BOARD.names[cell]
    if seat >= seats:
        said, shape = f"{name}: neutral pawn", use("tricolore-neutral", 0, 0)
    else:
        shown = ", ".join(COLOURS[side(turned, way)] for way in range(WAYS))
        said, shape = f"{name}: {COLOURS[body]} pawn; sides from the right clockwise: {shown}", _pawn(body, turned)
    return group([title(said), shape], id=f"pawn-{name}")


def _pawn(body: int, turned: int) -> str:
    kind = "unknown" if body == UNKNOWN else COLOURS[body]
    sides = use("tricolore-sides", 0, 0, transform=f"rotate({360 // WAYS * (turned % WAYS)})")
    return use("tricolore-foot", 0, 0) + sides + use(f"tricolore-{kind}", 0, 0)


def _threats(state: State) -> list[str]:
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
    dx, dy = _polar(PITCH / 2, 60 * way)
    aside_x, aside_y = _polar(ASIDE, 60 * way + 90)
    return use("tricolore-threat", 0, 0, transform=moved(x + dx + aside_x, y + dy + aside_y, 60 * way))


def _polar(distance: float, degrees: float) -> Point:
    """So far from the middle, clockwise from the right."""
    return distance * cos(degrees * pi / 180), distance * sin(degrees * pi / 180)


def _hexagon(apothem: float, x: float = 0, y: float = 0) -> list[Point]:
    """The corners of a hexagon whose sides are so far from its middle: the upper right one, then clockwise."""
    round_it = (_polar(apothem / cos(pi / 6), 60 * way - 30) for way in range(WAYS))
    return [(x + dx, y + dy) for dx, dy in round_it]


def _band(way: int) -> str:
    """One side of an unturned pawn, with the sign of its colour."""
    outer, inner, after = _hexagon(PAWN), _hexagon(BODY), (way + 1) % WAYS
    kind = COLOURS[SIDES[way]]
    band = polygon((outer[way], outer[after], inner[after], inner[way]), class_=f"tricolore-{kind}-side")
    sign = f"{moved(*_polar(SIGNS_AT, 60 * way), 60 * way)} scale(.5)"
    return band + path(SHAPES[SIDES[way]], transform=sign, class_=f"tricolore-on-{kind}")


def _body(kind: str, sign: str, apothem: float = BODY) -> str:
    """A body with a light ring around it, which parts it from sides of its own colour."""
    ring = polygon(_hexagon(apothem + 3), class_="tricolore-ring")
    mark = path(sign, class_=f"tricolore-on-{kind}") if sign else ""
    return ring + polygon(_hexagon(apothem), class_=f"tricolore-{kind}") + mark


def _shadow() -> str:
    return polygon(_hexagon(PAWN, 0, 5), class_="tricolore-shadow")


def _definitions() -> Iterator[str]:
    foot = _shadow() + polygon(_hexagon(PAWN), class_="tricolore-foot")
    yield el("g", foot, id="tricolore-foot")
    yield el("g", *(_band(way) for way in range(WAYS)), id="tricolore-sides")
    for kind, shape in zip((*COLOURS, "unknown"), (*SHAPES, ""), strict=True):
        yield el("g", _body(kind, shape), id=f"tricolore-{kind}")
    rim = _shadow() + polygon(_hexagon(PAWN), class_="tricolore-stone")
    yield el("g", rim, _body("gold", SHAPES[0], NEUTRAL), id="tricolore-neutral")
    yield polygon(_hexagon(PAWN * SMALL), class_="tricolore-slot", id="tricolore-slot")
    yield path(ARROW, class_="tricolore-arrow", id="tricolore-arrow")
    yield path("M-12-9L13 0L-12 9L-7 0Z", class_="tricolore-threat", id="tricolore-threat")
    yield path("M-24-24L24 24M24-24L-24 24", class_="tricolore-cross", id="tricolore-cross")


DEFINITIONS = el("defs", *_definitions())

PICTURE = Picture(
    size=SIZE, draw=draw, picks=picks, ghost=ghost, steps=steps, text=text, score_steps=score_steps, ignores_seat=True
)
