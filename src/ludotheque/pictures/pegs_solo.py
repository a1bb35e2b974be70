"""The picture of Pegs solo: cards piled up on a pegboard, pegs looking out of the holes, and all 35 cards."""

from collections.abc import Collection
from functools import cache

from ludotheque.board.bits import Bits, cells, count, union
from ludotheque.board.punched import BLUE, CARDS, PLACES
from ludotheque.board.square import CELLS, NAMES
from ludotheque.pictures.kit import punched
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story
from ludotheque.pictures.kit.square import EXTENT, MARGIN, touch_cells
from ludotheque.pictures.kit.svg import el, group, moved, rect, text_at, title, use
from ludotheque.pictures.kit.terminal import EMPTY, Look, outlined
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
TRAY_TOP = EXTENT
COLUMNS = 12  # of cards in the tray
PLACE_SIZE = (65, 65)  # of a card in the tray
TRAY_LEFT = (EXTENT - COLUMNS * PLACE_SIZE[0]) // 2
SQUARE_SIZE = 19  # of a card in the tray
CARD_DX, NUMBER_DX = 44, 13  # from the left of its place to the middle of a card, and of its number
HEAD_Y = 23  # of the counts above the board
EMBLEM_CARD = 17  # a card with a bit of everything
FEWEST_CARDS = 10  # no solution has fewer

STYLES = ("white on dodger_blue3", "black on sky_blue2", "white on blue3", "black on light_steel_blue1")
CARDS_PER_LINE = 5  # in a terminal


def draw(state: State, _seat: int, _story: Story) -> str:
    places, solved = places_of(state), scores(state) == (1,)
    parts = [punched.definitions(), punched.pegboard(solved=solved), punched.stack((BLUE, place) for place in places)]
    parts += [punched.peg_on_board(cell, _kind(state, cell)) for cell in cells(state.pegs)]
    parts += [_cards_used(len(places), state.most), _pegs_put(count(state.pegs))]
    parts += _stars(state)
    used = union(PLACES[place].card for place in places)
    places_there = [_place(card, bool(used >> card & 1)) for card in range(1, CARDS + 1)]
    parts += [_empty_tray(), group(places_there, class_="pegs-places")]
    parts.append(touch_cells(punched.cell_titles(state.pegs, lambda cell: _card_over(places, cell))))
    return "".join(parts)


def picks(state: State, _actor: int, move: int) -> tuple[str, ...]:
    """To put or lift: the cell. To lay: the card in the tray, a cell, the turn if it matters."""
    if LAY_0 <= move < LIFT_0:
        return punched.picks(state.pegs, BLUE, move - LAY_0, f"tray-{PLACES[move - LAY_0].card}")
    return (f"cell-{NAMES[move if move < LAY_0 else move - LIFT_0]}",)


def stuck(state: State, _actor: int, legal: Collection[int]) -> tuple[str, ...]:
    """Cards left that fit nowhere."""
    laid = {PLACES[place].card for place in places_of(state)}
    fitting = {PLACES[move - LAY_0].card for move in legal if LAY_0 <= move < LIFT_0}
    return tuple(f"tray-{card}" for card in range(1, CARDS + 1) if card not in laid | fitting)


def ghost(state: State, _actor: int, move: int) -> str:
    """A peg or a card as it would be, or the outline of what would be lifted."""
    if move < LAY_0:
        return punched.ghost_peg(move)
    if move < LIFT_0:
        return punched.ghost_card(BLUE, move - LAY_0)
    place = _over(places_of(state), move - LIFT_0)
    return punched.lifted_peg(move - LIFT_0) if place == NO_CARD else punched.lifted_card(place)


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    ((_, move),) = news
    told = [_step(before, move)]
    if scores(after) == (1,):
        told.append(AnimationStep("appear", "star-1", 1, sentence="solved"))
    if _stars(after)[1:]:
        told.append(
            AnimationStep("appear", "star-2", 2, sentence="fewest", values=(("count", str(len(places_of(after)))),))
        )
    return told


def text(state: State, marked: Bits = 0) -> str:
    places = places_of(state)
    board = outlined([_look(state, places, cell) for cell in range(CELLS)], marked)
    left = f"   ● {PEGS - count(state.pegs)}   ▤ {state.most - len(places)}"
    names = [f"[{_style(number)}] {PLACES[place]} [/]" for number, place in enumerate(places)]
    lines = [
        "   " + " ".join(names[first : first + CARDS_PER_LINE]) for first in range(0, len(names), CARDS_PER_LINE)
    ]
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


def _step(before: State, move: int) -> AnimationStep:
    if move < LAY_0:
        return AnimationStep("appear", f"peg-{NAMES[move]}", sentence="peg", values=(("cell", NAMES[move]),))
    if move < LIFT_0:
        return _slide(move - LAY_0, "lay")
    cell = move - LIFT_0
    place = _over(places_of(before), cell)
    if place != NO_CARD:
        return _slide(place, "lift-card")
    return AnimationStep("go", f"peg-{NAMES[cell]}", sentence="lift-peg", values=(("cell", NAMES[cell]),))


def _slide(place: int, sentence: str) -> AnimationStep:
    """A card on its way between tray and board: it keeps its id."""
    card = str(PLACES[place].card)
    values = (("card", card), ("cells", punched.span(place)))
    return AnimationStep("move", f"card-{card}", to=f"card-{card}", sentence=sentence, values=values)


def _kind(state: State, cell: int) -> str:
    return punched.GIVEN if state.given >> cell & 1 else punched.PEG


def _card_over(places: Laid, cell: int) -> str:
    place = _over(places, cell)
    return "" if place == NO_CARD else f"card {PLACES[place].card}"


@cache
def _empty_tray() -> str:
    return rect(
        TRAY_LEFT - 10, TRAY_TOP - 4, COLUMNS * PLACE_SIZE[0] + 20, 3 * PLACE_SIZE[1] + 8, class_="pegs-tray", rx=18
    )


@cache
def _place(card: int, used: bool) -> str:
    """A card in the tray, or the gap it left, with its number; pages with little room move and enlarge it as one."""
    row, column = divmod(card - 1, COLUMNS)
    middle = PLACE_SIZE[1] // 2
    there = (
        punched.gap(CARD_DX, middle, SQUARE_SIZE)
        if used
        else punched.card_in_row(card, BLUE, CARD_DX, middle, SQUARE_SIZE, punched.WELL)
    )
    number = text_at(NUMBER_DX, middle, str(card), class_="pegs-small pegs-used" if used else "pegs-small")
    says = title(punched.card_title(card, BLUE))
    touch = el("rect", says, width=PLACE_SIZE[0], height=PLACE_SIZE[1], id=f"tray-{card}", class_="pegs-touch")
    where = moved(TRAY_LEFT + column * PLACE_SIZE[0], TRAY_TOP + row * PLACE_SIZE[1])
    return group([there, number, touch], transform=where)


@cache
def _cards_used(used: int, most: int) -> str:
    emblem = punched.card_in_row(EMBLEM_CARD, BLUE, MARGIN + 12, HEAD_Y, 13, punched.WELL, named=False)
    words = text_at(MARGIN + 36, HEAD_Y, f"cards: {used} of {most}", class_="pegs-stock", data_words="")
    return group([emblem, words], id="cards")


@cache
def _pegs_put(put: int) -> str:
    x = EXTENT - MARGIN - 12
    emblem = use(punched.PEG, 0, 0, transform=f"translate({x} {HEAD_Y + 4}) scale(.62)")
    words = text_at(x - 24, HEAD_Y, f"pegs: {put} of {PEGS}", class_="pegs-stock pegs-end", data_words="")
    return group([emblem, words], id="pegs")


def _stars(state: State) -> list[str]:
    """A star for a solution, a second one for the fewest cards possible."""
    number = 0 if scores(state) == (0,) else 1 + (len(places_of(state)) <= FEWEST_CARDS)
    first = EXTENT / 2 - 22 * (number - 1)
    return [punched.star(first + 44 * n, HEAD_Y, id=f"star-{n + 1}") for n in range(number)]


PICTURE = Picture(
    size=SIZE,
    draw=draw,
    picks=picks,
    ghost=ghost,
    steps=steps,
    text=text,
    marked_text=text,
    stuck=stuck,
    uses=(punched,),
    ignores_seat=True,
)
