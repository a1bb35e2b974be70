"""How others play: read from what they have done so far.

Few people play an equilibrium. What a seat chose in secret earlier is compared with what it would have chosen in
four styles, and its moves in the open with those of somebody who takes what one move brings and looks no further. An
answer to how a seat seems to play wins more than an answer to how it should.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from ludotheque.game import AnyGame, moves
from ludotheque.search import mcts, rivals, sealed
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Aim, Position, Worths

Outcomes: TypeAlias = dict[tuple[int, ...], Position]  # by which choice each seat made

STRANGERS = (0.7, 0.1, 0.1, 0.1)  # how likely one chooses in each style before much is known: most people just cut
SLIP = 0.1  # how likely anyone chooses out of style
STRANGER = 4.0  # the odds that one is greedy: to be told early is worth more than to be right about everybody
ANYWAY = 0.5  # how often others take the most that one move brings, too
AT_ONCE = mcts.Knobs(horizon=0)  # no playout: what an outcome seems worth as it stands


def styles(game: AnyGame, chosen: Sequence[tuple[Position, Mapping[int, int]]], reader: int, aim: Aim) -> Worths:
    """How likely each other seat chooses in each style: by its choices so far, and as strangers do at first."""
    if not chosen:
        return mcts.all_well()
    likely = np.tile(np.array(STRANGERS), (mcts.SEATS, 1))
    for state, choices in chosen:
        for seat, seen in enumerate(_read(game, state, tuple(sorted(choices.items())), aim)):
            likely[seat] *= seen
    likely[reader] = mcts.all_well()[reader]
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def greed(game: AnyGame, made: Iterable[tuple[Position, int, int]], reader: int) -> tuple[float, float, float, float]:
    """How likely each other seat looks no further than its own move: by the moves it has made."""
    odds = [STRANGER] * mcts.SEATS
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


def habits(worth: Worths, leads: Worths, seats: Sequence[int], styles: Worths) -> list[sealed.Mix]:
    """What each of the seats that choose is expected to choose as far as it does not choose well."""
    widths = worth.shape[1:]
    return [
        sealed.habit(worth[seat].ravel(), leads[seat].ravel(), where, width, styles[seat])
        for seat, where, width in zip(seats, sealed.cells(widths), widths, strict=True)
    ]


def outcomes(game: AnyGame, state: Position, seats: list[int], choices: list[list[int]]) -> Outcomes:
    """The position after all seats have chosen, for every combination of their choices."""
    found: Outcomes = {}
    for cell in np.ndindex(*map(len, choices)):
        after = state
        for seat, legal, index in zip(seats, choices, cell, strict=True):
            after = game.play(after, seat, legal[index])
        found[cell] = after
    return found


def leads(game: AnyGame, after: Outcomes) -> Worths:
    """By how much each seat leads in each outcome, as a greedy player sees it."""
    *_, last = after
    merits = [rivals.ahead(game, state, game.scores(state)) for state in after.values()]
    return np.array(merits, float).T.reshape(-1, *(index + 1 for index in last))


@lru_cache(maxsize=512)
def _read(game: AnyGame, state: Position, chosen: tuple[tuple[int, int], ...], aim: Aim) -> list[sealed.Mix]:
    """How likely these choices were in each style, seat by seat."""
    seats = [seat for seat, _ in chosen]
    choices = [moves(game, state, seat) for seat in seats]
    sums = np.zeros((*map(len, choices), mcts.SEATS))
    sample, desk = machine(game).build(mcts.sample), mcts.new_desk(0)
    after = outcomes(game, state, seats, choices)
    for cell, there in after.items():
        sample(desk, there, 1, aim, AT_ONCE, sums[cell])
    worth, ahead, places = np.moveaxis(sums, -1, 0), leads(game, after), sealed.cells(sums.shape[:-1])
    mixes = sealed.equilibrium(worth[seats], 300)
    seen = []
    for index, (seat, move) in enumerate(chosen):
        width, choice = len(choices[index]), choices[index].index(move)
        naive = sealed.naive(worth[seat].ravel(), places[index], width, sealed.BEGINNER)
        greedy = sealed.greedy(ahead[seat].ravel(), places[index], width)
        styles = np.array([1 / width, naive[choice], greedy[choice], mixes[index][choice]])
        seen.append((1 - SLIP) * styles + SLIP / width)
    return seen
