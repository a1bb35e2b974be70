"""Tricolore (our name for an untitled rule sheet; author, publisher and year unknown): capture three pawns by colour.

Each player has six hexagonal pawns whose sides show the three colours, two sides each. On a turn, move one of your
pawns to an empty neighbouring space without turning it, or turn it by a sixth where it stands. Every enemy pawn that
it then touches is captured if the two touching sides have the same colour. The first to have captured three wins.

Two players play on the part of the board below a row of five neutral pawns. After 120 moves in a row without a
capture the game ends (house limit), and whoever has captured most wins.
"""

from typing import NamedTuple

from ludotheque.board.bits import Bits, cells, count, lowest
from ludotheque.board.triangle import NOWHERE, WAYS, Triangle
from ludotheque.game import DRAW, NOBODY, Bounds, Game, Json, Spans, Telling
from ludotheque.options import Number

GOAL = 3
COLOURS = ("gold", "silver", "black")
GOLD, SILVER, BLACK = range(len(COLOURS))

# The sheet's figures are lost: all of this is reconstructed, and changing the reconstruction means changing it here.
BOARD = Triangle(9)
CAMPS = (
    BOARD.bits("a1", "b1", "b2", "c1", "c2", "c3"),
    BOARD.bits("g7", "h7", "h8", "i7", "i8", "i9"),
    BOARD.bits("g1", "h1", "h2", "i1", "i2", "i3"),
)
WALL = BOARD.bits("e1", "e2", "e3", "e4", "e5")
SIDES = (SILVER, SILVER, BLACK, BLACK, GOLD, GOLD)  # what an unturned pawn shows, from east clockwise
TURNED = 0  # by how many sixths all pawns are turned at the start

BESIDE = BOARD.beside
NEIGHBOURS = BOARD.neighbours
BEHIND_WALL = (1 << lowest(WALL)) - 1  # spaces are numbered from the top

# The table of moves, space by space: the steps from it, then the two turns on it. A move is the space it begins on,
# the one it ends on, and the sixths it turns clockwise; FIRST is where each space's moves begin.
MOVES = tuple(
    (cell, end, spin)
    for cell in range(len(BOARD.names))
    for end, spin in (
        *((end, 0) for end in BESIDE[WAYS * cell : WAYS * (cell + 1)] if end != NOWHERE),
        (cell, 1),
        (cell, WAYS - 1),
    )
)
BEGINS = tuple(begin for begin, _, _ in MOVES)
ENDS = tuple(end for _, end, _ in MOVES)
SPINS = tuple(spin for _, _, spin in MOVES)
ENTERS = tuple(0 if spin else 1 << end for _, end, spin in MOVES)  # the space that must be empty
FIRST = (*(BEGINS.index(cell) for cell in range(len(BOARD.names))), len(MOVES))
TEXTS = tuple(
    f"{BOARD.names[begin]}{'>' if spin == 1 else '<'}" if spin else f"{BOARD.names[begin]}-{BOARD.names[end]}"
    for begin, end, spin in MOVES
)


class State(NamedTuple):
    """Pawns by seat, with two players the neutral ones last; the binary digits of how far each pawn is turned, one
    set of spaces a digit; pawns captured by seat; moves since the last capture; whose turn it is."""

    seats: int
    limit: int
    pawns: tuple[int, int, int]
    turned: tuple[int, int, int]
    taken: tuple[int, int, int]
    quiet: int
    turn: int


def start(seats: int, *, quiet: int = 120) -> State:
    gold, silver, black = CAMPS
    pawns = (gold, silver, black) if seats == len(COLOURS) else (silver, black, WALL)
    everyone = pawns[0] | pawns[1] | pawns[2]
    ones, twos, fours = (everyone if TURNED >> digit & 1 else 0 for digit in range(3))
    return State(seats, quiet, pawns, (ones, twos, fours), (0, 0, 0), 0, 0)


def to_act(state: State) -> int:
    return 0 if state.turn == NOBODY else 1 << state.turn


def spans(state: State, seat: int) -> Spans:
    """One for each of the seat's six pawns."""
    pawns_6 = state.pawns[seat]
    pawns_5 = pawns_6 & (pawns_6 - 1)
    pawns_4 = pawns_5 & (pawns_5 - 1)
    pawns_3 = pawns_4 & (pawns_4 - 1)
    pawns_2 = pawns_3 & (pawns_3 - 1)
    pawns_1 = pawns_2 & (pawns_2 - 1)
    return _span(pawns_6), _span(pawns_5), _span(pawns_4), _span(pawns_3), _span(pawns_2), _span(pawns_1)


def legal(state: State, _seat: int, move: int) -> bool:
    first, second, third = state.pawns
    return ENTERS[move] & (first | second | third) == 0


def play(state: State, seat: int, move: int) -> State:
    seats, limit, (first, second, third), (ones, twos, fours), taken, quiet, _ = state
    begin, end = BEGINS[move], ENDS[move]
    turned = (turned_by(state, begin) + SPINS[move]) % WAYS
    prey = prey_of(state, seat, end, turned)
    keep = ~(1 << begin | prey)
    pawns = (
        first & keep | (seat == 0) << end,
        second & keep | (seat == 1) << end,
        third & keep | (seat == 2) << end,
    )
    digits = (
        ones & keep | (turned & 1) << end,
        twos & keep | (turned >> 1 & 1) << end,
        fours & keep | (turned >> 2) << end,
    )
    points = (
        taken[0] + (count(prey) if seat == 0 else 0),
        taken[1] + (count(prey) if seat == 1 else 0),
        taken[2] + (count(prey) if seat == 2 else 0),
    )
    quiet = 0 if prey else quiet + 1
    over = points[seat] >= GOAL or quiet >= limit
    return State(seats, limit, pawns, digits, points, quiet, NOBODY if over else (seat + 1) % seats)


def scores(state: State) -> tuple[int, int, int]:
    return state.taken


def winners(state: State) -> int:
    """Those with most captures: one who has three is alone with them."""
    first, second, third = state.taken
    most = max(first, second, third)
    top = ((first == most) | (second == most) << 1 | (third == most) << 2) & ((1 << state.seats) - 1)
    return top | DRAW if top == (1 << state.seats) - 1 else top


def describe(state: State) -> dict[str, Json]:
    """Each pawn by its space: the initials of the colours it shows, from east clockwise."""
    pawns: dict[str, Json] = {COLOURS[colour(state.seats, seat)]: _shown(state, seat) for seat in range(len(COLOURS))}
    return {
        "pawns": pawns,
        "neutral": "gold" if state.seats == 2 else None,
        "captured": list(state.taken[: state.seats]),
        "quiet": state.quiet,
    }


def bounds(start: State) -> Bounds:
    """At most two captures a seat do not end it, and each lets the limit begin anew."""
    captures = start.seats * (GOAL - 1)
    return Bounds(
        moves=(captures + 1) * start.limit, draws=0, points=GOAL - 1 + WAYS, secrets=False, all_may_lose=False
    )


def refusal(state: State, seat: int, move: int) -> str:
    begin = 1 << BEGINS[move]
    first, second, third = state.pawns
    if state.pawns[seat] & begin:
        return "occupied"
    if state.seats == 2 and third & begin:
        return "neutral"
    if state.seats == 2 and BEHIND_WALL & begin:
        return "out-of-play"
    return "not-yours" if (first | second | third) & begin else "no-pawn"


def tell(_state: State, _seat: int, move: int) -> Telling:
    begin = ("cell", BOARD.names[BEGINS[move]])
    if SPINS[move]:
        return Telling("turn-right" if SPINS[move] == 1 else "turn-left", (begin,))
    return Telling("step", (begin, ("end", BOARD.names[ENDS[move]])))


def colour(seats: int, seat: int) -> int:
    """What a seat plays: gold, silver, black; or silver and black, and gold is the neutral third."""
    return (seat - seats) % len(COLOURS)


def owner(state: State, cell: int) -> int:
    """Whose pawn is on this space: a seat, with two players 2 for a neutral one, or nobody."""
    return next((seat for seat in range(len(COLOURS)) if state.pawns[seat] >> cell & 1), NOBODY)


def turned_by(state: State, cell: int) -> int:
    """By how many sixths the pawn on this space is turned clockwise."""
    ones, twos, fours = state.turned
    return ones >> cell & 1 | (twos >> cell & 1) << 1 | (fours >> cell & 1) << 2


def side(turned: int, way: int) -> int:
    """The colour a pawn turned so far shows in this direction."""
    return SIDES[(way - turned) % WAYS]


def _span(pawns: Bits) -> tuple[int, int]:
    """The moves of the first of these pawns."""
    if pawns == 0:
        return 0, 0
    cell = lowest(pawns)
    return FIRST[cell], FIRST[cell + 1]


def prey_of(state: State, seat: int, cell: int, turned: int) -> Bits:
    """The enemies captured by a pawn that comes to this space, or turns on it, and is then turned so far.

    Ruling: any two equal colours that touch capture, not only the victim's own.
    """
    near = NEIGHBOURS[cell] & _enemies(state, seat)
    prey = 0
    if near:
        for way in range(WAYS):
            other = BESIDE[WAYS * cell + way]
            if other != NOWHERE and near >> other & 1:
                facing = side(turned_by(state, other), way + WAYS // 2)
                prey |= (side(turned, way) == facing) << other
    return prey


def _enemies(state: State, seat: int) -> Bits:
    """Neutral pawns are nobody's enemies."""
    first, second, third = state.pawns
    everyone = first | second | third if state.seats == 3 else first | second
    return everyone & ~state.pawns[seat]


def _shown(state: State, seat: int) -> dict[str, Json]:
    return {
        BOARD.names[cell]: "".join(COLOURS[side(turned_by(state, cell), way)][0] for way in range(WAYS))
        for cell in cells(state.pawns[seat])
    }


GAME = Game(
    key="tricolore",
    seats=(3, 2),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    options=(Number("quiet", default=120, least=1, most=10000),),
    bounds=bounds,
    refusal=refusal,
    tell=tell,
)
