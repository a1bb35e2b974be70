"""Hundsgemein to be seen: city blocks and streets, a dog at the end of every street, fleas that hide their owners.

A flea is a chip with its type. The last one placed is ringed and bears its owner's back; once owners are known, every
flea lies on its owner's. Then a dog stands on the back of whoever takes it, and the line down its street has that
colour; a dog that gets away is crossed out in the end. Below are the seats: open fleas, the stock as a row of backs,
points once they are known, an exclamation mark for whoever may object. All of it comes from the view, none from the
story, which is cut short lest it give owners away.

In a terminal a flea is its type's letter, with its owner's sign if that may be known; the last one placed is lit.
Beside every street are its dog, what it is worth and the sign of the seat that takes it. Below, for each seat, a
pointer if it is to play, its sign, its open fleas, how many it has in stock, its points once they are known, and a
hand if it may object.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache

from ludotheque.board.bits import cells
from ludotheque.board.square import CELLS, NAMES, SIDE, at
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.scoring import claim, scores, taker, winners
from ludotheque.games.hundsgemein.state import (
    CENTRE,
    DOG_0,
    DOGS,
    DROP_0,
    EACH,
    EXPERT,
    FLIP_0,
    KIND_OF,
    KINDS,
    LINES,
    OBJECT,
    OVER,
    PAIR_0,
    PAIRS,
    PLAY,
    STREETS,
    TABLE,
    VALUES,
    WAIT,
    State,
    dog,
    open_fleas,
    pile,
    secret,
)
from ludotheque.pictures.menagerie import BELLY, CHIP, chip, copy, definitions
from ludotheque.pictures.picture import Picture, Step, Story, share
from ludotheque.pictures.svg import circle, el, group, line, moved, path, rect, title
from ludotheque.pictures.svg import text as words

SIZE = (1000, 1236)
LEFT, TOP = 64, 136  # the corner of the first block
BLOCK, STREET = 86, 34
STRIDE = BLOCK + STREET  # from one block to the next
WIDE = SIDE * STRIDE - STREET  # of the district
FRAME = 14  # around it
DOGS_AT = (938, 62)  # how far right those of the streets across are, how far down those of the streets up
MEDAL = 55  # the radius of the disc a dog stands on
BADGE = (29, -29, 0.46)  # where the last flea's owner is told, and how large

TRAYS = (10, 1026, 198)  # left, top, height
BETWEEN = 12  # trays and buttons
BUTTON = 93
BAND = 34  # the seat's colour at the bottom of its tray
OPEN_AT, STOCK_AT = 49, 126  # heights of the open fleas and the stock in a tray
APART = 84  # between two open fleas
STACKED = 0.8  # the size of a back in the stock
NEXT = 20  # from one of them to the next at the most
ASIDE = 45  # from the sides of a tray to the middle of a back
RADIUS = 18  # of corners
BOTTOM, CORNER = f"a{RADIUS} {RADIUS} 0 0 1-{RADIUS} {RADIUS}", f"a{RADIUS} {RADIUS} 0 0 1-{RADIUS}-{RADIUS}"
PLAQUE = (64, 30)  # with the points
STARS = 52  # from its middle to the winner's stars

COLOURS = ("red", "green", "yellow", "blue")
# Roofs on a block, seen from above.
ROOFS = (
    "M10 10h66v66h-66ZM30 30v26h26v-26ZM10 43h20M56 43h20M43 10v20M43 56v20",
    "M10 10h30v30h-30ZM46 10h30v66h-30ZM10 46h30v30h-30ZM10 25h30M61 10v66M10 61h30",
    "M10 10h66v28h-66ZM10 48h28v28h-28ZM10 24h66M43 10v28M24 48v28M57 62a10 10 0 1 1 .1 0M71 73a7 7 0 1 1 .1 0",
    "M10 10h28v66h-28ZM48 48h28v28h-28ZM24 10v66M48 62h28M57 30a11 11 0 1 1 .1 0M73 41a6 6 0 1 1 .1 0",
)
PLAN = (0, 3, 1, 2, 0, 1, 3)  # of the roofs down a file
BONE = "M-23-5A8 8 0 1 0-32 0A8 8 0 1 0-23 5H23A8 8 0 1 0 32 0A8 8 0 1 0 23-5Z"
CROSS = "M-30-30L30 30M30-30L-30 30"
STAR = "M0-15L4.4-5.2L15-4.2L7 2.9L9.3 13.3L0 7.9L-9.3 13.3L-7 2.9L-15-4.2L-4.4-5.2Z"
POINTER = "M-13-14H13L0 0Z"
BIN = "M-20-14L-15 27H15L20-14ZM-7-5L-5 18M7-5L5 18M-25-14H25M-8-14V-21H8V-14"
BUBBLE = "M-30-26H30Q36-26 36-20V8Q36 14 30 14H2L-16 32V14H-30Q-36 14-36 8V-20Q-36-26-30-26Z"
CHECK = "M-24 2L-8 18L25-18"

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

SIGNS = ("●", "■", "▲", "◆")
HUES = ("red", "green3", "yellow", "dodger_blue1")
PITCH = 7  # columns from one block to the next
MARGIN = 4
UPWARDS = range(6, 12)  # streets


def draw(state: State, _seat: int, _story: Story) -> str:
    parts = [DEFINITIONS, _district()]
    parts += [_lane(state, street) for street in range(len(STREETS))]
    parts += [_dog(state, street) for street in range(len(STREETS)) if dog(state, street)]
    parts += [_flea(state, kind, cell) for kind in range(len(KINDS)) for cell in cells(state.fleas[kind])]
    parts += [_marker(state)] if _ringed(state) else []
    for seat in range(state.seats):
        parts += [_tray(state, seat), *_hand(state, seat)]
    parts += [_button(state, name) for name in _buttons(state)]
    return "".join(parts)


def picks(_state: State, actor: int, move: int) -> tuple[str, ...]:
    """An open flea, then a block or the bin; both at once, an objection and the end have buttons of their own."""
    if move < DROP_0:
        return f"open-{actor}-{KINDS[KIND_OF[move]]}", f"block-{NAMES[move % CELLS]}"
    if move < PAIR_0:
        return f"open-{actor}-{KINDS[move - DROP_0]}", "bin"
    if move < OBJECT:
        return ("both",)
    return ("object",) if move == OBJECT else ("accept",)


def ghost(state: State, _actor: int, move: int) -> str:
    """A flea on its block or over the bin; a cross on the one objected to."""
    if move < DROP_0:
        return copy(KINDS[KIND_OF[move]], *_middle(move % CELLS))
    if move < OBJECT:
        return _thrown(state, move)
    return path(CROSS, class_="hundsgemein-cross", transform=moved(*_middle(state.last))) if move == OBJECT else ""


def steps(before: State, news: Story, after: State) -> list[Step]:
    """What the last of the news has done; at the end those before it are but the placements that were not told."""
    actor, move = news[-1]
    told = [*_event(before, actor, move, after), *_marks(before, after)]
    if after.phase == OVER:
        told += _reckoning(before, after)
    elif not secret(after):
        told += _leads(before, after)
    return told


def reckon(state: State, _story: Story) -> list[Step]:
    """Street by street what everybody has there and who takes the dog; then what each has in all."""
    told = [_claims(state, street) for street in range(len(STREETS))]
    for seat in range(state.seats):
        dogs = sum(taker(state, street) == seat for street in range(len(STREETS)))
        values = (("seat:owner", str(seat)), ("points", str(scores(state)[seat])), ("dogs", str(dogs)))
        told.append(Step("show", f"tray-{seat}", words="total", values=values))
    return told


def text(state: State) -> str:
    lines = [_heads(state, part) for part in range(3)]
    for rank in reversed(range(SIDE)):
        blocks = "[dim]  │  [/]".join(_block(state, at(file, rank)) for file in range(SIDE))
        lines.append(f" [dim]{rank + 1}[/]  {blocks}")
        if rank:
            lines.append(_sideways(state, rank - 1))
    lines.append(" " * MARGIN + (" " * (PITCH - 1)).join(f"[dim]{file}[/]" for file in "abcdefg"))
    return "\n".join([*lines, "", *(_seat(state, seat) for seat in range(state.seats))])


def _heads(state: State, part: int) -> str:
    """Over the streets that run up: their names, their dogs, their values and takers."""
    rows = (
        [f"[dim]{STREETS[street]:^{PITCH}}[/]" for street in UPWARDS],
        [f"{dog(state, street) or '':^{PITCH}}" for street in UPWARDS],
        [f"  {_value(state, street)} {_sign(state, street)}  " for street in UPWARDS],
    )
    return " " * (MARGIN + 1) + "".join(rows[part])


def _sideways(state: State, street: int) -> str:
    road = "──┼──".join(["──"] * SIDE)
    name = dog(state, street) or ""
    return f"    [dim]{road}  {STREETS[street]}[/] {name:5} {_value(state, street)} {_sign(state, street)}"


def _value(state: State, street: int) -> str:
    name = dog(state, street)
    return str(VALUES[DOGS.index(name) + 1]) if name else " "


def _sign(state: State, street: int) -> str:
    """Who takes the dog, as far as it may be known; a cross for nobody in the end."""
    if secret(state):
        return " "
    seat = taker(state, street)
    if seat == NOBODY:
        return "[dim]×[/]" if state.phase == OVER else " "
    return f"[{HUES[seat]}]{SIGNS[seat]}[/]"


def _block(state: State, cell: int) -> str:
    kind = next((kind for kind, fleas in zip(KINDS, state.fleas, strict=True) if fleas >> cell & 1), None)
    if kind is None:
        return "[dim]╳╳[/]" if cell == CENTRE else "[dim]░░[/]"
    style = "bold reverse" if cell == state.last else "bold"
    owner = next((seat for seat in range(4) if state.owners[seat] >> cell & 1), None)
    if owner is None:
        return f"[{style}]{kind}[/] "
    return f"[{style}]{kind}[/][{HUES[owner]}]{SIGNS[owner]}[/]"


def _seat(state: State, seat: int) -> str:
    pointer = "▸" if seat == state.turn and state.phase != OVER else " "
    fleas = " ".join(open_fleas(state, seat))
    points = "" if secret(state) else f"  = {scores(state)[seat]}"
    hand = "  !" if state.objectors >> seat & 1 else ""
    return (
        f" {pointer} [{HUES[seat]}]{SIGNS[seat]}[/]  [bold]{fleas:3}[/]  [dim]+{pile(state, seat)}[/]{points}{hand}"
    )


def _corner(cell: int) -> tuple[int, int]:
    """The upper left corner of a block."""
    file, rank = divmod(cell, SIDE)
    return LEFT + file * STRIDE, TOP + (SIDE - 1 - rank) * STRIDE


def _middle(cell: int) -> tuple[int, int]:
    x, y = _corner(cell)
    return x + BLOCK // 2, y + BLOCK // 2


def _across(street: int) -> int:
    """How far down a street across runs, or how far right one that runs up."""
    if street in UPWARDS:
        return LEFT + (street - UPWARDS.start + 1) * STRIDE - STREET // 2
    return TOP + (SIDE - 1 - street) * STRIDE - STREET // 2


def _end(street: int) -> tuple[int, int]:
    """Where the dog of a street stands."""
    return (_across(street), DOGS_AT[1]) if street in UPWARDS else (DOGS_AT[0], _across(street))


@cache
def _district() -> str:
    """The streets, the blocks and their names."""
    frame = rect(LEFT - FRAME, TOP - FRAME, WIDE + 2 * FRAME, WIDE + 2 * FRAME, class_="board", rx=RADIUS)
    ground = rect(LEFT, TOP, WIDE, WIDE, class_="hundsgemein-road", rx=12)
    roads = [_road(street) for street in range(len(STREETS))]
    blocks = group((_ground_of(cell) for cell in range(CELLS) if cell != CENTRE), class_="hundsgemein-block")
    roofs = [_roofs(file) for file in range(SIDE)]
    return "".join([frame, ground, *roads, blocks, *roofs, _centre(), _coordinates()])


def _road(street: int) -> str:
    x, y = _end(street)
    if street in UPWARDS:
        return rect(x - STREET / 2, y, STREET, TOP + WIDE + FRAME - y, class_="hundsgemein-road")
    return rect(LEFT - FRAME, y - STREET / 2, x - LEFT + FRAME, STREET, class_="hundsgemein-road")


def _ground_of(cell: int) -> str:
    name = NAMES[cell]
    return rect(*_corner(cell), BLOCK, BLOCK, title(name), id=f"block-{name}", rx=12)


def _roofs(file: int) -> str:
    """The roofs of a file of blocks; every other file upside down."""
    x, y = _corner(at(file, SIDE - 1))
    return copy("roofs", transform=f"{moved(x, y + WIDE)} scale(1 -1)" if file % 2 else moved(x, y))


def _centre() -> str:
    """The block where no flea may go, with crossed bones."""
    said, name = title(f"{NAMES[CENTRE]}: crossed bones"), f"block-{NAMES[CENTRE]}"
    ground = rect(*_corner(CENTRE), BLOCK, BLOCK, said, id=name, class_="hundsgemein-park", rx=12)
    bones = [path(BONE, class_="hundsgemein-bone", transform=f"rotate({turn})") for turn in (-40, 40)]
    return ground + group(bones, class_="hundsgemein-still", transform=moved(*_middle(CENTRE)))


def _coordinates() -> str:
    low = TOP + WIDE + FRAME + 24
    marks = [words(_middle(at(file, 0))[0], low, "abcdefg"[file], class_="label") for file in range(SIDE)]
    marks += [words(24, _middle(at(0, rank))[1], str(rank + 1), class_="label") for rank in range(SIDE)]
    for street, name in enumerate(STREETS):
        place = (_across(street), low) if street in UPWARDS else (24, _across(street))
        marks.append(words(*place, name, class_="hundsgemein-name"))
    return group(marks, class_="coordinates")


def _lane(state: State, street: int) -> str:
    """The line down a street, in the colour of whoever takes its dog."""
    seat = _taker(state, street)
    look = "hundsgemein-lane" if seat == NOBODY else f"hundsgemein-lane hundsgemein-lane{seat}"
    place = _across(street)
    if street in UPWARDS:
        return line(place, TOP - FRAME, place, TOP + WIDE, class_=look)
    return line(LEFT, place, LEFT + WIDE + FRAME, place, class_=look)


def _taker(state: State, street: int) -> int:
    """Who takes the dog, as far as it may be known."""
    return NOBODY if secret(state) else taker(state, street)


def _dog(state: State, street: int) -> str:
    return _standing(street, dog(state, street) or "", _taker(state, street), state.phase == OVER)


@cache
def _standing(street: int, name: str, seat: int, over: bool) -> str:
    """A dog with its value, on the back of whoever takes it; crossed out in the end if nobody does."""
    said = f"{STREETS[street]}: {name} {VALUES[DOGS.index(name) + 1]}"
    if seat != NOBODY:
        parts = [
            title(f"{said}, {COLOURS[seat]}"),
            copy(f"{seat}", transform=f"scale({MEDAL / CHIP:.2f})"),
            copy(name),
        ]
    else:
        parts = [title(f"{said}, gets away" if over else said), circle(0, 0, MEDAL, class_="hundsgemein-medal")]
        parts.append(copy(name, class_="hundsgemein-free" if over else None))
        parts += [path(CROSS, class_="hundsgemein-cross")] if over else []
    return group(parts, id=f"dog-{STREETS[street]}", transform=moved(*_end(street)))


def _owner(state: State, cell: int) -> int:
    """Whose a flea is, as far as it may be known."""
    return next((seat for seat in range(state.seats) if state.owners[seat] >> cell & 1), NOBODY)


def _flea(state: State, kind: int, cell: int) -> str:
    return _lying(cell, KINDS[kind], NOBODY if secret(state) else _owner(state, cell))


@cache
def _lying(cell: int, kind: str, owner: int) -> str:
    """A flea on its block; on its owner's back, once that is known."""
    known = owner != NOBODY
    said = title(f"{NAMES[cell]}: flea {kind}" + (f", {COLOURS[owner]}" if known else ""))
    return copy(f"{owner}{kind}" if known else kind, *_middle(cell), said, id=f"flea-{NAMES[cell]}")


def _ringed(state: State) -> bool:
    return state.last != NOBODY and state.phase != OVER


def _marker(state: State) -> str:
    """The last flea placed, and its owner if the flea itself does not tell."""
    owner = _owner(state, state.last)
    x, y, size = BADGE
    badge = copy(f"{owner}", transform=f"{moved(x, y)} scale({size})") if secret(state) else ""
    ring = circle(0, 0, CHIP + 4, class_="hundsgemein-last")
    said = title(f"last flea: {NAMES[state.last]}, {COLOURS[owner]}")
    return group([said, ring, badge], id="last", class_="hundsgemein-still", transform=moved(*_middle(state.last)))


def _box(state: State, seat: int) -> tuple[int, int]:
    """Where a seat's tray begins and how wide it is: they share what the buttons leave."""
    columns = 2 if state.options & TABLE else 1
    width = (SIZE[0] - 2 * TRAYS[0] - columns * (BUTTON + BETWEEN) + BETWEEN) // state.seats - BETWEEN
    return TRAYS[0] + seat * (width + BETWEEN), width


def _tray(state: State, seat: int) -> str:
    x, width = _box(state, seat)
    turn = state.phase in (PLAY, WAIT) and state.turn == seat
    parts = [_ground(seat, width, turn), _stock(seat, pile(state, seat), 4 * EACH[state.seats], width)]
    if not secret(state) and state.phase >= PLAY:
        won = state.phase == OVER and bool(winners(state) >> seat & 1)
        parts.append(_points(scores(state)[seat], won, width))
    if state.objectors >> seat & 1:
        parts.append(_may_object())
    return group(parts, id=f"tray-{seat}", transform=moved(x, TRAYS[1]))


@cache
def _ground(seat: int, width: int, turn: bool) -> str:
    """A tray with a band in its seat's colour and pattern."""
    high = TRAYS[2]
    prints = [
        line(RADIUS, high - up, width - RADIUS, high - up, class_=f"hundsgemein-print{seat}", **look)
        for up, look in PRINTS[seat]
    ]
    parts = [
        rect(0, 0, width, high, title(COLOURS[seat]), class_="tray", rx=RADIUS),
        path(f"M0 {high - BAND}H{width}v{BAND - RADIUS}{BOTTOM}H{RADIUS}{CORNER}Z", class_=f"hundsgemein-seat{seat}"),
        *prints,
        rect(0, 0, width, high, class_="hundsgemein-turn" if turn else "hundsgemein-edge", rx=RADIUS),
        path(POINTER, class_="hundsgemein-pointer", transform=moved(width / 2, 0)) if turn else "",
    ]
    return "".join(parts)


def _hand(state: State, seat: int) -> Iterator[str]:
    """A seat's open fleas; two of a type are one thing to touch."""
    (x, width), kinds = _box(state, seat), open_fleas(state, seat)
    x += (width - APART * (len(kinds) - 1)) // 2
    for kind, number in Counter(kinds).items():
        yield _open(seat, kind, number, x + APART * kinds.index(kind))


@cache
def _open(seat: int, kind: str, number: int, x: int) -> str:
    flea, name = [*chip(), copy(f"bare-{kind}")], f"open-{seat}-{kind}"
    second = group(flea, id=f"{name}-2", transform=moved(APART, 0)) if number > 1 else ""
    said = title(f"{COLOURS[seat]}: flea {kind}")
    return group([said, *flea, second], id=name, transform=moved(x, TRAYS[1] + OPEN_AT))


@cache
def _stock(seat: int, left: int, whole: int, width: int) -> str:
    """The stock as a row of backs, and how many they are."""
    said, name = title(f"{COLOURS[seat]}: {left} in stock"), f"stock-{seat}"
    if not left:
        return group([said, circle(width / 2, STOCK_AT, CHIP * STACKED, class_="hundsgemein-gap")], id=name)
    step = min(NEXT, (width - 2 * ASIDE) / (whole - 1))
    places = [step * number / STACKED for number in range(left)]
    row = [copy(f"{seat}", place) for place in places]
    row.append(circle(places[-1], 0, BELLY, class_="hundsgemein-belly"))
    row.append(words(places[-1], 0, str(left), class_="hundsgemein-count"))
    begin = (width - step * (left - 1)) / 2
    return group([said, *row], id=name, transform=f"{moved(begin, STOCK_AT)} scale({STACKED})")


@cache
def _points(points: int, won: bool, width: int) -> str:
    """A plaque on the band of a tray, between stars if it is the winner's."""
    wide, high = PLAQUE
    parts = [
        title(f"points: {points}"),
        rect(-wide / 2, -high / 2, wide, high, class_="hundsgemein-plaque", rx=high / 2),
        words(0, 0, str(points), class_="hundsgemein-points"),
    ]
    if won:
        parts += [path(STAR, class_="hundsgemein-star", transform=moved(x, 0)) for x in (-STARS, STARS)]
    return group(parts, transform=moved(width / 2, TRAYS[2] - BAND / 2))


@cache
def _may_object() -> str:
    mark = circle(0, 0, 17, class_="hundsgemein-alarm")
    return group([title("may object"), mark, words(0, 0, "!", class_="hundsgemein-cry")], transform=moved(16, 4))


def _buttons(state: State) -> list[str]:
    """What can be touched beside fleas and blocks; talk only with the referee at the table, and when it matters."""
    found = ["bin", "both"]
    found += ["object"] if state.objectors else []
    return [*found, "accept"] if state.phase == WAIT else found


def _button(state: State, name: str) -> str:
    fleas = len(open_fleas(state, state.turn)) if state.phase == PLAY else 0
    return _key(name, bool(state.options & TABLE), fleas < {"bin": 1, "both": 2}.get(name, 0))


@cache
def _key(name: str, table: bool, idle: bool) -> str:
    said, parts = KEYS[name]
    ground = rect(-BUTTON / 2, -BUTTON / 2, BUTTON, BUTTON, title(said), class_="hundsgemein-key", rx=RADIUS)
    look = "hundsgemein-idle" if idle else None
    return group([ground, *parts], id=name, class_=look, transform=moved(*_key_at(name, table)))


def _key_at(name: str, table: bool) -> tuple[float, float]:
    columns = (("bin", "both"), ("object", "accept")) if table else (("bin", "both"),)
    column = next(number for number, names in enumerate(columns) if name in names)
    right = SIZE[0] - TRAYS[0] - BUTTON / 2 - (len(columns) - 1 - column) * (BUTTON + BETWEEN)
    return right, TRAYS[1] + BUTTON / 2 + columns[column].index(name) * (BUTTON + BETWEEN)


def _thrown(state: State, move: int) -> str:
    """Fleas on their way out."""
    kinds = [move - DROP_0] if move < PAIR_0 else PAIRS[move - PAIR_0]
    x, y = _key_at("bin" if move < PAIR_0 else "both", bool(state.options & TABLE))
    places = [x] if len(kinds) == 1 else [x - 22, x + 22]
    return "".join(
        copy(KINDS[kind], transform=f"{moved(place, y - 16)} scale(.6)")
        for kind, place in zip(kinds, places, strict=True)
    )


def _event(before: State, actor: int, move: int, after: State) -> Iterator[Step]:
    """What an actor did."""
    if move >= DOG_0:
        street = STREETS[len(STREETS) - before.due]
        yield Step("appear", f"dog-{street}", words="dog", values=(("dog", DOGS[move - DOG_0]), ("street", street)))
    elif move >= FLIP_0:
        kind = KINDS[move - FLIP_0]
        values = (("seat:owner", str(before.turn)), ("type", kind))
        yield Step("appear", _open_id(after, before.turn, kind), words="flip", values=values)
    elif move >= OBJECT:
        yield _talk(before, move, after)
    elif move >= DROP_0:
        yield from _drop(before, actor, move)
    else:
        kind, cell = KINDS[KIND_OF[move]], NAMES[move % CELLS]
        values = (("type", kind), ("cell", cell))
        yield Step("move", _open_id(before, actor, kind), 0, f"flea-{cell}", "place", values)


def _open_id(state: State, seat: int, kind: str) -> str:
    """The id of a seat's open flea of this type: of two, that of the second, which comes last and goes first."""
    return f"open-{seat}-{kind}" + ("-2" if open_fleas(state, seat).count(kind) == 2 else "")


def _drop(before: State, seat: int, move: int) -> Iterator[Step]:
    if move < PAIR_0:
        kind = KINDS[move - DROP_0]
        yield Step("go", _open_id(before, seat, kind), words="drop", values=(("type", kind),))
        return
    low, high = (KINDS[kind] for kind in PAIRS[move - PAIR_0])
    yield Step("go", f"open-{seat}-{low}", words="drop-both", values=(("one", low), ("other", high)))
    yield Step("go", _open_id(before, seat, high))


def _talk(before: State, move: int, after: State) -> Step:
    if move != OBJECT:
        return Step("show", "accept", words="accept")
    flea, values = f"flea-{NAMES[before.last]}", (("cell", NAMES[before.last]),)
    if after.last == NOBODY:
        return Step("go", flea, words="upheld", values=values)
    return Step("show", flea, words="overruled", values=values)


def _marks(before: State, after: State) -> Iterator[Step]:
    """The ring round the last flea placed, and the buttons that come and go."""
    if _ringed(before) and _ringed(after):
        if before.last != after.last:
            yield Step("move", "last", 1, "last")
    elif _ringed(before) or _ringed(after):
        yield Step("appear" if _ringed(after) else "go", "last", 1)
    was, now = _buttons(before), _buttons(after)
    for name in ("object", "accept"):
        if (name in was) != (name in now):
            yield Step("appear" if name in now else "go", name, 1)


def _reckoning(before: State, after: State) -> Iterator[Step]:
    """Street by street the fleas are turned over and the dog is taken; then the points."""
    hidden = sum(after.fleas) if secret(before) else 0
    said = "reveal"
    for street in range(len(STREETS)):
        beside = hidden & (LINES[2 * street] | LINES[2 * street + 1])
        for cell in cells(beside):
            yield Step("flip", f"flea-{NAMES[cell]}", 2 + 2 * street, f"flea-{NAMES[cell]}", said)
            said = ""
        hidden &= ~beside
        yield _prize(after, street, 3 + 2 * street)
    for seat in range(after.seats):
        values = (("seat:owner", str(seat)), ("points", str(scores(after)[seat])))
        yield Step("show", f"tray-{seat}", 2 + 2 * len(STREETS), words="score", values=values)


def _prize(after: State, street: int, order: int) -> Step:
    seat, name, found = taker(after, street), f"dog-{STREETS[street]}", dog(after, street) or ""
    where = ("dog", found), ("street", STREETS[street])
    if seat == NOBODY:
        return Step("show", name, order, words="free", values=where)
    values = (*where, ("seat:owner", str(seat)), ("points", str(VALUES[DOGS.index(found) + 1])))
    return Step("flip", name, order, name, "taken", values)


def _claims(state: State, street: int) -> Step:
    """What each seat has along a street, in rows too where they count, and who takes its dog."""
    seat, found = taker(state, street), dog(state, street) or ""
    all_rows, all_fleas = zip(*(claim(state, street, other) for other in range(state.seats)), strict=True)
    values = (
        ("street", STREETS[street]),
        ("dog", found),
        ("points", str(VALUES[DOGS.index(found) + 1])),
        ("seats:fleas", share(all_fleas)),
        ("seats:rows", share(all_rows)),
        *((("seat:owner", str(seat)),) if seat != NOBODY else ()),
    )
    said = "deserted" if not any(all_fleas) else "taken" if seat != NOBODY else "free"
    rows = "rows-" if state.options & EXPERT and any(all_fleas) else ""
    return Step("show", f"dog-{STREETS[street]}", words=rows + said, values=values)


def _leads(before: State, after: State) -> Iterator[Step]:
    """With open owners, who has come to lead in a street."""
    for street, name in enumerate(STREETS):
        seat = taker(after, street)
        if seat == taker(before, street):
            continue
        values = (("street", name),)
        if seat == NOBODY:
            yield Step("flip", f"dog-{name}", 2, f"dog-{name}", "even", values)
        else:
            yield Step("flip", f"dog-{name}", 2, f"dog-{name}", "lead", (*values, ("seat:owner", str(seat))))


KEYS = {  # what each button says and shows
    "bin": ("throw one away", (path(BIN, class_="hundsgemein-icon"),)),
    "both": (
        "throw both away",
        (
            path(BIN, class_="hundsgemein-icon", transform="translate(-20 2) scale(.72)"),
            words(22, 10, "×2", class_="hundsgemein-twice"),
        ),
    ),
    "object": ("object", (path(BUBBLE, class_="hundsgemein-bubble"), words(0, -5, "!", class_="hundsgemein-outcry"))),
    "accept": ("accept", (path(CHECK, class_="hundsgemein-check"),)),
}
HOUSES = (path(ROOFS[kind], transform=moved(0, STRIDE * number)) for number, kind in enumerate(PLAN))
DEFINITIONS = el("defs", *definitions(), group(HOUSES, id="hund-roofs", class_="hundsgemein-roof"))

PICTURE = Picture(size=SIZE, draw=draw, picks=picks, ghost=ghost, steps=steps, text=text, reckon=reckon, alike=True)
