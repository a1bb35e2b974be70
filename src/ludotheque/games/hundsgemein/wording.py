"""Hundsgemein's positions, phases and refusals, as the contract gives them to those who put them into words."""

from ludotheque.board.square import CELLS, NAMES, SURROUNDINGS, names
from ludotheque.game import NOBODY, Json, Telling
from ludotheque.games.hundsgemein.scoring import taker
from ludotheque.games.hundsgemein.state import (
    ACCEPT,
    CENTRE,
    DEAL,
    DOG_0,
    DOGS,
    DROP_0,
    FLIP,
    FLIP_0,
    KIND_OF,
    KINDS,
    OBJECT,
    OPENING,
    OVER,
    PAIR_0,
    PAIRS,
    PHASES,
    PLAY,
    SPOT,
    STREETS,
    TABLE,
    WAIT,
    State,
    dog,
    kind_at,
    open_counts,
    open_fleas,
    pile,
    secret,
    stocks,
    taken_blocks,
)
from ludotheque.games.hundsgemein.turns import spans


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
        "stocks": None if secret(state) else [dict(zip(KINDS, stocks(state, seat), strict=True)) for seat in seats],
        "dogs": {street: dog(state, number) for number, street in enumerate(STREETS)},
        "takers": None if secret(state) else _takers(state),
        "may_object": [seat for seat in seats if state.objectors >> seat & 1],
    }


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


def tell(state: State, _actor: int, move: int) -> Telling:
    """The set-up is the dogs and the first fleas."""
    if move >= DOG_0:
        street = STREETS[len(STREETS) - state.due]
        return Telling("dog", (("dog", DOGS[move - DOG_0]), ("street", street)), setup=True)
    if move >= FLIP_0:
        values = (("seat:owner", str(state.turn)), ("type", KINDS[move - FLIP_0]))
        return Telling("flip", values, setup=state.phase == OPENING)
    if move >= OBJECT:
        return _objection(state) if move == OBJECT else Telling("accept")
    if move >= PAIR_0:
        one, other = PAIRS[move - PAIR_0]
        return Telling("drop-both", (("one", KINDS[one]), ("other", KINDS[other])))
    if move >= DROP_0:
        return Telling("drop", (("type", KINDS[move - DROP_0]),))
    return Telling("place", (("type", KINDS[KIND_OF[move]]), ("cell", NAMES[move % CELLS])))


def _objection(state: State) -> Telling:
    lawful = state.last != CENTRE and SURROUNDINGS[state.last] & state.fleas[kind_at(state.fleas, state.last)] == 0
    return Telling("overruled" if lawful else "upheld", (("cell", NAMES[state.last]),))


def _takers(state: State) -> dict[str, Json]:
    takers = {street: taker(state, number) for number, street in enumerate(STREETS)}
    return {street: None if seat == NOBODY else seat for street, seat in takers.items()}


def _last(state: State) -> dict[str, Json] | None:
    if state.last == NOBODY:
        return None
    owner = next(seat for seat in range(4) if state.owners[seat] >> state.last & 1)
    return {"cell": NAMES[state.last], "type": KINDS[kind_at(state.fleas, state.last)], "owner": owner}


def _misplaced(state: State, seat: int, move: int) -> str:
    if not open_counts(state, seat) >> 2 * KIND_OF[move] & 0b11:
        return "not-open"
    if taken_blocks(state) & SPOT[move]:
        return "occupied"
    return "centre" if SPOT[move] == 1 << CENTRE else "touches-type"
