"""Pegs (Alex Randolph, as *Peggino*, Ravensburger 1975; in *Die Drei*, Franjos 1998): punched cards over pegs.

Blue puts seven pegs on a 7×7 board, White adds none to seven. Then in turn each fills up a row of three open cards,
puts a peg on a bare cell, lays as many open cards as fit and as wanted, a new one drawn for each, and throws one out.
A card covers 2×3 cells, turned as one likes, over other cards too, wherever the pegs inside are exactly its holes;
Blue plays one face, White the other. The turn in which the deck, the pegs or the bare cells run out is the last.
Whoever shows more cells of the own colour wins.
"""

from typing import NamedTuple

from ludotheque.board.bits import Bits, count, lowest
from ludotheque.board.punched import BLUE, CARDS, FIRST, HOLES, PLACES, RECTANGLES, WHITE
from ludotheque.board.square import CELLS, FULL, NAMES, names
from ludotheque.game import DRAW, LUCK, LUCK_ACTS, Bounds, Game, Json, Spans, Telling

PEGS = 41
OPENING = 7  # pegs of Blue, and the most that White may add
ROW = 3  # open cards of a seat
DECK: Bits = (1 << CARDS) - 1  # sets of cards: bit n stands for card n + 1
WAYS = len(PLACES)
SINGLES: tuple[Bits, ...] = tuple(1 << (place.card - 1) for place in PLACES)  # the card of each place, as a set

# The table of moves: a peg, a card laid, a card thrown out, an end, a draw.
LAY_0 = CELLS
DROP_0 = LAY_0 + WAYS
DONE = DROP_0 + CARDS
DRAW_0 = DONE + 1
TEXTS = (
    *NAMES,
    *(str(place) for place in PLACES),
    *(f"drop {card}" for card in range(1, CARDS + 1)),
    "done",
    *(f"draw {card}" for card in range(1, CARDS + 1)),
)

PHASES = ("open", "peg", "lay", "over")
OPEN, PEG, LAY, OVER = range(len(PHASES))


class State(NamedTuple):
    """Cells with pegs; cells whose topmost card is blue, or white; the open rows and the deck as sets of cards."""

    pegs: int
    blue: int
    white: int
    rows: tuple[int, int]
    deck: int
    phase: int
    turn: int


def start(_seats: int) -> State:
    return State(0, 0, 0, (0, 0), DECK, OPEN, BLUE)


def to_act(state: State) -> int:
    if state.phase == OVER:
        return 0
    if state.phase != OPEN and state.deck and count(state.rows[state.turn]) < ROW:
        return LUCK_ACTS
    return 1 << state.turn


def spans(state: State, actor: int) -> Spans:
    none = (0, 0)
    if actor == LUCK:
        return (DRAW_0, DRAW_0 + CARDS), none, none, none
    if state.phase == OPEN:
        return (0, LAY_0), (DONE, DONE + 1) if actor == WHITE else none, none, none
    if state.phase == PEG:
        return (0, LAY_0), none, none, none
    first = state.rows[actor]
    second = first & (first - 1)
    third = second & (second - 1)
    end = (DONE, DONE + 1) if last(state) else (DROP_0, DONE)
    return _of_lowest(first), _of_lowest(second), _of_lowest(third), end


def legal(state: State, actor: int, move: int) -> bool:
    if move < LAY_0:
        return bare(state) >> move & 1 == 1
    if move < DROP_0:
        place = move - LAY_0
        return state.pegs & RECTANGLES[place] == HOLES[actor * WAYS + place]
    if move < DONE:
        return state.rows[actor] >> (move - DROP_0) & 1 == 1
    if move >= DRAW_0:
        return state.deck >> (move - DRAW_0) & 1 == 1
    return True


def play(state: State, _actor: int, move: int) -> State:
    pegs, blue, white, rows, deck, phase, turn = state
    if move >= DRAW_0:
        card = 1 << (move - DRAW_0)
        return State(pegs, blue, white, _exchange(rows, turn, card), deck ^ card, phase, turn)
    if move == DONE:
        return _begin(state) if phase == OPEN else State(pegs, blue, white, rows, deck, OVER, turn)
    if move >= DROP_0:
        left = _exchange(rows, turn, 1 << (move - DROP_0))
        return State(pegs, blue, white, left, deck, PEG, 1 - turn)
    if move >= LAY_0:
        return _lay(state, move - LAY_0)
    put = State(pegs | 1 << move, blue, white, rows, deck, phase, turn)
    return _opened(put) if phase == OPEN else State(put.pegs, blue, white, rows, deck, LAY, turn)


def scores(state: State) -> tuple[int, int]:
    return count(state.blue), count(state.white)


def winners(state: State) -> int:
    blue, white = scores(state)
    if blue == white:
        return 0b11 | DRAW
    return 0b01 if blue > white else 0b10


def describe(state: State) -> dict[str, Json]:
    return {
        "phase": PHASES[state.phase],
        "turn": state.turn,
        "last": last(state),
        "pegs": list(names(state.pegs)),
        "blue": list(names(state.blue)),
        "white": list(names(state.white)),
        "open": [list(cards(row)) for row in state.rows],
        "left": {"pegs": PEGS - count(state.pegs), "cards": count(state.deck)},
    }


def bounds(_start: State) -> Bounds:
    """Pegs, the end of the opening, each card laid or thrown out, the last end."""
    return Bounds(moves=PEGS + 1 + CARDS + 1, draws=CARDS, points=CELLS, secrets=False, all_may_lose=False)


def phase(state: State, actor: int) -> str:
    if actor == LUCK:
        return "draw"
    if state.phase == OPEN:
        return "open" if actor == BLUE else "add"
    name = PHASES[state.phase]
    return f"{name}-last" if last(state) and state.phase != OVER else name


def refusal(state: State, actor: int, move: int) -> str:
    if actor == LUCK:
        return "not-in-deck" if move >= DRAW_0 else "not-now"
    if move >= DRAW_0:
        return "not-now"
    if state.phase != LAY:
        if move < LAY_0:
            return "occupied"
        return "peg-first" if state.phase == PEG else "opening"
    if move < LAY_0:
        return "peg-put"
    if move < DROP_0:
        return _misfit(state, actor, move - LAY_0)
    if move == DONE:
        return "drop-to-end"
    return "last-turn" if last(state) else "not-open"


def tell(state: State, _actor: int, move: int) -> Telling:
    """The set-up is the opening and the first row of cards."""
    opening = state.phase == OPEN
    if move >= DRAW_0:
        values = (("card", str(move - DRAW_0 + 1)), ("seat:owner", str(state.turn)))
        return Telling("draw", values, setup=CARDS - count(state.deck) < ROW)
    if move == DONE:
        return Telling("content", setup=True) if opening else Telling("done")
    if move >= DROP_0:
        return Telling("drop", (("card", str(move - DROP_0 + 1)),))
    if move >= LAY_0:
        return Telling("lay", PLACES[move - LAY_0].told)
    return Telling("peg", (("cell", NAMES[move]),), setup=opening)


def last(state: State) -> bool:
    """Whether this turn is the last. What ends the game never comes back, so the position tells.

    Ruling: a bare peg takes a cell too, and there are 41 pegs. Bare cells only run out once the peg of the turn is
    put, by that peg or by a card laid after it: had they run out earlier, an earlier turn would have been the last.
    """
    return state.deck == 0 or bare(state) == 0 or count(state.pegs) == PEGS


def bare(state: State) -> Bits:
    """The cells with neither peg nor card."""
    return FULL & ~(state.pegs | state.blue | state.white)


def cards(row: Bits) -> list[int]:
    """The numbers of the cards in a set."""
    return [card for card in range(1, CARDS + 1) if row >> (card - 1) & 1]


def _opened(state: State) -> State:
    """After a peg of the opening: Blue's seventh hands over to White, White's seventh begins."""
    pegs, blue, white, rows, deck, phase, _ = state
    number = count(pegs)
    if number == 2 * OPENING:
        return _begin(state)
    return State(pegs, blue, white, rows, deck, phase, BLUE if number < OPENING else WHITE)


def _begin(state: State) -> State:
    return State(state.pegs, 0, 0, state.rows, state.deck, PEG, BLUE)


def _lay(state: State, place: int) -> State:
    pegs, blue, white, rows, deck, phase, turn = state
    rectangle = RECTANGLES[place]
    blue, white = blue & ~rectangle, white & ~rectangle
    if turn == BLUE:
        blue |= rectangle
    else:
        white |= rectangle
    return State(pegs, blue, white, _exchange(rows, turn, SINGLES[place]), deck, phase, turn)


def _exchange(rows: tuple[int, int], seat: int, card: Bits) -> tuple[int, int]:
    """The rows with a card put into a seat's, or taken from it."""
    return (rows[0] ^ card, rows[1]) if seat == BLUE else (rows[0], rows[1] ^ card)


def _of_lowest(row: Bits) -> tuple[int, int]:
    """The span of all places of the first card of a row."""
    if row == 0:
        return 0, 0
    card = lowest(row)
    return LAY_0 + FIRST[card], LAY_0 + FIRST[card + 1]


def _misfit(state: State, seat: int, place: int) -> str:
    if not state.rows[seat] & SINGLES[place]:
        return "not-open"
    bare_holes = HOLES[seat * WAYS + place] & ~state.pegs
    return "hole-without-peg" if bare_holes else "peg-under-solid"


GAME = Game(
    key="pegs",
    seats=(2,),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    bounds=bounds,
    phase=phase,
    refusal=refusal,
    tell=tell,
)
