"""Hundsgemein's state: the district, the fleas, the table of moves, and how the counters are packed."""

from itertools import pairwise
from typing import NamedTuple, TypeAlias

from ludotheque.board.bits import Bits
from ludotheque.board.square import CELLS, FULL, NAMES, NUMBERS, SIDE, SURROUNDINGS

Quad: TypeAlias = tuple[int, int, int, int]

KINDS = "ABCD"  # the types of fleas
EACH = {2: 6, 3: 4, 4: 3}  # fleas of each type a seat has, by the number of seats
IN_SIGHT = 2

# Ruling: the sheet's "2 to 4" leaves out Rex; Zorro is the 2.
DOGS = ("Rex", "Fifi", "Daisy", "Zorro")
VALUES = (0, 5, 4, 3, 2)  # by dog from 1; 0 is a street still without
LITTER = 3

STREETS = (*(f"h{number}" for number in range(1, SIDE)), *(f"v{number}" for number in range(1, SIDE)))
FILES = tuple(((1 << SIDE) - 1) << SIDE * file for file in range(SIDE))
RANKS = tuple(sum(1 << SIDE * file for file in range(SIDE)) << rank for rank in range(SIDE))
LINES = tuple(line for way in (RANKS, FILES) for near, far in pairwise(way) for line in (near, far))
CENTRE = NUMBERS["d4"]
BLOCKS = FULL & ~(1 << CENTRE)

# The table of moves: a placement, a flea thrown away, two, the talk at the table, a flip, a dog.
PAIRS = tuple((low, high) for low in range(4) for high in range(low, 4))
DROP_0 = len(KINDS) * CELLS
PAIR_0 = DROP_0 + len(KINDS)
OBJECT = PAIR_0 + len(PAIRS)
ACCEPT = OBJECT + 1
FLIP_0 = ACCEPT + 1
DOG_0 = FLIP_0 + len(KINDS)
TEXTS = (
    *(f"{kind}@{cell}" for kind in KINDS for cell in NAMES),
    *(f"drop {kind}" for kind in KINDS),
    *(f"drop {KINDS[low]} {KINDS[high]}" for low, high in PAIRS),
    "object",
    "accept",
    *(f"flip {kind}" for kind in KINDS),
    *(f"dog {dog}" for dog in DOGS),
)

# What a placement means.
KIND_OF = tuple(kind for kind in range(4) for _ in range(CELLS))
SPOT = tuple(1 << cell for _ in KINDS for cell in range(CELLS))
NEAR = SURROUNDINGS * 4

# Counters packed into one number: bits a seat has in `open` (2 a type), `stock` (3 a type) and `piles`; bits a street
# has in `dogs`, which has those not dealt yet above the streets, 2 bits a dog.
OPEN, STOCK, PILE, DOG = 8, 12, 5, 3
KENNEL = DOG * len(STREETS)
USED = (*(1 << 2 * kind for kind in range(4)), *((1 << 2 * low) + (1 << 2 * high) for low, high in PAIRS))
OPEN_OF = tuple(sum(0b11 << OPEN * seat + 2 * kind for seat in range(4)) for kind in range(4))
STOCK_OF = tuple(sum(0b111 << STOCK * seat + 3 * kind for seat in range(4)) for kind in range(4))

EXPERT, TABLE, HIDDEN = 1, 2, 4  # options

PHASES = ("dogs", "opening", "flip", "play", "accept", "over")
DEAL, OPENING, FLIP, PLAY, WAIT, OVER = range(len(PHASES))


class State(NamedTuple):
    """Fleas by type and by owner; open fleas, stocks and dogs as packed counters.

    `piles` has the size of each stock, which all may know; `due`, how often luck acts before the game goes on;
    `turn`, whose flea luck turns up, who plays, or who accepts the end; `last`, the cell of the last flea placed
    while it lies there; `objectors`, the seats that may still object to it.
    """

    seats: int
    options: int
    fleas: Quad
    owners: Quad
    open: int
    stock: int
    piles: int
    dogs: int
    phase: int
    turn: int
    due: int
    last: int
    objectors: int


def secret(state: State) -> bool:
    """Whether owners and stocks are hidden now."""
    return state.options & HIDDEN != 0 and state.phase != OVER


def open_fleas(state: State, seat: int) -> str:
    """The types of a seat's open fleas, sorted: `AC`."""
    return "".join(kind * (open_counts(state, seat) >> 2 * number & 0b11) for number, kind in enumerate(KINDS))


def pile(state: State, seat: int) -> int:
    """How many fleas a seat has in stock."""
    return state.piles >> PILE * seat & 0b11111


def dog(state: State, street: int) -> str | None:
    number = state.dogs >> DOG * street & 0b111
    return DOGS[number - 1] if number else None


def open_counts(state: State, seat: int) -> int:
    """A seat's open fleas by type, as packed counters of 2 bits."""
    return state.open >> OPEN * seat & 0xFF


def stocks(state: State, seat: int) -> list[int]:
    """A seat's stock by type."""
    return [state.stock >> STOCK * seat + 3 * kind & 0b111 for kind in range(4)]


def taken_blocks(state: State) -> Bits:
    """The blocks with a flea."""
    first, second, third, fourth = state.fleas
    return first | second | third | fourth


def room(state: State, kind: int) -> Bits:
    """The blocks where a flea of this type could legally be placed."""
    fleas = state.fleas[kind]
    fleas |= (fleas & ~RANKS[SIDE - 1]) << 1 | (fleas & ~RANKS[0]) >> 1
    return BLOCKS & ~taken_blocks(state) & ~(fleas | fleas << SIDE | fleas >> SIDE)


def kind_at(fleas: Quad, cell: int) -> int:
    """The type of the flea on a cell that has one."""
    for kind in range(3):
        if fleas[kind] >> cell & 1:
            return kind
    return 3


def joined(sets: Quad, number: int, bit: Bits) -> Quad:
    """Four sets of cells with a cell added to one of them."""
    first, second, third, fourth = sets
    if number == 0:
        return first | bit, second, third, fourth
    if number == 1:
        return first, second | bit, third, fourth
    if number == 2:
        return first, second, third | bit, fourth
    return first, second, third, fourth | bit


def without(sets: Quad, bit: Bits) -> Quad:
    """Four sets of cells with a cell removed from all of them."""
    first, second, third, fourth = sets
    return first & ~bit, second & ~bit, third & ~bit, fourth & ~bit
