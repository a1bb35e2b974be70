"""The picture of Pizza Theory: a pizza, the cutting lines of the three roles, knives, and the stocks.

What the last cuts made of the pizza stays to be seen until one has chosen the next: the slices, each in the colour of
whoever rules it, and the knives, faint. A position does not have them any more; the story tells.
"""

from collections.abc import Iterator
from math import cos, pi, sin, sqrt
from typing import NamedTuple, TypeAlias

from ludotheque.board.bits import Bits, cells, count
from ludotheque.board.hexagon import NAMES, SPACES
from ludotheque.games.pizza import (
    CUT,
    CUT_0,
    CUTS,
    HOMES,
    OVER,
    ROLL_0,
    SEALED,
    STOCK,
    THIRD,
    THIRD_0,
    State,
    play,
    role,
    slices,
    start,
)
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story, share
from ludotheque.pictures.kit.svg import circle, el, group, line, moved, path, text_at, title, use

SIZE = (1000, 1040)
MIDDLE = 500
SPACE_PITCH = 106  # between two touching spaces
PIZZA_RADIUS = 3.78 * SPACE_PITCH
ROLES = ("1st", "2nd", "3rd")
TOPPINGS = ("tomato", "basil", "mushroom")
COLUMNS = "abcdefg"
TOPPING_MARKS = ("[bold red]●[/]", "[bold green]♣[/]", "[bold yellow]♠[/]")  # of the toppings, in a terminal
# Where each role sits, in degrees from the right, counter-clockwise; its cuts run along that direction.
ROLE_ANGLES_DEG = (270, 150, 30)
ROLE_NAMES_AT = ((490, 1008), (92, 56), (888, 56))
# The coordinate a role cuts, as a unit vector on the drawing (y upwards).
NORMALS = ((1.0, 0.0), (-0.5, -sqrt(3) / 2), (-0.5, sqrt(3) / 2))
RIM_POINTS = 72  # of the polygon that slices are cut from

Point: TypeAlias = tuple[float, float]


class Settlement(NamedTuple):
    """A round that was settled: its cuts and its number, and the toppings it left."""

    cuts: tuple[int, int, int]
    round: int
    toppings: tuple[int, int, int]


def place(space: int) -> tuple[float, float]:
    """Where a space is drawn."""
    x, y, _ = SPACES[space]
    return MIDDLE + SPACE_PITCH * sqrt(3) / 2 * x, MIDDLE - SPACE_PITCH * (y + x / 2)


def draw(state: State, _seat: int, story: Story) -> str:
    settled = last_settlement(state, story)
    parts = [DEFINITIONS, _pizza()]
    parts += [_slices(settled)] if settled else []
    parts += [_faint_knives(settled)] if settled and state.phase != OVER else []
    parts += [_role(state, number) for number in range(3)]
    parts += [_space(space) for space in range(len(SPACES))]
    for colour in range(3):
        parts += [_topping(colour, space) for space in cells(state.toppings[colour])]
    parts += [_knife(state, colour) for colour in range(3) if 0 < state.cuts[colour] < SEALED]
    return "".join(parts)


def picks(state: State, actor: int, move: int) -> tuple[str, ...]:
    if move < CUT_0:
        return (f"space-{NAMES[move]}",)
    if move < THIRD_0:
        return (_line_id(role(actor, state.round), move - CUT_0 + 1),)
    return (f"space-{NAMES[move - THIRD_0]}",) if move < ROLL_0 else ()


def ghost(state: State, actor: int, move: int) -> str:
    if CUT_0 <= move < THIRD_0:
        return _blade(role(actor, state.round), move - CUT_0 + 1)
    if move < CUT_0:
        return _shape(actor, *place(move))
    return _shape(THIRD, *place(move - THIRD_0)) if move < ROLL_0 else ""


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    actor, move = news[-1]
    if move < CUT_0:
        return [AnimationStep("appear", f"topping-{NAMES[move]}", sentence="add", values=(("cell", NAMES[move]),))]
    if move >= ROLL_0:
        return [AnimationStep("appear", f"knife-{THIRD}", sentence="roll", values=(("cut", str(move - ROLL_0 + 1)),))]
    if move >= THIRD_0:
        name = NAMES[move - THIRD_0]
        return [AnimationStep("appear", f"topping-{name}", sentence="third", values=(("cell", name),))]
    if (after.round, after.phase) == (before.round, CUT):
        return [AnimationStep("appear", f"knife-{actor}", sentence="chosen")]
    return _reveal(before, news, after)


def last_settlement(state: State, story: Story) -> Settlement | None:
    """The last round that was settled, until a cut of the next can be seen; None if the story does not tell of it.

    It is there while one ponders the next cut, even if others have chosen theirs, which nobody sees.
    """
    if state.phase == OVER:
        return Settlement(state.cuts, state.round, state.toppings)
    if state.round == 0 or any(0 < cut < SEALED for cut in state.cuts):
        return None
    cuts, toppings = [0, 0, 0], list(state.toppings)
    for actor, move in reversed(story):
        if move < CUT_0:
            toppings[actor] &= ~(1 << move)
        elif move >= ROLL_0:
            cuts[THIRD] = move - ROLL_0 + 1
        elif _is_cut(move):
            cuts[actor] = move - CUT_0 + 1
        if all(cuts):
            return Settlement((cuts[0], cuts[1], cuts[2]), state.round - 1, (toppings[0], toppings[1], toppings[2]))
    return None


def _is_cut(move: int) -> bool:
    return CUT_0 <= move < THIRD_0


def _reveal(before: State, news: Story, after: State) -> list[AnimationStep]:
    """The knives come down at once, the toppings turn slice by slice, the knives fade to what stays of them."""
    cuts = list(before.cuts)
    for actor, move in news:
        cuts[actor] = move - CUT_0 + 1
    told = [_fall(seat, cuts[seat], before.round) for seat, _ in news]
    parts = [part for part in slices((cuts[0], cuts[1], cuts[2]), before.round) if part]
    for order, part in enumerate(parts, 1):
        told += [step for space in cells(part) if (step := _turnover(space, order, before, after))]
    if after.phase != OVER:
        told += [AnimationStep("go", f"knife-{seat}", len(parts) + 1) for seat in range(3)]
    return told


def _fall(seat: int, cut: int, number: int) -> AnimationStep:
    values = (("seat:owner", str(seat)), ("cut", str(cut)))
    return AnimationStep(
        "appear", f"knife-{seat}", sentence="cut", values=values, svg=_blade(role(seat, number), cut)
    )


def _turnover(space: int, order: int, before: State, after: State) -> AnimationStep | None:
    was, now = _owner(before, space), _owner(after, space)
    if was == now or was is None:
        return None
    name = NAMES[space]
    old = ("cell", name), ("seat:loser", str(was))
    if now is None:
        return AnimationStep("go", f"topping-{name}", order, sentence="taken-off", values=old)
    values = (*old, ("seat:winner", str(now)))
    return AnimationStep("flip", f"topping-{name}", order, f"topping-{name}", "replaced", values)


def _owner(state: State, space: int) -> int | None:
    return next((colour for colour in range(3) if state.toppings[colour] >> space & 1), None)


def score_steps(state: State, story: Story) -> list[AnimationStep]:
    """The last round: where the knives fell, and slice by slice who had how many there."""
    eve = here = start(state.seats, rounds=state.rounds)
    for actor, move in story:
        eve, here = here, play(here, actor, move)
    told = [AnimationStep("show", "pizza", sentence="knives", values=(("seats:cuts", share(state.cuts)),))]
    parts = slices(state.cuts, state.round)
    safe = [seat for seat in range(3) if max(count(eve.toppings[seat] & part) for part in parts) == 1]
    told += [_slice(eve.toppings, part, safe, state) for part in parts if part & sum(eve.toppings)]
    return told + [
        AnimationStep("show", "pizza", sentence="safe", values=(("seat:owner", str(seat)),)) for seat in safe
    ]


def _slice(toppings: tuple[int, int, int], part: Bits, safe: list[int], after: State) -> AnimationStep:
    """What lay in a slice before the cut, and what became of it."""
    here = [count(toppings[colour] & part) for colour in range(3)]
    leaders = [colour for colour in range(3) if here[colour] == max(here)]
    others = [colour for colour in range(3) if here[colour] and colour not in leaders]
    spared, lost = [other for other in others if other in safe], [other for other in others if other not in safe]
    spaces = ", ".join(NAMES[space] for space in cells(part & sum(toppings)))
    values = [("cells", spaces), ("seats:toppings", share(here)), ("seat:owner", str(leaders[0]))]
    values += [("seat:safe", str(seat)) for seat in spared] + [("seat:loser", str(seat)) for seat in lost]
    became = _fate(len(leaders), bool(spared), bool(lost))
    if became == "won" and part & sum(toppings) & ~sum(after.toppings):
        became = "won-short"  # the stock did not last
    return AnimationStep("show", "pizza", sentence=became, values=tuple(values))


def _fate(leaders: int, spared: bool, lost: bool) -> str:
    """The sentence about a slice, by how many lead in it, and whether others there were safe or lost toppings."""
    if not lost:
        return "spared" if spared else "same"
    if leaders == 2:
        return "shared"
    return "won-but" if spared else "won"


def reason(state: State) -> AnimationStep | None:
    """Sixteen toppings, of whomever; else the rounds have run out."""
    full = [colour for colour in range(3) if count(state.toppings[colour]) >= STOCK]
    if state.seats == 2 and THIRD in full:
        return AnimationStep("show", "pizza", sentence="third", values=(("seat:owner", str(THIRD)),))
    if not full:
        return AnimationStep("show", "pizza", sentence="rounds", values=(("rounds", str(state.rounds)),))
    return AnimationStep("show", "pizza", sentence="sixteen" if len(full) == 1 else "sixteen-each")


def unowned(state: State) -> tuple[int, ...]:
    """When two play, the third colour."""
    return (THIRD,) if state.seats == 2 else ()


def emblem(_state: State, role: int) -> str:
    return SHAPES[role]()


def text(state: State) -> str:
    """Seven columns as in the rules, the player in role 1st below, whose cuts run between them."""
    owners = {space: colour for colour in range(3) for space in cells(state.toppings[colour])}
    rows: dict[int, list[str]] = {}
    for space in range(len(SPACES)):
        x, y, _ = SPACES[space]
        row = rows.setdefault(2 * y + x, ["    "] * len(COLUMNS))
        row[x + 3] = f"{TOPPING_MARKS[owners[space]]}   " if space in owners else f"[dim]{NAMES[space]}[/]  "
    board = "\n".join("".join(rows[level]).rstrip() for level in sorted(rows, reverse=True))
    cuts = "   ".join(str(cut) for cut in range(1, CUTS + 1))
    roles = "  ".join(
        f"{TOPPING_MARKS[seat]} {ROLES[role(seat, state.round)]} {count(state.toppings[seat])}/{STOCK}"
        + (f" cut {state.cuts[seat]}" if 0 < state.cuts[seat] < SEALED else "")
        for seat in range(3)
    )
    return f"{board}\n  [dim]{cuts}  {ROLES[0]}[/]\n\n{roles}"


def _pizza() -> str:
    bumps = [
        circle(
            MIDDLE + (PIZZA_RADIUS + 4) * cos(angle * pi / 18),
            MIDDLE + (PIZZA_RADIUS + 4) * sin(angle * pi / 18),
            30,
            class_="pizza-crust",
        )
        for angle in range(36)
    ]
    melts = [
        circle(MIDDLE + 276 * cos(turn), MIDDLE + 276 * sin(turn), 78 + 8 * (number % 3), class_="pizza-melt")
        for number, turn in enumerate(0.6 + step * pi / 3.5 for step in range(7))
    ]
    return group(
        [
            *bumps,
            circle(MIDDLE, MIDDLE, PIZZA_RADIUS + 14, class_="pizza-crust"),
            circle(MIDDLE, MIDDLE, PIZZA_RADIUS - 6, class_="pizza-sauce"),
            circle(MIDDLE, MIDDLE, PIZZA_RADIUS - 22, class_="pizza-cheese"),
            *melts,
        ],
        id="pizza",
    )


def _slices(settled: Settlement) -> str:
    """The slices, each in the colour of whoever alone has the most toppings in it."""
    parts = slices(settled.cuts, settled.round)
    drawn = [
        path(_closed(outline), class_=f"pizza-slice pizza-slice-{owner}" if owner is not None else "pizza-slice")
        for part, outline in zip(parts, _outlines(settled), strict=True)
        if part
        for owner in [_ruler(settled.toppings, part)]
    ]
    return group(drawn, class_="pizza-past")


def _ruler(toppings: tuple[int, int, int], part: Bits) -> int | None:
    """Who alone has the most toppings in a slice; whoever had before it was settled has so after it, too."""
    here = [count(toppings[colour] & part) for colour in range(3)]
    return here.index(max(here)) if here.count(max(here)) == 1 else None


def _outlines(settled: Settlement) -> Iterator[list[Point]]:
    """The outlines of the eight regions between the knives, in the order of `slices`."""
    knives = [(role(colour, settled.round), settled.cuts[colour]) for colour in range(3)]
    angles = [2 * pi * number / RIM_POINTS for number in range(RIM_POINTS)]
    whole = [((PIZZA_RADIUS - 22) * cos(angle), (PIZZA_RADIUS - 22) * sin(angle)) for angle in angles]
    for region in range(2 ** len(knives)):
        outline = whole
        for number, (knife, cut) in enumerate(knives):
            outline = _clipped(outline, knife, cut, below=not region >> (2 - number) & 1)
        yield outline


def _clipped(outline: list[Point], number: int, cut: int, *, below: bool) -> list[Point]:
    """The part of an outline on one side of a knife (Sutherland and Hodgman); y upwards, the middle at the origin."""
    kept: list[Point] = []
    for one, other in zip(outline, [*outline[1:], *outline[:1]], strict=True):
        here, there = (_beyond(point, number, cut) * (-1 if below else 1) for point in (one, other))
        kept += [one] if here >= 0 else []
        if here * there < 0:
            share_of_way = here / (here - there)
            kept.append((one[0] + share_of_way * (other[0] - one[0]), one[1] + share_of_way * (other[1] - one[1])))
    return kept


def _beyond(point: Point, number: int, cut: int) -> float:
    """How far a point is beyond a knife."""
    return point[0] * NORMALS[number][0] + point[1] * NORMALS[number][1] - _offset(cut)


def _closed(outline: list[Point]) -> str:
    return "M" + "L".join(f"{MIDDLE + x:.0f} {MIDDLE - y:.0f}" for x, y in outline) + "Z"


def _faint_knives(settled: Settlement) -> str:
    blades = [_blade(role(colour, settled.round), settled.cuts[colour]) for colour in range(3)]
    return group(blades, class_="pizza-past pizza-faint")


def _space(space: int) -> str:
    x, y = place(space)
    marked = any(home >> space & 1 for home in HOMES)
    cross = path(f"M{x - 20:.1f} {y - 20:.1f}l40 40m0-40l-40 40", class_="pizza-start") if marked else ""
    ground = circle(x, y, 40, title(NAMES[space]), class_="pizza-space")
    return group([ground, cross, text_at(x, y, NAMES[space], class_="pizza-name")], id=f"space-{NAMES[space]}")


def _topping(colour: int, space: int) -> str:
    return group([_shape(colour, *place(space))], id=f"topping-{NAMES[space]}", class_="topping")


def _shape(colour: int, x: float, y: float) -> str:
    return use(TOPPINGS[colour], x, y)


def _role(state: State, number: int) -> str:
    """A role's six lines with their numbers, its name, and the stock of the colour that has it this round."""
    colour = next(seat for seat in range(3) if role(seat, state.round) == number)
    x, y = ROLE_NAMES_AT[number]
    stock = STOCK - count(state.toppings[colour])
    name = group(
        [
            text_at(x - 50, y, ROLES[number], class_="pizza-role", data_words=""),
            el("g", _shape(colour, 0, 0), transform=_small_at(x + 6, y)),
            text_at(x + 58, y, f"×{stock}", class_="label"),
        ],
        id=f"role-{ROLES[number]}",
    )
    return group([*(_cut(number, cut) for cut in range(1, CUTS + 1)), name])


def _small_at(x: float, y: float) -> str:
    return f"{moved(x, y)} scale(.6)"


def _ends(number: int, cut: int, reach: float) -> tuple[float, float, float, float]:
    """A cutting line from the role's side to the far side, reaching so far from the middle."""
    normal_x, normal_y = NORMALS[number]
    offset = _offset(cut)
    angle = ROLE_ANGLES_DEG[number] * pi / 180
    half = sqrt(reach * reach - offset * offset)
    near_x, near_y = offset * normal_x + half * cos(angle), offset * normal_y + half * sin(angle)
    far_x, far_y = offset * normal_x - half * cos(angle), offset * normal_y - half * sin(angle)
    return MIDDLE + near_x, MIDDLE - near_y, MIDDLE + far_x, MIDDLE - far_y


def _offset(cut: int) -> float:
    """How far from the middle a knife runs."""
    return (cut - 3.5) * sqrt(3) / 2 * SPACE_PITCH


def _line_id(number: int, cut: int) -> str:
    return f"line-{ROLES[number]}-{cut}"


def _cut(number: int, cut: int) -> str:
    x1, y1, x2, y2 = _ends(number, cut, PIZZA_RADIUS - 20)
    x, y, _, _ = _ends(number, cut, PIZZA_RADIUS + 36)
    return group(
        [
            line(x1, y1, x2, y2, class_="reach pizza-lane"),
            circle(x, y, 44, class_="reach"),
            line(x1, y1, x2, y2, class_="pizza-cut"),
            circle(x, y, 25, title(f"{ROLES[number]}: cut {cut}"), class_="pizza-number handle"),
            text_at(x, y, str(cut), class_="pizza-numeral"),
        ],
        id=_line_id(number, cut),
    )


def _knife(state: State, colour: int) -> str:
    return group([_blade(role(colour, state.round), state.cuts[colour])], id=f"knife-{colour}", class_="knife")


def _blade(number: int, cut: int) -> str:
    x1, y1, x2, y2 = _ends(number, cut, PIZZA_RADIUS + 12)
    return line(x1, y1, x2, y2, class_="pizza-edge") + line(x1, y1, x2, y2, class_="pizza-blade")


def _tomato() -> str:
    seeds = [
        el("ellipse", cx=0, cy=-14, rx=6, ry=9, class_="pizza-seeds", transform=f"rotate({turn})")
        for turn in range(0, 360, 60)
    ]
    return circle(0, 0, 32, class_="seat0") + circle(0, 0, 25, class_="pizza-flesh") + "".join(seeds)


def _basil() -> str:
    leaf = path("M0 34C-34 18-30-20 0-34C30-20 34 18 0 34Z", class_="seat1")
    return leaf + path("M0 34V-22M0 18L-15 6M0 18L15 6M0 2L-13-9M0 2L13-9", class_="pizza-vein")


def _mushroom() -> str:
    cap = path(
        "M-34 4C-34-24-16-34 0-34S34-24 34 4C34 10 12 12 10 10L13 32H-13L-10 10C-12 12-34 10-34 4Z", class_="seat2"
    )
    return cap + path("M-22-2C-12-14 12-14 22-2M-12 0C-6-6 6-6 12 0", class_="pizza-gill")


SHAPES = (_tomato, _basil, _mushroom)
DEFINITIONS = el("defs", *(el("g", shape(), id=name) for name, shape in zip(TOPPINGS, SHAPES, strict=True)))

PICTURE = Picture(
    size=SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    score_steps=score_steps,
    reason=reason,
    unowned=unowned,
    emblem=emblem,
    ignores_seat=True,
)
