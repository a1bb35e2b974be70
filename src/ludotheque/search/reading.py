"""How others play: read from what they have done so far.

Few people play an equilibrium. What a seat chose in secret earlier is compared with what it would have chosen in
three styles, and its moves in the open with those of somebody who takes what one move brings and looks no further. An
answer to how a seat seems to play wins more than an answer to how it should.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from ludotheque.game import AnyGame, moves
from ludotheque.search import mcts, sealed
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Aim, Position, Worths

STYLES = 3  # of choosing in secret
ANYHOW, NAIVE, WELL = range(STYLES)
BEGINNER = 0.03  # the haste of a beginner who chooses in secret
SLIP = 0.1  # how likely anyone chooses out of style
GREEDY = 4.0  # the odds that a stranger is: to be told early is worth more than to be right about everybody
ANYWAY = 0.5  # how often others take the most that one move brings, too
AT_ONCE = mcts.Knobs(horizon=0)  # no playout: what an outcome seems worth as it stands


def unread() -> Worths:
    """What is believed of seats that were never seen to choose: that they choose well."""
    likely = np.zeros((mcts.SEATS, STYLES))
    likely[:, WELL] = 1.0
    return likely


def styles(game: AnyGame, chosen: Sequence[tuple[Position, Mapping[int, int]]], reader: int, aim: Aim) -> Worths:
    """How likely each other seat chooses just anything, what a beginner would, or well: by its choices so far."""
    likely = unread()
    for number, (state, choices) in enumerate(chosen):
        for seat, seen in enumerate(_read(game, state, tuple(sorted(choices.items())), aim)):
            if seat != reader:
                likely[seat] = seen * (likely[seat] if number else 1.0)
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def greed(game: AnyGame, made: Iterable[tuple[Position, int, int]], reader: int) -> tuple[float, float, float, float]:
    """How likely each other seat looks no further than its own move: by the moves it has made."""
    odds = [GREEDY] * mcts.SEATS
    for state, seat, move in made:
        odds[seat] *= _likelier(game, state, seat, move)
    first, second, third, fourth = (0.0 if seat == reader else odd / (1 + odd) for seat, odd in enumerate(odds))
    return first, second, third, fourth


@lru_cache(maxsize=2048)
def _likelier(game: AnyGame, state: Position, seat: int, move: int) -> float:
    """By how much a move is likelier to be a greedy seat's than anybody else's."""
    grab = machine(game).sense.grab
    brings = [grab(state, seat, each) for each in moves(game, state, seat)]
    most = max(brings)
    taken, any_ = (grab(state, seat, move) == most) / brings.count(most), 1 / len(brings)
    greedy, others = ((1 - slip) * taken + slip * any_ for slip in (SLIP, 1 - ANYWAY))
    return greedy / others


def habit(worth: Worths, seat: int, styles: sealed.Mix) -> sealed.Mix:
    """What a seat is expected to choose as far as it does not choose well."""
    width = worth.shape[seat]
    found: sealed.Mix = styles[ANYHOW] / width + styles[NAIVE] * naive(worth, seat, BEGINNER)
    return found


def naive(worth: Worths, seat: int, haste: float) -> sealed.Mix:
    """How a beginner chooses in secret: whatever does well if the others choose anything."""
    anything = [np.full(width, 1 / width) for width in worth.shape]
    return hasty(sealed.answers(worth, anything, seat), haste)


def hasty(expected: sealed.Mix, haste: float) -> sealed.Mix:
    """How likely each move is played by one who sees differences of less than `haste` only dimly."""
    likely: sealed.Mix = np.exp((expected - expected.max()) / haste)
    total: float = likely.sum()
    return likely / total


def joint(
    game: AnyGame, state: Position, seats: list[int], choices: list[list[int]], cell: tuple[int, ...]
) -> Position:
    """The position after all seats have chosen."""
    for seat, found, index in zip(seats, choices, cell, strict=True):
        state = game.play(state, seat, found[index])
    return state


@lru_cache(maxsize=512)
def _read(game: AnyGame, state: Position, chosen: tuple[tuple[int, int], ...], aim: Aim) -> list[sealed.Mix]:
    """How likely these choices were in each style, seat by seat."""
    seats = [seat for seat, _ in chosen]
    choices = [moves(game, state, seat) for seat in seats]
    sums = np.zeros((*(len(found) for found in choices), mcts.SEATS))
    sample, desk = machine(game).build(mcts.sample), mcts.new_desk(0)
    for cell in np.ndindex(*sums.shape[:-1]):
        sample(desk, joint(game, state, seats, choices, cell), 1, aim, AT_ONCE, sums[cell])
    worth = np.moveaxis(sums, -1, 0)
    mixes = sealed.equilibrium(worth[seats], 300)
    seen = []
    for index, (seat, move) in enumerate(chosen):
        width, choice = len(choices[index]), choices[index].index(move)
        styles = np.array([1 / width, naive(worth[seat], index, BEGINNER)[choice], mixes[index][choice]])
        seen.append((1 - SLIP) * styles + SLIP / width)
    return seen
