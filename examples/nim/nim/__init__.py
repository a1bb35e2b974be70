"""Twenty-one matches: in turn each takes one, two or three; whoever takes the last match wins."""

from typing import NamedTuple

from ludotheque.game import Game, Json, Spans
from ludotheque.options import Number

TEXTS = ("take 1", "take 2", "take 3")


class State(NamedTuple):
    """Matches on the table, whose turn it is, who took the last."""

    left: int
    turn: int


def start(_seats: int, *, matches: int = 21) -> State:
    return State(matches, 0)


def to_act(state: State) -> int:
    return 1 << state.turn if state.left else 0


def spans(_state: State, _seat: int) -> Spans:
    return ((0, 3),)


def legal(state: State, _seat: int, move: int) -> bool:
    return move < state.left


def play(state: State, seat: int, move: int) -> State:
    return State(state.left - move - 1, 1 - seat)


def scores(state: State) -> tuple[int, int]:
    return (0, 0) if state.left else (state.turn, 1 - state.turn)


def winners(state: State) -> int:
    return 0b10 if state.turn == 0 else 0b01


def describe(state: State) -> dict[str, Json]:
    return {"matches": state.left}


def refusal(_state: State, _seat: int, _move: int) -> str:
    return "too-many"


GAME = Game(
    key="nim",
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
    options=(Number("matches", default=21, least=1, most=60),),
    refusal=refusal,
)
