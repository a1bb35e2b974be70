"""Pizza Theory (Brian and Greg Powers, Gryphon Games 2012): cut the pizza so that your topping rules the slices.

Each round every player adds one topping, touching none of their own. Then all choose in secret one of six cuts
along their own axis. The three knives part the pizza into slices; whoever alone has the most toppings in a slice
replaces the others' there, and if two tie for most the third is taken off. A colour with at most one topping in
every slice is safe. First to have all sixteen toppings on the pizza wins; then the pizza turns.

Two players play with a virtual third colour: luck rolls its cut, the first player of the round adds its topping
beside that knife, and if it gets its sixteen on the pizza both players lose.
"""

from random import Random
from typing import NamedTuple

from ludotheque.board import hexagon
from ludotheque.board.bits import Bits, count, lowest, union
from ludotheque.board.hexagon import FULL, NAMES, NEIGHBOURS, side
from ludotheque.game import DRAW, LUCK_ACTS, NOBODY, Bounds, Game, Json, Spans, Telling
from ludotheque.options import Number

STOCK = 16
CUTS = 6
THIRD = 2  # the virtual colour's place when two play
SEALED = CUTS + 1  # in a view: has chosen, but not told

# Reconstructed from the sheet: start spaces and the axis (0 x, 1 y, 2 z) of the roles 1st, 2nd, 3rd.
START = (("c2", "e2"), ("b3", "c5"), ("e5", "f3"))
AXES = (0, 2, 1)

SPACES = len(NAMES)
HOMES = tuple(union(hexagon.NUMBERS[name] for name in names) for names in START)
BELOW = tuple(side(axis, cut - 4) for axis in AXES for cut in range(1, CUTS + 1))
BESIDE = tuple(side(axis, cut - 3) & ~side(axis, cut - 5) for axis in AXES for cut in range(1, CUTS + 1))

# The table of moves: a topping, a cut, a topping of the third colour, a roll.
CUT_0 = SPACES
THIRD_0 = CUT_0 + CUTS
ROLL_0 = THIRD_0 + SPACES
TEXTS = (
    *NAMES,
    *(f"cut {cut}" for cut in range(1, CUTS + 1)),
    *(f"third {name}" for name in NAMES),
    *(f"roll {cut}" for cut in range(1, CUTS + 1)),
)

PHASES = ("add", "roll", "third", "cut", "over")
ADD, ROLL, ADD_THIRD, CUT, OVER = range(len(PHASES))


class State(NamedTuple):
    """Toppings by colour; cuts by colour, 0 while not chosen; the place in turn of the one who adds."""

    seats: int
    rounds: int
    toppings: tuple[int, int, int]
    cuts: tuple[int, int, int]
    round: int
    phase: int
    turn: int


def start(seats: int, *, rounds: int = 60) -> State:
    return State(seats, rounds, (HOMES[0], HOMES[1], HOMES[2]), (0, 0, 0), 0, ADD, 0)


def to_act(state: State) -> int:
    if state.phase == ADD:
        return 1 << _adder(state)
    if state.phase == ROLL:
        return LUCK_ACTS
    if state.phase == ADD_THIRD:
        return 1 << state.round % 2
    if state.phase == CUT:
        return _undecided(state)
    return 0


def spans(state: State, _actor: int) -> Spans:
    if state.phase == ADD:
        return ((0, CUT_0),)
    if state.phase == CUT:
        return ((CUT_0, THIRD_0),)
    if state.phase == ADD_THIRD:
        return ((THIRD_0, ROLL_0),)
    return ((ROLL_0, ROLL_0 + CUTS),)


def legal(state: State, actor: int, move: int) -> bool:
    if state.phase == ADD:
        return _may_add(state, actor, move)
    if state.phase == ADD_THIRD:
        return _beside_knife(state) >> (move - THIRD_0) & 1 == 1
    return True


def play(state: State, actor: int, move: int) -> State:
    seats, rounds, toppings, cuts, number, phase, turn = state
    if phase == ADD:
        added = State(seats, rounds, _put(toppings, actor, 1 << move), cuts, number, ADD, turn + 1)
        return _skip_full(added)
    if phase == ROLL:
        rolled = State(seats, rounds, toppings, (cuts[0], cuts[1], move - ROLL_0 + 1), number, ADD_THIRD, turn)
        return rolled if _beside_knife(rolled) else _with_phase(rolled, CUT)
    if phase == ADD_THIRD:
        more = _put(toppings, THIRD, 1 << (move - THIRD_0))
        return State(seats, rounds, more, cuts, number, CUT, turn)
    chosen = State(seats, rounds, toppings, _choose(cuts, actor, move - CUT_0 + 1), number, CUT, turn)
    return chosen if _undecided(chosen) else _next_round(chosen)


def scores(state: State) -> tuple[int, int, int]:
    """Toppings on the pizza, by colour."""
    gold, green, white = state.toppings
    return count(gold), count(green), count(white)


def winners(state: State) -> int:
    first, second, third = scores(state)
    if state.seats == 2 and third >= STOCK:
        return 0  # ruling: both lose, whatever else happened
    won = (first >= STOCK) | (second >= STOCK) << 1 | (third >= STOCK) << 2
    return won if won else ((1 << state.seats) - 1) | DRAW


def describe(state: State) -> dict[str, Json]:
    return {
        "round": state.round + 1,
        "phase": PHASES[state.phase],
        "toppings": [list(hexagon.names(bits)) for bits in state.toppings],
        "roles": [role(seat, state.round) + 1 for seat in range(3)],
        "cuts": [None if cut in (0, SEALED) else cut for cut in state.cuts],
    }


def bounds(start: State) -> Bounds:
    """In a round every seat adds and cuts, and with two one of them adds for the third colour."""
    third = start.seats == 2
    return Bounds(
        moves=start.rounds * (2 * start.seats + third),
        draws=start.rounds * third,
        points=STOCK,
        secrets=False,
        all_may_lose=third,
    )


def sealed(state: State) -> int:
    return (1 << state.seats) - 1 if state.phase == CUT else 0


def view(state: State, seat: int) -> State:
    if state.phase != CUT:
        return state
    first, second, third = state.cuts
    if seat != 0:
        first = SEALED if first else 0
    if seat != 1:
        second = SEALED if second else 0
    if seat != THIRD and state.seats == 3:
        third = SEALED if third else 0
    seats, rounds, toppings, _, number, phase, turn = state
    return State(seats, rounds, toppings, (first, second, third), number, phase, turn)


def guess(seen: State, _seat: int, random: Random) -> State:
    first, second, third = (random.randint(1, CUTS) if cut == SEALED else cut for cut in seen.cuts)
    return seen._replace(cuts=(first, second, third))


def phase(state: State, _actor: int) -> str:
    return PHASES[state.phase]


def refusal(state: State, actor: int, move: int) -> str:
    if state.phase == ADD and move < CUT_0:
        return "occupied" if _taken(state) >> move & 1 else "touches-own"
    if state.phase == ADD_THIRD and THIRD_0 <= move < ROLL_0:
        return "occupied" if _taken(state) >> (move - THIRD_0) & 1 else "not-beside-knife"
    if state.phase == ADD and actor != NOBODY and CUT_0 <= move < THIRD_0:
        return "add-first"
    if state.phase == CUT and move < CUT_0:
        return "cut-now"
    return "not-now"


def tell(_state: State, actor: int, move: int) -> Telling:
    if move < CUT_0:
        return Telling("add", (("cell", NAMES[move]),))
    if move < THIRD_0:
        return Telling("cut", (("seat:owner", str(actor)), ("cut", str(move - CUT_0 + 1))))
    if move < ROLL_0:
        return Telling("third", (("cell", NAMES[move - THIRD_0]),))
    return Telling("roll", (("cut", str(move - ROLL_0 + 1)),))


def role(seat: int, number: int) -> int:
    """0 for 1st, 1 for 2nd, 2 for 3rd in the round of this number: the start player moves on clockwise."""
    return (seat - number) % 3


def slices(cuts: tuple[int, int, int], number: int) -> tuple[Bits, ...]:
    """The eight regions between the knives, some of them empty: the spaces on the same side of all three."""
    first, second, third = _knife(cuts, 0, number), _knife(cuts, 1, number), _knife(cuts, 2, number)
    above, beyond, behind = FULL & ~first, FULL & ~second, FULL & ~third
    return (
        first & second & third,
        first & second & behind,
        first & beyond & third,
        first & beyond & behind,
        above & second & third,
        above & second & behind,
        above & beyond & third,
        above & beyond & behind,
    )


def settle(toppings: tuple[int, int, int], parts: tuple[Bits, ...]) -> tuple[int, int, int]:
    """The toppings after every slice has been settled, all from the position before the cut."""
    safe_0, safe_1, safe_2 = _safe(toppings[0], parts), _safe(toppings[1], parts), _safe(toppings[2], parts)
    kept_0, kept_1, kept_2 = toppings
    won_0 = won_1 = won_2 = 0
    for part in parts:
        here_0, here_1, here_2 = toppings[0] & part, toppings[1] & part, toppings[2] & part
        many_0, many_1, many_2 = count(here_0), count(here_1), count(here_2)
        most = max(many_0, many_1, many_2)
        if many_0 == many_1 == many_2:
            continue
        off_0 = 0 if safe_0 or many_0 == most else here_0
        off_1 = 0 if safe_1 or many_1 == most else here_1
        off_2 = 0 if safe_2 or many_2 == most else here_2
        kept_0, kept_1, kept_2 = kept_0 & ~off_0, kept_1 & ~off_1, kept_2 & ~off_2
        off = off_0 | off_1 | off_2
        if (many_0 == most) + (many_1 == most) + (many_2 == most) == 1:
            won_0 |= off if many_0 == most else 0
            won_1 |= off if many_1 == most else 0
            won_2 |= off if many_2 == most else 0
    return _replace(kept_0, won_0), _replace(kept_1, won_1), _replace(kept_2, won_2)


def _adder(state: State) -> int:
    """Whose turn it is to add: in role order, or with two the first of the round and then the other."""
    return (state.round + state.turn) % state.seats


def _taken(state: State) -> Bits:
    first, second, third = state.toppings
    return first | second | third


def _may_add(state: State, seat: int, space: int) -> bool:
    return _taken(state) >> space & 1 == 0 and NEIGHBOURS[space] & state.toppings[seat] == 0


def _skip_full(state: State) -> State:
    """On to the next who can add, else to the rest of the round."""
    seats, rounds, toppings, cuts, number, _, turn = state
    while turn < seats:
        here = State(seats, rounds, toppings, cuts, number, ADD, turn)
        adder = _adder(here)
        for space in range(SPACES):
            if _may_add(here, adder, space):
                return here
        turn += 1
    return State(seats, rounds, toppings, cuts, number, ROLL if seats == 2 else CUT, turn)


def _next_round(state: State) -> State:
    seats, rounds, before, cuts, number, _, _ = state
    toppings = settle(before, slices(cuts, number))
    first, second, third = toppings
    most = max(count(first), count(second), count(third))
    if most >= STOCK or number + 1 == rounds:
        return State(seats, rounds, toppings, cuts, number, OVER, 0)
    return _skip_full(State(seats, rounds, toppings, (0, 0, 0), number + 1, ADD, 0))


def _beside_knife(state: State) -> Bits:
    """Free spaces touching the third colour's knife."""
    knife = role(THIRD, state.round) * CUTS + state.cuts[THIRD] - 1
    return BESIDE[knife] & ~_taken(state)


def _undecided(state: State) -> int:
    first, second, third = state.cuts
    return (first == 0) | (second == 0) << 1 | (third == 0) << 2


def _knife(cuts: tuple[int, int, int], seat: int, number: int) -> Bits:
    """The spaces below this colour's knife."""
    return BELOW[role(seat, number) * CUTS + cuts[seat] - 1]


def _safe(topping: Bits, parts: tuple[Bits, ...]) -> bool:
    for part in parts:
        if count(topping & part) > 1:
            return False
    return True


def _replace(kept: Bits, spaces: Bits) -> Bits:
    """Toppings from the stock on these spaces, in their order, while the sixteen last."""
    while spaces and count(kept) < STOCK:
        kept |= 1 << lowest(spaces)
        spaces &= spaces - 1
    return kept


def _put(toppings: tuple[int, int, int], seat: int, space: Bits) -> tuple[int, int, int]:
    first, second, third = toppings
    if seat == 0:
        return first | space, second, third
    if seat == 1:
        return first, second | space, third
    return first, second, third | space


def _choose(cuts: tuple[int, int, int], seat: int, cut: int) -> tuple[int, int, int]:
    first, second, third = cuts
    if seat == 0:
        return cut, second, third
    if seat == 1:
        return first, cut, third
    return first, second, cut


def _with_phase(state: State, phase: int) -> State:
    seats, rounds, toppings, cuts, number, _, turn = state
    return State(seats, rounds, toppings, cuts, number, phase, turn)


GAME = Game(
    key="pizza",
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
    options=(Number("rounds", default=60, least=1, most=1000),),
    bounds=bounds,
    sealed=sealed,
    view=view,
    guess=guess,
    phase=phase,
    refusal=refusal,
    tell=tell,
)
