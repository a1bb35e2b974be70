"""A game for tests, with secrets that seats choose and that last: each writes down a number, then all guess.

In turn everybody writes down a number from 1 to 3. Then each in turn, twice, guesses the number of the next seat. A
right guess scores, and the number is shown. At the end all numbers come out. Before all this luck rolls for itself:
nobody is told, and it counts for nothing.
"""

from random import Random
from typing import NamedTuple

from ludotheque.game import LUCK_ACTS, NOTHING, Game, Json, Spans, Telling

MOST = 3
ROUNDS = 2
WRITE_0, GUESS_0, ROLL_0 = 0, MOST, 2 * MOST
WRITE = ROLL_0 + 2  # what others are shown
TEXTS = (
    *(f"write {number}" for number in range(1, MOST + 1)),
    *(f"guess {number}" for number in range(1, MOST + 1)),
    "roll 1",
    "roll 2",
    "write",
)
HIDDEN = MOST + 1


class State(NamedTuple):
    """The number of each seat, 0 before it is written down; which are shown; points; how many moves there were."""

    seats: int
    roll: int
    numbers: tuple[int, ...]
    shown: tuple[int, ...]
    points: tuple[int, ...]
    moves: int


def start(seats: int) -> State:
    return State(seats, 0, (0, 0, 0), (0, 0, 0), (0, 0, 0), 0)


def to_act(state: State) -> int:
    if not state.roll:
        return LUCK_ACTS
    return 0 if is_over(state) else 1 << state.moves % state.seats


def is_over(state: State) -> bool:
    return state.moves == state.seats * (1 + ROUNDS)


def spans(state: State, _actor: int) -> Spans:
    if not state.roll:
        return ((ROLL_0, WRITE),)
    return ((WRITE_0, GUESS_0),) if state.moves < state.seats else ((GUESS_0, ROLL_0),)


def legal(_state: State, _actor: int, _move: int) -> bool:
    return True


def play(state: State, actor: int, move: int) -> State:
    if move >= ROLL_0:
        return state._replace(roll=move - ROLL_0 + 1)
    if move < GUESS_0:
        return state._replace(numbers=put(state.numbers, actor, move + 1), moves=state.moves + 1)
    other = (actor + 1) % state.seats
    right = move - GUESS_0 + 1 == state.numbers[other] and not state.shown[other]
    return state._replace(
        shown=put(state.shown, other, int(state.shown[other] or right)),
        points=put(state.points, actor, state.points[actor] + right),
        moves=state.moves + 1,
    )


def put(values: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*values[:place], value, *values[place + 1 :])


def scores(state: State) -> tuple[int, ...]:
    return state.points


def winners(state: State) -> int:
    best = max(state.points[: state.seats])
    return sum(1 << seat for seat in range(state.seats) if state.points[seat] == best)


def describe(state: State) -> dict[str, Json]:
    return {"numbers": [None if n in (0, HIDDEN) else n for n in state.numbers], "points": list(state.points)}


def cover(_before: State, actor: int, move: int, now: State, seat: int) -> int:
    if move >= ROLL_0:
        return NOTHING
    return move if move >= GUESS_0 or seat == actor or now.shown[actor] or is_over(now) else WRITE


def view(state: State, seat: int) -> State:
    if is_over(state):
        return state
    known = tuple(
        number if owner == seat or state.shown[owner] or not number else HIDDEN
        for owner, number in enumerate(state.numbers)
    )
    return state._replace(numbers=known, roll=min(state.roll, 1))


def guess(seen: State, _seat: int, random: Random) -> State:
    if is_over(seen):
        return seen
    numbers = tuple(random.randint(1, MOST) if number == HIDDEN else number for number in seen.numbers)
    return seen._replace(numbers=numbers, roll=random.randint(1, 2) if seen.roll else 0)


def tell(_state: State, _actor: int, move: int) -> Telling:
    return Telling("write" if move == WRITE else TEXTS[move].replace(" ", "-"))


GAME = Game(
    key="secret-numbers",
    seats=(2, 3),
    texts=TEXTS,
    start=start,
    to_act=to_act,
    spans=spans,
    legal=legal,
    play=play,
    scores=scores,
    winners=winners,
    describe=describe,
    cover=cover,
    reveals=True,
    view=view,
    guess=guess,
    tell=tell,
)
