"""Pegs alone (Alex Randolph, in *Die Drei*, Franjos 1998): cover the whole board, with all 41 pegs showing through.

Put pegs and lay blue cards in any order and take them back as you like. A card covers 2×3 cells, turned as one likes,
over other cards too, where the pegs inside are exactly its holes. There is one card of each pattern, and only so many
may lie at once; no peg comes or goes under a card. The sheet promises a solution with eleven; the fewest are ten.
"""

import re
from typing import NamedTuple

from ludotheque.board.bits import Bits, count, union
from ludotheque.board.punched import CARDS, HOLES, PLACES, RECTANGLES
from ludotheque.board.square import CELLS, FULL, NAMES, NUMBERS, names
from ludotheque.errors import BadOption, quoted
from ludotheque.game import AnyGame, Bounds, Game, Json, Spans, Telling
from ludotheque.options import Cells, Number
from ludotheque.puzzles.kinds import CELLS as CELLS_NAMED
from ludotheque.puzzles.kinds import Options, PuzzleKind

PEGS = 41
PROMISED_CARDS, FEWEST_CARDS = 11, 10  # what the makers promised, and what is possible

# The table of moves: a peg, a card laid, something taken back.
LAY_0 = CELLS
LIFT_0 = LAY_0 + len(PLACES)
TEXTS = (
    *(f"peg {name}" for name in NAMES),
    *(str(place) for place in PLACES),
    *(f"lift {name}" for name in NAMES),
)

NO_CARD = -1
Laid = tuple[int, ...]


class State(NamedTuple):
    """Cells with pegs; those of them that stay; the most cards allowed; where cards lie, in the order of laying."""

    pegs: int
    given: int
    most: int
    laid: Laid


def start(_seats: int, *, cards: int = 11, pegs: tuple[str, ...] = ()) -> State:
    given = union(NUMBERS[name] for name in pegs)
    return State(given, given, cards, (NO_CARD,) * CARDS)


def to_act(state: State) -> int:
    return 0 if _solved(state) else 1


def spans(_state: State, _seat: int) -> Spans:
    return ((0, LIFT_0 + CELLS),)


def legal(state: State, _seat: int, move: int) -> bool:
    if move < LAY_0:
        return _peg_fault(state, move) == ""
    if move < LIFT_0:
        place = move - LAY_0
        return state.pegs & RECTANGLES[place] == HOLES[place] and _card_fault(state, place) == ""
    return _lift_fault(state, move - LIFT_0) == ""


def play(state: State, _seat: int, move: int) -> State:
    pegs, given, most, laid = state
    if move < LAY_0:
        return State(pegs | 1 << move, given, most, laid)
    if move < LIFT_0:
        places = (*places_of(state), move - LAY_0)
        return State(pegs, given, most, _padded(places))
    cell = move - LIFT_0
    if covered(state) >> cell & 1:
        return State(pegs, given, most, _padded(_without_topmost(places_of(state), cell)))
    return State(pegs & ~(1 << cell), given, most, laid)


def scores(state: State) -> tuple[int]:
    return (int(_solved(state)),)


def winners(state: State) -> int:
    return int(_solved(state))


def describe(state: State) -> dict[str, Json]:
    return {
        "pegs": list(names(state.pegs)),
        "given": list(names(state.given)),
        "laid": [str(PLACES[place]) for place in places_of(state)],
        "covered": list(names(covered(state))),
        "left": {"pegs": PEGS - count(state.pegs), "cards": state.most - len(places_of(state))},
    }


def bounds(_start: State) -> Bounds:
    """What was laid may be taken back, so that there is no last move."""
    return Bounds(draws=0, points=1, secrets=False)


def phase(state: State, seat: int) -> str:
    """What can be done: put a peg, lay a card, take something back; only what there is."""
    pegs = any(legal(state, seat, move) for move in range(LAY_0))
    cards = any(legal(state, seat, move) for move in range(LAY_0, LIFT_0))
    if pegs and not cards:
        return "peg-or-lift" if any(legal(state, seat, LIFT_0 + cell) for cell in range(CELLS)) else "peg"
    if pegs:
        return "play"
    if cards:
        return "lay-or-lift" if covered(state) else "lay"
    return "lift"


def refusal(state: State, _seat: int, move: int) -> str:
    if move < LAY_0:
        return _peg_fault(state, move)
    if move < LIFT_0:
        return _card_fault(state, move - LAY_0)
    return _lift_fault(state, move - LIFT_0)


def tell(state: State, _seat: int, move: int) -> Telling:
    if move < LAY_0:
        return Telling("peg", (("cell", NAMES[move]),))
    if move < LIFT_0:
        return Telling("lay", PLACES[move - LAY_0].told)
    places = places_of(state)
    number = topmost(places, move - LIFT_0)
    if number == NO_CARD:
        return Telling("lift-peg", (("cell", NAMES[move - LIFT_0]),))
    return Telling("lift-card", PLACES[places[number]].told)


def places_of(state: State) -> Laid:
    """Where the cards lie, without the blanks."""
    return tuple(place for place in state.laid if place != NO_CARD)


def covered(state: State) -> Bits:
    bits = 0
    for place in places_of(state):
        bits |= RECTANGLES[place]
    return bits


def topmost(places: Laid, cell: int) -> int:
    """The number of the topmost card over a cell in the order of laying; NO_CARD if it is open."""
    over = [number for number, place in enumerate(places) if RECTANGLES[place] >> cell & 1]
    return over[-1] if over else NO_CARD


def _solved(state: State) -> bool:
    return covered(state) == FULL and count(state.pegs) == PEGS


def _peg_fault(state: State, cell: int) -> str:
    if covered(state) >> cell & 1:
        return "under-card"
    if state.pegs >> cell & 1:
        return "occupied"
    return "no-pegs-left" if count(state.pegs) == PEGS else ""


def _card_fault(state: State, place: int) -> str:
    places = places_of(state)
    if PLACES[place].card in [PLACES[other].card for other in places]:
        return "card-used"
    if len(places) == state.most:
        return "too-many-cards"
    if HOLES[place] & ~state.pegs:
        return "hole-without-peg"
    return "peg-under-solid" if state.pegs & RECTANGLES[place] & ~HOLES[place] else ""


def _lift_fault(state: State, cell: int) -> str:
    if covered(state) >> cell & 1:
        return ""
    if state.given >> cell & 1:
        return "given-stays"
    return "" if state.pegs >> cell & 1 else "nothing-to-lift"


def _padded(places: Laid) -> Laid:
    return places + (NO_CARD,) * (CARDS - len(places))


def _without_topmost(places: Laid, cell: int) -> Laid:
    number = topmost(places, cell)
    return places[:number] + places[number + 1 :]


GAME = Game(
    key="pegs-solo",
    seats=(1,),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    options=(
        Number("cards", default=11, least=1, most=CARDS),
        Cells("pegs", default=(), board=NAMES, least=0, most=PEGS),
    ),
    bounds=bounds,
    phase=phase,
    refusal=refusal,
    tell=tell,
)


# Puzzles by their descriptions. `11:a6-b2-…` is how many cards are allowed and the cells without a peg, eight or
# more; with more than eight the missing pegs are left to the player. Where few pegs are there `11:only-d4-…` names
# these instead. `11` alone is the problem of the rule sheet, pegs and all.

DESCRIPTION = re.compile(rf"(\d{{1,2}})(?::(only-)?({CELLS_NAMED.pattern}))?", re.ASCII)


def read(_game: AnyGame, text: str) -> dict[str, object] | None:
    found = DESCRIPTION.fullmatch(text)
    if found is None:
        return None
    named = found[3].split("-") if found[3] else list(NAMES)
    if len(set(named)) != len(named):
        raise BadOption("No cell is named twice.", "bad-puzzle", {"id": quoted(found[3])})
    pegs = named if found[2] else [name for name in NAMES if name not in named]
    return {"cards": int(found[1])} | ({"pegs": pegs} if pegs else {})


def write(_game: AnyGame, options: Options) -> str:
    pegs = options.get("pegs", ())
    assert isinstance(pegs, tuple)
    if not pegs:
        return str(options["cards"])
    bare = [name for name in NAMES if name not in pegs]
    return f"{options['cards']}:" + ("only-" + "-".join(pegs) if len(pegs) < CELLS // 2 else "-".join(bare))


def praise(state: State) -> str | None:
    cards = len(places_of(state))
    return "praise-ten" if cards <= FEWEST_CARDS else "praise-eleven" if cards == PROMISED_CARDS else None


def open_cells(state: State) -> Bits:
    return FULL & ~covered(state)


def pieces_left(state: State) -> tuple[str, ...]:
    used = {PLACES[place].card for place in places_of(state)}
    return tuple(str(card) for card in range(1, CARDS + 1) if card not in used)


KIND = PuzzleKind(
    GAME,
    place=3,
    open_cells=open_cells,
    pieces_left=pieces_left,
    grades=(14, 13, 12, 11, 10),  # the cards that a layout needs
    read=read,
    write=write,
    classic="11",
    overlaps=True,
    praise=praise,
)
