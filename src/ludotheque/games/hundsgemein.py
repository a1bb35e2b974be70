"""Hundsgemein (Dario Zaccariotto, Piatnik 2003): gangs of fleas lie in wait for the dogs that cross their district.

The district is 7×7 blocks without the centre, with six streets each way and a dog in every street: Rex 5, Fifi 4,
Daisy 3, Zorro 2. Everyone has fleas of four types, two of them face up. In turn, place one of your two on an empty
block, touching no flea of its type even at a corner, or throw one or both away; then new ones come up from your
stock. When no flea left could be placed, whoever has the most fleas along a street takes its dog, and a tie sets it
free. Most points win. Whose a flea is only shows at the end: remember!

Experts add up their longest unbroken rows on the two sides of a street. With the referee at the table fleas may be
placed against the rules, and stay, unless somebody objects before the next player has played.
"""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import NamedTuple, TypeAlias

from ludotheque.board.bits import Bits, cells, count, lowest
from ludotheque.board.square import CELLS, FULL, NAMES, NUMBERS, SIDE, SURROUNDINGS, names
from ludotheque.game import LUCK_ACTS, NOBODY, Game, Json, Spans
from ludotheque.options import Choice, Flag

Quad: TypeAlias = tuple[int, int, int, int]
Card: TypeAlias = tuple[int, int]  # a flea's seat and type
Want: TypeAlias = tuple[int, frozenset[Card]]  # a cell, or nobody's for a place in a stock, and what may lie there

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


def start(seats: int, *, expert: bool = False, referee: str = "strict", owners: str = "hidden") -> State:
    options = EXPERT * expert | TABLE * (referee == "table") | HIDDEN * (owners == "hidden")
    each, blank = EACH[seats], (0, 0, 0, 0)
    stock = sum(each << STOCK * seat + 3 * kind for seat in range(seats) for kind in range(4))
    piles = sum(4 * each << PILE * seat for seat in range(seats))
    dogs = sum(LITTER << KENNEL + 2 * number for number in range(len(DOGS)))
    return State(seats, options, blank, blank, 0, stock, piles, dogs, DEAL, 0, len(STREETS), NOBODY, 0)


def to_act(state: State) -> int:
    if state.phase <= FLIP:
        return LUCK_ACTS
    return 0 if state.phase == OVER else 1 << state.turn | state.objectors


def spans(state: State, actor: int) -> Spans:
    none = (0, 0)
    if state.phase == DEAL:
        return (DOG_0, DOG_0 + 4), none, none, none, none, none
    if state.phase <= FLIP:
        return (FLIP_0, FLIP_0 + 4), none, none, none, none, none
    talk = _talk(state, actor)
    if state.phase == WAIT or actor != state.turn:
        return talk, none, none, none, none, none
    fleas = _open(state, actor)
    low = lowest(fleas) >> 1
    rest = fleas & ~(0b11 << 2 * low)
    if rest:
        high = lowest(rest) >> 1
        return _places(low), _places(high), _one(DROP_0 + low), _one(DROP_0 + high), _one(_pair(low, high)), talk
    twins = _one(_pair(low, low)) if fleas >> 2 * low == 2 else none
    return _places(low), none, _one(DROP_0 + low), none, twins, talk


def legal(state: State, _actor: int, move: int) -> bool:
    if move < DROP_0:
        return _may_place(state, move)
    return move < FLIP_0 or weight(state, move) > 0


def play(state: State, actor: int, move: int) -> State:
    if move < DROP_0:
        return _place(state, actor, move)
    if move < OBJECT:
        return _drop(state, actor, move)
    if move == OBJECT:
        return _object(state, actor)
    if move == ACCEPT:
        return _go_on(state, OVER, state.turn)
    if move < DOG_0:
        return _flip(state, move - FLIP_0)
    return _deal(state, move - DOG_0)


def scores(state: State) -> Quad:
    """The value of each seat's dogs; nothing while that would tell who owns the fleas."""
    if secret(state):
        return 0, 0, 0, 0
    first, second, third, fourth = kennels(state)
    return first >> 4, second >> 4, third >> 4, fourth >> 4


def winners(state: State) -> int:
    """Most points, then most dogs; ruling: whoever is still equal shares the win, even if that is everyone."""
    owned = kennels(state)
    best, top = -1, 0
    for seat in range(state.seats):
        if owned[seat] > best:
            best, top = owned[seat], 0
        if owned[seat] == best:
            top |= 1 << seat
    return top


def describe(state: State) -> dict[str, Json]:
    seats = range(state.seats)
    return {
        "phase": PHASES[state.phase],
        "turn": None if state.phase in (DEAL, OVER) else state.turn,
        "fleas": {kind: list(names(state.fleas[number])) for number, kind in enumerate(KINDS)},
        "owners": None if secret(state) else [list(names(state.owners[seat])) for seat in seats],
        "last": _last(state),
        "open": [list(open_fleas(state, seat)) for seat in seats],
        "piles": [pile(state, seat) for seat in seats],
        "stocks": None if secret(state) else [dict(zip(KINDS, _stocks(state, seat), strict=True)) for seat in seats],
        "dogs": {street: dog(state, number) for number, street in enumerate(STREETS)},
        "takers": None if secret(state) else _takers(state),
        "may_object": [seat for seat in seats if state.objectors >> seat & 1],
    }


def weight(state: State, move: int) -> int:
    if move >= DOG_0:
        return state.dogs >> KENNEL + 2 * (move - DOG_0) & 0b11
    return state.stock >> STOCK * state.turn + 3 * (move - FLIP_0) & 0b111


def forgets(state: State, move: int) -> bool:
    """With hidden owners no earlier placement is listed: the order of turns would give its owner away."""
    return bool(state.options & HIDDEN) and move < DROP_0


def view(state: State, _seat: int) -> State:
    """To everyone the same: of the fleas on the board only the last one's owner, of the stocks only their sizes."""
    if not secret(state):
        return state
    last = 0 if state.last == NOBODY else 1 << state.last
    first, second, third, fourth = state.owners
    return state._replace(owners=(first & last, second & last, third & last, fourth & last), stock=0)


def guess(seen: State, _seat: int, random: Random) -> State:
    """Unknown fleas at random, as many of each seat and type as there may be, the end neither missed nor early."""
    if not secret(seen):
        return seen
    cards, wants = _unseen(seen), _wants(seen)
    random.shuffle(cards)
    random.shuffle(wants)
    for way in _ways(seen, wants):
        holders = _matched(way, cards)
        if holders is not None:
            return _completed(seen, [(way[want][0], cards[card]) for card, want in holders.items()])
    raise ValueError("no state lies behind this view")


def phase(state: State, actor: int) -> str:
    if state.phase < PLAY or state.phase == OVER:
        return PHASES[state.phase]
    objects = state.objectors >> actor & 1
    if actor != state.turn:
        return "object" if objects else "wait"
    return PHASES[state.phase] + ("-or-object" if objects else "")


def refusal(state: State, actor: int, move: int) -> str:
    """Never says whether a placement was legal: with the referee at the table that is for the others to find."""
    if state.phase <= FLIP:
        first, stop = spans(state, actor)[0]
        return "none-left" if first <= move < stop else "not-now"
    if move in (OBJECT, ACCEPT) and not state.options & TABLE:
        return "strict-referee"
    if move == OBJECT:
        return "no-objection"
    if move >= FLIP_0:
        return "not-now"
    if actor != state.turn:
        return "not-your-turn"
    if move == ACCEPT:
        return "nothing-to-accept"
    if state.phase == WAIT:
        return "accept-or-object"
    return _misplaced(state, actor, move) if move < DROP_0 else "not-open"


def secret(state: State) -> bool:
    """Whether owners and stocks are nobody's business now."""
    return state.options & HIDDEN != 0 and state.phase != OVER


def open_fleas(state: State, seat: int) -> str:
    """The types of a seat's open fleas, sorted: `AC`."""
    return "".join(kind * (_open(state, seat) >> 2 * number & 0b11) for number, kind in enumerate(KINDS))


def pile(state: State, seat: int) -> int:
    """How many fleas a seat has in stock."""
    return state.piles >> PILE * seat & 0b11111


def dog(state: State, street: int) -> str | None:
    number = state.dogs >> DOG * street & 0b111
    return DOGS[number - 1] if number else None


def taker(state: State, street: int) -> int:
    """Who takes the street's dog as things stand, or nobody."""
    best, who = 0, NOBODY
    for seat in range(state.seats):
        rows, fleas = claim(state, street, seat)
        mine = 64 * rows + fleas
        if mine > best:
            best, who = mine, seat
        elif mine == best:
            who = NOBODY
    return who


def claim(state: State, street: int, seat: int) -> tuple[int, int]:
    """What a seat has along a street: for experts its longest rows on both sides added up, then all its fleas."""
    near, far = state.owners[seat] & LINES[2 * street], state.owners[seat] & LINES[2 * street + 1]
    fleas = count(near) + count(far)
    if not state.options & EXPERT:
        return 0, fleas
    step = SIDE if street < 6 else 1
    return _row(near, step) + _row(far, step), fleas


def kennels(state: State) -> Quad:
    """For each seat 16 times the value of its dogs, and their number: in this order they decide who wins."""
    first = second = third = fourth = 0
    for street in range(12):
        who = taker(state, street)
        prize = 16 * VALUES[state.dogs >> DOG * street & 0b111] + 1
        first += prize if who == 0 else 0
        second += prize if who == 1 else 0
        third += prize if who == 2 else 0
        fourth += prize if who == 3 else 0
    return first, second, third, fourth


def _open(state: State, seat: int) -> int:
    return state.open >> OPEN * seat & 0xFF


def _taken(state: State) -> Bits:
    first, second, third, fourth = state.fleas
    return first | second | third | fourth


def _places(kind: int) -> tuple[int, int]:
    return CELLS * kind, CELLS * kind + CELLS


def _one(move: int) -> tuple[int, int]:
    return move, move + 1


def _pair(low: int, high: int) -> int:
    """The move of throwing away these two."""
    return PAIR_0 + low * (7 - low) // 2 + high


def _talk(state: State, actor: int) -> tuple[int, int]:
    accepts = state.phase == WAIT and actor == state.turn
    if state.objectors >> actor & 1:
        return OBJECT, ACCEPT + 1 if accepts else ACCEPT
    return (ACCEPT, ACCEPT + 1) if accepts else (0, 0)


def _may_place(state: State, move: int) -> bool:
    taken = _taken(state)
    if state.options & TABLE:
        return taken & SPOT[move] == 0
    return (taken | 1 << CENTRE) & SPOT[move] | NEAR[move] & state.fleas[KIND_OF[move]] == 0


def _room(state: State, kind: int) -> Bits:
    """The blocks where a flea of this type could legally be placed."""
    fleas = state.fleas[kind]
    fleas |= (fleas & ~RANKS[SIDE - 1]) << 1 | (fleas & ~RANKS[0]) >> 1
    return BLOCKS & ~_taken(state) & ~(fleas | fleas << SIDE | fleas >> SIDE)


def _ended(state: State) -> bool:
    """Ruling: all fleas left count, in stock or open, since one may throw away to reach the stock."""
    for kind in range(4):
        if (state.open & OPEN_OF[kind] or state.stock & STOCK_OF[kind]) and _room(state, kind):
            return False
    return True


def _place(state: State, seat: int, move: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, _, _, _, _, _ = state
    due = min(1, piles >> PILE * seat & 0b11111)
    objectors = ((1 << seats) - 1) & ~(1 << seat) if options & TABLE else 0
    kind, spot = KIND_OF[move], SPOT[move]
    fleas, owners = _joined(fleas, kind, spot), _joined(owners, seat, spot)
    opened -= 1 << OPEN * seat + 2 * kind
    last = lowest(spot)
    return _end_turn(
        State(seats, options, fleas, owners, opened, stock, piles, dogs, FLIP, seat, due, last, objectors)
    )


def _drop(state: State, seat: int, move: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, _, _, _, last, _ = state
    due = min(1 if move < PAIR_0 else 2, piles >> PILE * seat & 0b11111)
    opened -= USED[move - DROP_0] << OPEN * seat
    return _end_turn(State(seats, options, fleas, owners, opened, stock, piles, dogs, FLIP, seat, due, last, 0))


def _flip(state: State, kind: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors = state
    opened += 1 << OPEN * turn + 2 * kind
    stock -= 1 << STOCK * turn + 3 * kind
    piles -= 1 << PILE * turn
    due -= 1
    if due == 0 and phase == OPENING:
        turn += 1
        phase, turn, due = (OPENING, turn, IN_SIGHT) if turn < seats else (PLAY, 0, 0)
    flipped = State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors)
    return _end_turn(flipped) if phase == FLIP else flipped


def _deal(state: State, number: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors = state
    dogs += (number + 1 << DOG * (12 - due)) - (1 << KENNEL + 2 * number)
    phase, due = (DEAL, due - 1) if due > 1 else (OPENING, IN_SIGHT)
    return State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors)


def _end_turn(state: State) -> State:
    """After a turn and its luck: the next seat with fleas, or the end, which a placement lets others object to."""
    if state.due:
        return state
    if not _ended(state):
        return _go_on(state, PLAY, _next(state, state.turn))
    if state.objectors:
        return _go_on(state, WAIT, (state.turn + 1) % state.seats)
    return _go_on(state, OVER, state.turn)


def _go_on(state: State, phase: int, turn: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, _, _, _, last, objectors = state
    still = 0 if phase == OVER else objectors
    return State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, 0, last, still)


def _next(state: State, seat: int) -> int:
    """The next seat clockwise with fleas; a seat with none open has none in stock either."""
    for step in range(1, state.seats):
        other = (seat + step) % state.seats
        if _open(state, other):
            return other
    return seat


def _object(state: State, seat: int) -> State:
    """Ruling: once a seat and placement; what was played against the rules goes, and nothing comes in its place."""
    seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors = state
    if last != CENTRE and SURROUNDINGS[last] & fleas[_kind(fleas, last)] == 0:
        objectors &= ~(1 << seat)
        return State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors)
    fleas, owners = _without(fleas, 1 << last), _without(owners, 1 << last)
    cleared = State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, NOBODY, 0)
    if phase == PLAY:
        return cleared
    placer = (turn + seats - 1) % seats
    return _end_turn(_go_on(cleared, FLIP, placer))


def _kind(fleas: Quad, cell: int) -> int:
    for kind in range(3):
        if fleas[kind] >> cell & 1:
            return kind
    return 3


def _joined(sets: Quad, number: int, bit: Bits) -> Quad:
    first, second, third, fourth = sets
    if number == 0:
        return first | bit, second, third, fourth
    if number == 1:
        return first, second | bit, third, fourth
    if number == 2:
        return first, second, third | bit, fourth
    return first, second, third, fourth | bit


def _without(sets: Quad, bit: Bits) -> Quad:
    first, second, third, fourth = sets
    return first & ~bit, second & ~bit, third & ~bit, fourth & ~bit


def _row(line: Bits, step: int) -> int:
    """The longest unbroken row in a line whose neighbours are `step` bits apart."""
    length = 0
    while line:
        length += 1
        line &= line >> step
    return length


def _takers(state: State) -> dict[str, Json]:
    takers = {street: taker(state, number) for number, street in enumerate(STREETS)}
    return {street: None if seat == NOBODY else seat for street, seat in takers.items()}


def _last(state: State) -> dict[str, Json] | None:
    if state.last == NOBODY:
        return None
    owner = next(seat for seat in range(4) if state.owners[seat] >> state.last & 1)
    return {"cell": NAMES[state.last], "type": KINDS[_kind(state.fleas, state.last)], "owner": owner}


def _stocks(state: State, seat: int) -> list[int]:
    return [state.stock >> STOCK * seat + 3 * kind & 0b111 for kind in range(4)]


def _misplaced(state: State, seat: int, move: int) -> str:
    if not _open(state, seat) >> 2 * KIND_OF[move] & 0b11:
        return "not-open"
    if _taken(state) & SPOT[move]:
        return "occupied"
    return "centre" if SPOT[move] == 1 << CENTRE else "touches-type"


def _unseen(seen: State) -> list[Card]:
    """The fleas that are neither open nor the last one placed."""
    cards = []
    for seat in range(seen.seats):
        for kind in range(4):
            placed = seen.last != NOBODY and (seen.fleas[kind] & seen.owners[seat]) >> seen.last & 1
            number = EACH[seen.seats] - (_open(seen, seat) >> 2 * kind & 0b11) - placed
            cards += [(seat, kind)] * number
    return cards


def _wants(seen: State) -> list[Want]:
    """What is to be dealt: owners of the fleas on the board, and the stocks, with no room for any when all wait."""
    seats = range(seen.seats)
    wants = [
        (cell, frozenset((seat, kind) for seat in seats))
        for kind in range(4)
        for cell in cells(seen.fleas[kind])
        if cell != seen.last
    ]
    kinds = [kind for kind in range(4) if seen.phase != WAIT or not _room(seen, kind)]
    for seat in seats:
        wants += [(NOBODY, frozenset((seat, kind) for kind in kinds))] * pile(seen, seat)
    return wants


def _ways(seen: State, wants: list[Want]) -> Iterator[list[Want]]:
    """While the game goes on some flea must have room: if none in sight has, then one in a stock, any of them."""
    roomy = frozenset((seat, kind) for seat in range(seen.seats) for kind in range(4) if _room(seen, kind))
    if seen.phase != PLAY or any(_open(seen, seat) >> 2 * kind & 0b11 for seat, kind in roomy):
        yield wants
        return
    for number, (cell, may) in enumerate(wants):
        if cell == NOBODY:
            yield [*wants[:number], (cell, may & roomy), *wants[number + 1 :]]


def _matched(wants: list[Want], cards: list[Card]) -> dict[int, int] | None:
    """For each card dealt the number of the want it fills, all wants filled; none if that cannot be."""
    holders: dict[int, int] = {}

    def fill(want: int, tried: set[int]) -> bool:
        fitting = [number for number, card in enumerate(cards) if card in wants[want][1]]
        for number in sorted(fitting, key=holders.__contains__):  # those not dealt yet first
            if number not in tried:
                tried.add(number)
                if number not in holders or fill(holders[number], tried):
                    holders[number] = want
                    return True
        return False

    return holders if all(fill(want, set()) for want in range(len(wants))) else None


def _completed(seen: State, dealt: list[tuple[int, Card]]) -> State:
    owners, stock = seen.owners, 0
    for cell, (seat, kind) in dealt:
        if cell == NOBODY:
            stock += 1 << STOCK * seat + 3 * kind
        else:
            owners = _joined(owners, seat, 1 << cell)
    return seen._replace(owners=owners, stock=stock)


GAME = Game(
    key="hundsgemein",
    seats=(2, 3, 4),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    options=(Flag("expert"), Choice("referee", ("strict", "table")), Choice("owners", ("hidden", "open"))),
    weight=weight,
    forgets=forgets,
    view=view,
    guess=guess,
    phase=phase,
    refusal=refusal,
)
