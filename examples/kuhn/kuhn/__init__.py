"""Kuhn's poker (Harold W. Kuhn, 1950): three cards, two players, one bet.

Both put in a chip and are dealt one card of jack, queen and king. The first checks or bets a second chip, then the
other; who faces a bet calls it or folds. Whoever folds loses what is in, and nobody ever sees the cards. Else the
higher card takes all.
"""

from random import Random
from typing import NamedTuple

from ludotheque.game import LUCK_ACTS, Game, Json, Spans, Telling

CARDS = ("jack", "queen", "king")
HIDDEN = len(CARDS) + 1  # in a view: dealt, but not to this seat
STACK = 2  # chips that each begins with

# The table of moves: a card dealt, then the bets, and last what those are shown who may not see the card.
BETS = ("check", "bet", "call", "fold")
CHECK, BET, CALL, FOLD, DEAL = range(len(CARDS), len(CARDS) + len(BETS) + 1)
TEXTS = (*(f"deal {card}" for card in CARDS), *BETS, "deal")

PHASES = ("deal", "open", "answer", "shown", "folded")
DEALING, OPEN, ANSWER, SHOWN, FOLDED = range(len(PHASES))


class State(NamedTuple):
    """Each seat's card, from 1, 0 while it has none, and the chips that it has put in; whose turn it is."""

    cards: tuple[int, int]
    paid: tuple[int, int]
    phase: int
    turn: int


def start(_seats: int) -> State:
    return State((0, 0), (1, 1), DEALING, 0)


def to_act(state: State) -> int:
    if state.phase == DEALING:
        return LUCK_ACTS
    return 1 << state.turn if state.phase < SHOWN else 0


def spans(state: State, _actor: int) -> Spans:
    if state.phase == DEALING:
        return ((0, CHECK),)
    return ((CHECK, CALL),) if state.phase == OPEN else ((CALL, DEAL),)


def legal(state: State, _actor: int, move: int) -> bool:
    return state.phase != DEALING or state.cards[0] != move + 1


def play(state: State, actor: int, move: int) -> State:
    cards, paid, _, turn = state
    if move < CHECK:
        if turn == 0:
            return State((move + 1, 0), paid, DEALING, 1)
        return State((cards[0], move + 1), paid, OPEN, 0)
    if move == CHECK:
        return State(cards, paid, OPEN, 1) if actor == 0 else State(cards, paid, SHOWN, 0)
    if move == FOLD:
        return State(cards, paid, FOLDED, 1 - actor)
    raised = (STACK, paid[1]) if actor == 0 else (paid[0], STACK)
    return State(cards, raised, ANSWER, 1 - actor) if move == BET else State(cards, raised, SHOWN, 0)


def scores(state: State) -> tuple[int, int]:
    """The chips of each, once somebody has won what was put in."""
    first, second = STACK - state.paid[0], STACK - state.paid[1]
    if state.phase < SHOWN:
        return first, second
    pot = state.paid[0] + state.paid[1]
    return (first + pot, second) if winners(state) == 1 else (first, second + pot)


def winners(state: State) -> int:
    if state.phase == FOLDED:
        return 1 << state.turn
    return 1 if state.cards[0] > state.cards[1] else 2


def describe(state: State) -> dict[str, Json]:
    return {
        "phase": PHASES[state.phase],
        "cards": [None if card in (0, HIDDEN) else CARDS[card - 1] for card in state.cards],
        "paid": list(state.paid),
    }


def cover(before: State, _actor: int, move: int, now: State, seat: int) -> int:
    """A card is for the one to whom it is dealt, until it is shown."""
    return move if move >= CHECK or now.phase == SHOWN or seat == before.turn else DEAL


def view(state: State, seat: int) -> State:
    if state.phase == SHOWN:
        return state
    first, second = state.cards
    if seat != 0:
        first = HIDDEN if first else 0
    if seat != 1:
        second = HIDDEN if second else 0
    return State((first, second), state.paid, state.phase, state.turn)


def guess(seen: State, _seat: int, random: Random) -> State:
    left = [card for card in range(1, HIDDEN) if card not in seen.cards]
    random.shuffle(left)
    first, second = (left.pop() if card == HIDDEN else card for card in seen.cards)
    return seen._replace(cards=(first, second))


def phase(state: State, _actor: int) -> str:
    return PHASES[state.phase]


def refusal(state: State, _actor: int, move: int) -> str:
    return "no-bet-yet" if state.phase == OPEN and move in (CALL, FOLD) else "not-now"


def tell(state: State, _actor: int, move: int) -> Telling:
    owner = ("seat:owner", str(state.turn))
    if move < CHECK:
        return Telling("deal-card", (owner, ("card", CARDS[move])), setup=True)
    return Telling("deal", (owner,), setup=True) if move == DEAL else Telling(BETS[move - CHECK])


GAME = Game(
    key="kuhn",
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
    cover=cover,
    view=view,
    guess=guess,
    phase=phase,
    refusal=refusal,
    tell=tell,
)
