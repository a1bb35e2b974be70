"""Hundsgemein's course of play: who acts, what is legal, and what each move does."""

from ludotheque.board.bits import lowest
from ludotheque.board.square import CELLS, SURROUNDINGS
from ludotheque.game import LUCK_ACTS, NOBODY, Bounds, Spans
from ludotheque.games.hundsgemein.state import (
    ACCEPT,
    CENTRE,
    DEAL,
    DOG,
    DOG_0,
    DOGS,
    DROP_0,
    EACH,
    EXPERT,
    FLIP,
    FLIP_0,
    HIDDEN,
    IN_SIGHT,
    KENNEL,
    KIND_OF,
    KINDS,
    LITTER,
    NEAR,
    OBJECT,
    OPEN,
    OPEN_OF,
    OPENING,
    OVER,
    PAIR_0,
    PILE,
    PLAY,
    SPOT,
    STOCK,
    STOCK_OF,
    STREETS,
    TABLE,
    USED,
    VALUES,
    WAIT,
    State,
    joined,
    kind_at,
    open_counts,
    room,
    taken_blocks,
    without,
)


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
    fleas = open_counts(state, actor)
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


def bounds(start: State) -> Bounds:
    """Every flea comes up once and is used once, and each of the others may object to its place."""
    fleas = start.seats * len(KINDS) * EACH[start.seats]
    talk = fleas * (start.seats - 1) + 1 if start.options & TABLE else 0
    return Bounds(
        moves=fleas + talk,
        draws=len(STREETS) + fleas,
        points=LITTER * sum(VALUES),
        secrets=start.options & HIDDEN != 0,
        all_may_lose=False,
    )


def weight(state: State, move: int) -> int:
    if move >= DOG_0:
        return state.dogs >> KENNEL + 2 * (move - DOG_0) & 0b11
    return state.stock >> STOCK * state.turn + 3 * (move - FLIP_0) & 0b111


def may_wait(state: State) -> int:
    """Nobody has to object; whoever plays or accepts comes last."""
    return state.objectors & ~(1 << state.turn)


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
    taken = taken_blocks(state)
    if state.options & TABLE:
        return taken & SPOT[move] == 0
    return (taken | 1 << CENTRE) & SPOT[move] | NEAR[move] & state.fleas[KIND_OF[move]] == 0


def _place(state: State, seat: int, move: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, _, _, _, _, _ = state
    due = min(1, piles >> PILE * seat & 0b11111)
    objectors = ((1 << seats) - 1) & ~(1 << seat) if options & TABLE else 0
    kind, spot = KIND_OF[move], SPOT[move]
    fleas, owners = joined(fleas, kind, spot), joined(owners, seat, spot)
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


def _ended(state: State) -> bool:
    """Ruling: all fleas left count, in stock or open, since one may throw away to reach the stock."""
    for kind in range(4):
        if (state.open & OPEN_OF[kind] or state.stock & STOCK_OF[kind]) and room(state, kind):
            return False
    return True


def _go_on(state: State, phase: int, turn: int) -> State:
    seats, options, fleas, owners, opened, stock, piles, dogs, _, _, _, last, objectors = state
    still = 0 if phase == OVER else objectors
    return State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, 0, last, still)


def _next(state: State, seat: int) -> int:
    """The next seat clockwise with fleas; a seat with none open has none in stock either."""
    for step in range(1, state.seats):
        other = (seat + step) % state.seats
        if open_counts(state, other):
            return other
    return seat


def _object(state: State, seat: int) -> State:
    """Ruling: once a seat and placement; what was played against the rules goes, and nothing comes in its place."""
    seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors = state
    if last != CENTRE and SURROUNDINGS[last] & fleas[kind_at(fleas, last)] == 0:
        objectors &= ~(1 << seat)
        return State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, last, objectors)
    fleas, owners = without(fleas, 1 << last), without(owners, 1 << last)
    cleared = State(seats, options, fleas, owners, opened, stock, piles, dogs, phase, turn, due, NOBODY, 0)
    if phase == PLAY:
        return cleared
    placer = (turn + seats - 1) % seats
    return _end_turn(_go_on(cleared, FLIP, placer))
