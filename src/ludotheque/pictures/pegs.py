"""The picture of Pegs: cards piled up on a pegboard, open rows, deck and pegs, and how much each colour shows.

A position only tells the colour on top of each cell. How the cards lie on each other, and in which place of its row
an open card lies, comes from the story.
"""

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from ludotheque.board.bits import Bits, cells, count
from ludotheque.board.punched import BLUE, PLACES, WHITE, rows
from ludotheque.board.square import CELLS, NAMES
from ludotheque.board.square import SIDE as RANKS
from ludotheque.game import LUCK
from ludotheque.games.pegs import (
    DONE,
    DRAW_0,
    DROP_0,
    LAY,
    LAY_0,
    OPEN,
    OVER,
    PEGS,
    ROW,
    State,
    cards,
    last,
    play,
    scores,
    start,
)
from ludotheque.pictures.kit import punched
from ludotheque.pictures.kit.picture import AnimationStep, Picture, Story, share
from ludotheque.pictures.kit.square import EXTENT, touch_cells
from ludotheque.pictures.kit.svg import el, group, line, moved, path, rect, text_at, title, use
from ludotheque.pictures.kit.terminal import EMPTY, Look, outlined

SIZE = (EXTENT, 1020)
OPEN_SQUARE_SIZE = 42  # of an open card
SLOT_PITCH = 94  # from an open card to the next
TRAY_SIZE = (296, 178)
TRAY_CORNERS = ((14, 830), (510, 830))
FIRST_CARD_OFFSET = (56, 78)  # from the corner of a tray to the middle of its first card
NUMBER_DY = 160  # from the top of a tray to the number below a card
DECK_AT = (366, 886)
DROP_AT = (454, 886)
SUPPLY_AT = (344, 976)
BUTTON_AT = (456, 972)
PILE_SQUARE_SIZE = 29  # of a card on a pile
BALANCE = (136, EXTENT - 136, 13, 20)  # left, right, top and height of the bar
NUMBERS_DX, SIGNS_DX, STARS_DX = 112, 74, 36  # from either side

STYLES = ("white on dodger_blue3", "black on grey85")
LETTERS = "BW"
HOLES, SOLID = "○", "■"


class Past(NamedTuple):
    """What the story tells: cards laid, as (colour, place), and the cards in the places of each row, 0 for none."""

    laid: list[tuple[int, int]]
    slots: tuple[list[int], list[int]]


def draw(state: State, _seat: int, story: Story) -> str:
    past = _past(story)
    parts = [punched.definitions(), punched.pegboard(), punched.stack(past.laid)]
    parts += [punched.peg_on_board(cell) for cell in cells(state.pegs)]
    parts += [
        _balance(*scores(state), state.phase == OVER),
        _deck(count(state.deck)),
        _supply(PEGS - count(state.pegs)),
        _exits(state),
    ]
    parts += [_tray(seat, state.phase != OVER and state.turn == seat) for seat in (BLUE, WHITE)]
    parts += [_slot(seat, number, card) for seat in (BLUE, WHITE) for number, card in enumerate(past.slots[seat])]
    parts.append(touch_cells(punched.cell_titles(state.pegs, lambda cell: _colour(state, cell))))
    return "".join(parts)


def picks(state: State, actor: int, move: int) -> tuple[str, ...]:
    """A peg: its cell. To lay: the open card, a cell, the turn if it matters. To throw out: the card, its pile."""
    if move < LAY_0:
        return (f"cell-{NAMES[move]}",)
    if move < DROP_0:
        return punched.picks(state.pegs, actor, move - LAY_0, f"card-{PLACES[move - LAY_0].card}")
    if move < DONE:
        return f"card-{move - DROP_0 + 1}", "drop"
    return ("done",) if move == DONE else ()


def stuck(state: State, actor: int, legal: Collection[int]) -> tuple[str, ...]:
    """Open cards that can only be thrown out."""
    if state.phase != LAY:
        return ()
    fitting = {PLACES[move - LAY_0].card for move in legal if LAY_0 <= move < DROP_0}
    return tuple(f"card-{card}" for card in cards(state.rows[actor]) if card not in fitting)


def ghost(_state: State, actor: int, move: int) -> str:
    if move < LAY_0:
        return punched.ghost_peg(move)
    if move < DROP_0:
        return punched.ghost_card(actor, move - LAY_0)
    return (
        punched.card_in_row(move - DROP_0 + 1, actor, *DROP_AT, PILE_SQUARE_SIZE, punched.WELL, named=False)
        if move < DONE
        else ""
    )


def steps(before: State, news: Story, after: State) -> list[AnimationStep]:
    ((actor, move),) = news
    told = [_step(before, actor, move), *_number(move)]
    told += _taken(before, actor, after) if LAY_0 <= move < DROP_0 else []
    if last(after) and not last(before):
        told.append(AnimationStep("show", "done", _next(told), sentence="last"))
    if after.phase == OVER:
        blue, white = scores(after)
        points = ("points", str(blue)), ("others", str(white))
        values = (("seat:blue", str(BLUE)), ("seat:white", str(WHITE)), *points)
        told.append(AnimationStep("show", "balance", _next(told), sentence="over", values=values))
    return told


def score_steps(state: State, _story: Story) -> list[AnimationStep]:
    """Rank by rank, how many cells each colour shows."""
    return [_rank(state, rank) for rank in reversed(range(RANKS))]


def reason(state: State) -> AnimationStep | None:
    """What made the last turn the last."""
    why = "deck" if not state.deck else "pegs" if count(state.pegs) == PEGS else "full"
    return AnimationStep("show", "balance", sentence=why, values=(("pegs", str(PEGS)),))


def emblem(_state: State, role: int) -> str:
    return punched.emblem(role)


def text(state: State) -> str:
    score = "   ".join(
        f"[{STYLES[colour]}] {LETTERS[colour]} {count(shown)} [/]"
        for colour, shown in ((BLUE, state.blue), (WHITE, state.white))
    )
    left = f"● {PEGS - count(state.pegs)}   ▤ {count(state.deck)}"
    open_rows = (_row(row, colour) for colour, row in enumerate(state.rows) if row)
    board = outlined([_look(state, cell) for cell in range(CELLS)])
    return "\n\n".join((board, f"   {score}   {left}", *open_rows))


def _look(state: State, cell: int) -> Look:
    peg = state.pegs >> cell & 1
    for colour, shown in ((BLUE, state.blue), (WHITE, state.white)):
        if shown >> cell & 1:
            return Look(colour, f"{'●' if peg else ' '}{LETTERS[colour]} ", STYLES[colour])
    return Look(EMPTY, " ● ", "bold") if peg else Look(EMPTY, " · ", "dim")


def _row(row: Bits, colour: int) -> str:
    """The open cards of a seat, side by side, as that seat sees them."""
    faces = [(f"{card:<3}", *(" ".join(_squares(line)) for line in rows(card, colour))) for card in cards(row)]
    head, *lines = ["   ".join(parts) for parts in zip(*faces, strict=True)]
    sign = f"[{STYLES[colour]}] {LETTERS[colour]} [/]"
    return "\n".join((f"   {sign} [bold]{head}[/]", *(f"       {line}" for line in lines)))


def _squares(line: str) -> str:
    return line.replace("1", HOLES).replace("0", SOLID)


def _past(story: Story) -> Past:
    """A card drawn takes the first free place of its row and keeps it."""
    state, past = start(len(TRAY_CORNERS)), Past([], ([0] * ROW, [0] * ROW))
    for actor, move in story:
        slots = past.slots[state.turn]
        if move >= DRAW_0:
            slots[slots.index(0)] = move - DRAW_0 + 1
        elif LAY_0 <= move < DROP_0:
            past.laid.append((actor, move - LAY_0))
            slots[slots.index(PLACES[move - LAY_0].card)] = 0
        elif DROP_0 <= move < DONE:
            slots[slots.index(move - DROP_0 + 1)] = 0
        state = play(state, actor, move)
    return past


def _step(before: State, actor: int, move: int) -> AnimationStep:
    if actor == LUCK:
        card = str(move - DRAW_0 + 1)
        values = (("card", card), ("seat:owner", str(before.turn)))
        return AnimationStep("appear", f"card-{card}", sentence="draw", values=values)
    if move < LAY_0:
        return AnimationStep("appear", f"peg-{NAMES[move]}", sentence="peg", values=(("cell", NAMES[move]),))
    if move < DROP_0:
        card = str(PLACES[move - LAY_0].card)
        values = (("card", card), ("cells", punched.span(move - LAY_0)))
        return AnimationStep("move", f"card-{card}", to=f"card-{card}", sentence="lay", values=values)
    if move < DONE:
        card = str(move - DROP_0 + 1)
        return AnimationStep("go", f"card-{card}", sentence="drop", values=(("card", card),))
    return AnimationStep("show", "done", sentence="content" if before.phase == OPEN else "done")


def _number(move: int) -> list[AnimationStep]:
    """The number below a card comes and goes with it."""
    if move >= DRAW_0:
        return [AnimationStep("appear", f"number-{move - DRAW_0 + 1}")]
    if LAY_0 <= move < DROP_0:
        return [AnimationStep("go", f"number-{PLACES[move - LAY_0].card}")]
    return [AnimationStep("go", f"number-{move - DROP_0 + 1}")] if DROP_0 <= move < DONE else []


def _next(told: list[AnimationStep]) -> int:
    """The order of what is told after all this."""
    return max(step.order for step in told) + 1


def _taken(before: State, actor: int, after: State) -> list[AnimationStep]:
    """What a card has covered of the other's surface."""
    loss = scores(before)[1 - actor] - scores(after)[1 - actor]
    values = (("seat:owner", str(1 - actor)), ("count", str(loss)))
    return [AnimationStep("show", "balance", 1, sentence="taken", values=values)] if loss else []


def _rank(state: State, rank: int) -> AnimationStep:
    along = sum(1 << cell for cell in range(rank, CELLS, RANKS))
    shown = share((count(state.blue & along), count(state.white & along)))
    return AnimationStep("show", "balance", sentence="rank", values=(("rank", str(rank + 1)), ("seats:cells", shown)))


def _colour(state: State, cell: int) -> str:
    if state.blue >> cell & 1:
        return punched.FACES[BLUE]
    return punched.FACES[WHITE] if state.white >> cell & 1 else ""


@cache
def _balance(blue: int, white: int, over: bool) -> str:
    """How much of the board each colour shows: blue from the left, white from the right."""
    begin, end, top, high = BALANCE
    unit = (end - begin) / CELLS
    middle, y = EXTENT / 2, top + high / 2
    parts = [
        title(f"blue {blue}, white {white}"),
        rect(begin, top, end - begin, high, class_="pegs-board", rx=4),
        rect(begin, top, blue * unit, high, class_="pegs-blue-bar", rx=4),
        rect(end - white * unit, top, white * unit, high, class_="pegs-white-bar", rx=4),
        line(middle, top - 5, middle, top + high + 5, class_="pegs-middle"),
        _sign(BLUE, SIGNS_DX, y),
        _sign(WHITE, EXTENT - SIGNS_DX, y),
        text_at(NUMBERS_DX, y, str(blue), class_="pegs-count"),
        text_at(EXTENT - NUMBERS_DX, y, str(white), class_="pegs-count"),
    ]
    parts += [punched.star(STARS_DX, y)] if over and blue >= white else []
    parts += [punched.star(EXTENT - STARS_DX, y)] if over and white >= blue else []
    return group(parts, id="balance")


def _sign(seat: int, x: float, y: float) -> str:
    """The sign of a colour: a square of its cards."""
    kind = punched.FACES[seat]
    square = rect(-40, -40, 80, 80, class_=f"pegs-{kind}", rx=12)
    return el("g", square, use(f"pegs-{kind}", 0, 0), transform=f"{moved(x, y)} scale(.36)")


@cache
def _tray(seat: int, turn: bool) -> str:
    x, y = TRAY_CORNERS[seat]
    parts = [
        rect(
            x, y, *TRAY_SIZE, title(punched.FACES[seat]), class_="pegs-tray pegs-turn" if turn else "pegs-tray", rx=18
        ),
        _sign(seat, x + TRAY_SIZE[0] / 2, y),
    ]
    return group(parts, id=f"row-{seat}")


@cache
def _slot(seat: int, number: int, card: int) -> str:
    """A place of a row with its card and number; 0 is no card."""
    left, top = TRAY_CORNERS[seat]
    x, y = left + FIRST_CARD_OFFSET[0] + number * SLOT_PITCH, top + FIRST_CARD_OFFSET[1]
    if not card:
        return punched.gap(x, y, OPEN_SQUARE_SIZE)
    drawn = punched.card_in_row(
        card, seat, x, y, OPEN_SQUARE_SIZE, title(punched.card_title(card, seat)), punched.mat(6)
    )
    return drawn + text_at(x, top + NUMBER_DY, str(card), class_="pegs-number", id=f"number-{card}")


@cache
def _deck(left: int) -> str:
    x, y = DECK_AT
    top = y - 4 * min(3, max(0, left - 1))
    pile = (
        [punched.back(x, height, PILE_SQUARE_SIZE) for height in range(y, top - 1, -4)]
        if left
        else [punched.gap(x, y, PILE_SQUARE_SIZE)]
    )
    number = text_at(x, top, str(left), class_="pegs-left" if left else "pegs-count")
    return group([title(f"deck: {left}"), *pile, number], id="deck")


@cache
def _supply(left: int) -> str:
    x, y = SUPPLY_AT
    number = text_at(x + 24, y - 4, f"×{left}", class_="pegs-stock")
    return group([title(f"pegs: {left}"), use(punched.PEG, x, y), number], id="supply")


def _exits(state: State) -> str:
    """Where cards are thrown out, and the button that ends what can be ended."""
    ending = last(state) and state.phase == LAY
    return _out(state.phase == LAY and not ending) + _button(ending or (state.phase == OPEN and state.turn == WHITE))


@cache
def _out(useful: bool) -> str:
    x, y = DROP_AT
    look = "key" if useful else "key pegs-idle"
    cross = path("M-13-13l26 26m0-26l-26 26", class_="pegs-cross", transform=moved(x, y))
    floor = rect(
        x - PILE_SQUARE_SIZE,
        y - 1.5 * PILE_SQUARE_SIZE,
        2 * PILE_SQUARE_SIZE,
        3 * PILE_SQUARE_SIZE,
        class_="pegs-out",
        rx=6,
    )
    return group([title("throw out"), floor, cross], id="drop", class_=look)


@cache
def _button(useful: bool) -> str:
    x, y = BUTTON_AT
    look = "key" if useful else "key pegs-idle"
    key = rect(x - 30, y - 24, 60, 48, class_="pegs-key", rx=14)
    sign = path(punched.CHECK_PATH, class_="pegs-check", transform=moved(x, y))
    reach = rect(x - 38, y - 34, 76, 68, class_="reach")
    return group([title("done"), reach, key, sign], id="done", class_=look)


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
    stuck=stuck,
    uses=(punched,),
    ignores_seat=True,
)
