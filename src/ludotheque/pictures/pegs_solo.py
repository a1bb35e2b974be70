"""The solitaire of Pegs to be seen: cards piled up on a pegboard, pegs looking out of the holes, and all 35 cards."""

from functools import cache

from ludotheque.board.bits import Bits, cells, count, union
from ludotheque.board.punched import BLUE, CARDS, PLACES
from ludotheque.board.square import CELLS, NAMES
from ludotheque.pictures import punched
from ludotheque.pictures.boards import EXTENT, MARGIN, touches
from ludotheque.pictures.outlines import EMPTY, Look, outlined
from ludotheque.pictures.picture import Picture, Step, Story
from ludotheque.pictures.svg import el, group, moved, rect, title, use
from ludotheque.pictures.svg import text as words
from ludotheque.puzzles.pegs_solo import (
    LAY_0,
    LIFT_0,
    NO_CARD,
    PEGS,
    Laid,
    State,
    places_of,
    scores,
    topmost,
)

SIZE = (EXTENT, 1025)
TOP = EXTENT
COLUMNS = 12  # of cards in the tray
PLACE = (65, 65)  # the size of a card's place there
LEFT = (EXTENT - COLUMNS * PLACE[0]) // 2
SIDE = 19  # of a square of a card there
CARD_AT, NUMBER_AT = 44, 13  # from the left of its place to the middle of a card, and of its number
HEAD = 23  # the height of the line above the board
EMBLEM = 17  # a card with a bit of everything
FEWEST = 10  # cards that can be enough

STYLES = ("white on dodger_blue3", "black on sky_blue2", "white on blue3", "black on light_steel_blue1")
LINE = 5  # cards named in a line


def draw(state: State, _seat: int, _story: Story) -> str:
    places, solved = places_of(state), scores(state) == (1,)
    parts = [punched.definitions(), punched.pegboard(solved=solved), punched.stack((BLUE, place) for place in places)]
    parts += [punched.standing(cell, _kind(state, cell)) for cell in cells(state.pegs)]
    parts += [_cards_used(len(places), state.most), _pegs_put(count(state.pegs))]
    parts += _stars(state)
    used = union(PLACES[place].card for place in places)
    places_there = [_place(card, bool(used >> card & 1)) for card in range(1, CARDS + 1)]
    parts += [_floor(), group(places_there, class_="pegs-places")]
    parts.append(touches(punched.what_lies(state.pegs, lambda cell: _card_over(places, cell))))
    return "".join(parts)


def picks(state: State, _actor: int, move: int) -> tuple[str, ...]:
    """To put or lift: the cell. To lay: the card in the tray, a cell, the turn if it matters."""
    if LAY_0 <= move < LIFT_0:
        return punched.picks(state.pegs, BLUE, move - LAY_0, f"tray-{PLACES[move - LAY_0].card}")
    return (f"cell-{NAMES[move if move < LAY_0 else move - LIFT_0]}",)


def ghost(state: State, _actor: int, move: int) -> str:
    """A peg or a card as it would be, or the outline of what would be lifted."""
    if move < LAY_0:
        return punched.shadowy(move)
    if move < LIFT_0:
        return punched.ghostly(BLUE, move - LAY_0)
    place = _over(places_of(state), move - LIFT_0)
    return punched.lifted_peg(move - LIFT_0) if place == NO_CARD else punched.lifted(place)


def steps(before: State, news: Story, after: State) -> list[Step]:
    ((_, move),) = news
    told = [_step(before, move)]
    if scores(after) == (1,):
        told.append(Step("appear", "star-1", 1, words="solved"))
    if _stars(after)[1:]:
        told.append(Step("appear", "star-2", 2, words="fewest", values=(("count", str(len(places_of(after)))),)))
    return told


def text(state: State, marked: Bits = 0) -> str:
    places = places_of(state)
    board = outlined([_look(state, places, cell) for cell in range(CELLS)], marked)
    left = f"   ● {PEGS - count(state.pegs)}   ▤ {state.most - len(places)}"
    names = [f"[{_style(number)}] {PLACES[place]} [/]" for number, place in enumerate(places)]
    lines = ["   " + " ".join(names[first : first + LINE]) for first in range(0, len(names), LINE)]
    return "\n".join((board, "", left, *([""] if lines else []), *lines))


def _look(state: State, places: Laid, cell: int) -> Look:
    peg = state.pegs >> cell & 1
    number = topmost(places, cell)
    if number != NO_CARD:
        return Look(number, " ● " if peg else f" {PLACES[places[number]].card:<2}", _style(number))
    if state.given >> cell & 1:
        return Look(EMPTY, " ◉ ", "bold")
    return Look(EMPTY, " ● ", "bold") if peg else Look(EMPTY, " · ", "dim")


def _style(number: int) -> str:
    return STYLES[number % len(STYLES)]


def _over(places: Laid, cell: int) -> int:
    """The place of the topmost card over a cell; NO_CARD if it is open."""
    number = topmost(places, cell)
    return NO_CARD if number == NO_CARD else places[number]


def _step(before: State, move: int) -> Step:
    if move < LAY_0:
        return Step("appear", f"peg-{NAMES[move]}", words="peg", values=(("cell", NAMES[move]),))
    if move < LIFT_0:
        return _slide(move - LAY_0, "lay")
    cell = move - LIFT_0
    place = _over(places_of(before), cell)
    if place != NO_CARD:
        return _slide(place, "lift-card")
    return Step("go", f"peg-{NAMES[cell]}", words="lift-peg", values=(("cell", NAMES[cell]),))


def _slide(place: int, words: str) -> Step:
    """A card on its way between tray and board: it keeps its id."""
    card = str(PLACES[place].card)
    values = (("card", card), ("cells", punched.span(place)))
    return Step("move", f"card-{card}", to=f"card-{card}", words=words, values=values)


def _kind(state: State, cell: int) -> str:
    return punched.GIVEN if state.given >> cell & 1 else punched.PEG


def _card_over(places: Laid, cell: int) -> str:
    place = _over(places, cell)
    return "" if place == NO_CARD else f"card {PLACES[place].card}"


@cache
def _floor() -> str:
    return rect(LEFT - 10, TOP - 4, COLUMNS * PLACE[0] + 20, 3 * PLACE[1] + 8, class_="pegs-tray", rx=18)


@cache
def _place(card: int, used: bool) -> str:
    """A card in the tray, or the gap it left, with its number; pages with little room move and enlarge it as one."""
    row, column = divmod(card - 1, COLUMNS)
    middle = PLACE[1] // 2
    there = (
        punched.gap(CARD_AT, middle, SIDE) if used else punched.lying(card, BLUE, CARD_AT, middle, SIDE, punched.WELL)
    )
    number = words(NUMBER_AT, middle, str(card), class_="pegs-small pegs-used" if used else "pegs-small")
    says = title(punched.says(card, BLUE))
    touch = el("rect", says, width=PLACE[0], height=PLACE[1], id=f"tray-{card}", class_="pegs-touch")
    where = moved(LEFT + column * PLACE[0], TOP + row * PLACE[1])
    return group([there, number, touch], transform=where)


@cache
def _cards_used(used: int, most: int) -> str:
    emblem = punched.lying(EMBLEM, BLUE, MARGIN + 12, HEAD, 13, punched.WELL, named=False)
    return group([emblem, words(MARGIN + 36, HEAD, f"{used}/{most}", class_="pegs-stock")], id="cards")


@cache
def _pegs_put(put: int) -> str:
    x = EXTENT - MARGIN - 12
    emblem = use(punched.PEG, 0, 0, transform=f"translate({x} {HEAD + 4}) scale(.62)")
    return group([emblem, words(x - 24, HEAD, f"{put}/{PEGS}", class_="pegs-stock pegs-end")], id="pegs")


def _stars(state: State) -> list[str]:
    """A star for a solution, a second one for the fewest cards possible."""
    number = 0 if scores(state) == (0,) else 1 + (len(places_of(state)) <= FEWEST)
    first = EXTENT / 2 - 22 * (number - 1)
    return [punched.star(first + 44 * n, HEAD, id=f"star-{n + 1}") for n in range(number)]


PICTURE = Picture(
    size=SIZE, draw=draw, picks=picks, ghost=ghost, steps=steps, text=text, marked_text=text, alike=True
)
