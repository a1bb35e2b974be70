"""How others play: read from what they have done so far.

Few people play an equilibrium. What a seat chose in secret earlier is compared with what it would have chosen in
four styles, and so are its moves in the open before such choices: they tell who thinks before anyone has chosen.
Where nothing is chosen in secret, moves are compared with those of somebody who takes what one move brings and looks
no further. An answer to how a seat seems to play wins more than an answer to how it should.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from ludotheque.game import AnyGame, moves
from ludotheque.search import baselines, mcts, sealed
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Objective, Position, Worths
from ludotheque.search.joint_choice import judge_after

Outcomes: TypeAlias = dict[tuple[int, ...], Position]  # by which choice each seat made

STRANGERS = (0.91, 0.03, 0.03, 0.03)  # how likely one chooses in each style at first: most people just cut
SLIP = 0.1  # how likely anyone chooses out of style
STRANGER = 4.0  # the odds that one is greedy: to be told early is worth more than to be right about everybody
ANYWAY = 0.5  # how often others take the most that one move brings, too
LATELY = 6  # choices and moves before them that are read of each: earlier ones tell little more, and take time
TRIES = 8  # of what may follow a move in the open, to see what it is worth
KEEN = 2.0  # how much likelier a move is that seems better by as much as moves differ, as a logarithm
UP_TO_CHOICE = mcts.SearchParams(together=True)  # a playout to the next choice in secret, which is judged


def styles(
    game: AnyGame,
    chosen: Sequence[tuple[Position, Mapping[int, int]]],
    placed: Sequence[tuple[Position, int, int]],
    reader: int,
    objective: Objective,
) -> Worths:
    """How likely each other seat chooses in each style: by what it did so far, and as strangers do at first."""
    likely = np.tile(np.array(STRANGERS), (mcts.SEATS, 1))
    for state, choices in chosen[-LATELY:]:
        for seat, seen in enumerate(_read(game, state, tuple(sorted(choices.items())), objective)):
            likely[seat] *= seen
    for seat in range(mcts.SEATS):
        its = [(state, move) for state, actor, move in placed if actor == seat != reader]
        for state, move in its[-LATELY:]:
            likely[seat] *= _read_open(game, state, seat, move, objective)
    likely[reader] = mcts.all_rational()[reader]
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
    merits = [baselines.ahead(game, state, game.scores(state)) for state in after.values()]
    return np.array(merits, float).T.reshape(-1, *(index + 1 for index in last))


def at_once(game: AnyGame, after: Outcomes, objective: Objective, styles: Worths | None = None) -> Worths:
    """What each outcome seems worth to each seat as it stands; all choose well if no styles are given."""
    *_, last = after
    worths = np.zeros((*(index + 1 for index in last), mcts.SEATS))
    judge, styles = machine(game).build(judge_after), mcts.all_rational() if styles is None else styles
    for cell, there in after.items():
        judge(there, styles, objective, worths[cell])
    return np.moveaxis(worths, -1, 0)


@lru_cache(maxsize=512)
def _read(
    game: AnyGame, state: Position, chosen: tuple[tuple[int, int], ...], objective: Objective
) -> list[sealed.Mix]:
    """How likely these choices were in each style, seat by seat."""
    seats = [seat for seat, _ in chosen]
    choices = [moves(game, state, seat) for seat in seats]
    after = outcomes(game, state, seats, choices)
    worth, ahead = at_once(game, after, objective), leads(game, after)
    mixes, places = sealed.logit_equilibrium(worth[seats]), sealed.cells(worth.shape[1:])
    seen = []
    for index, (seat, move) in enumerate(chosen):
        width, choice = len(choices[index]), choices[index].index(move)
        naive = sealed.naive(worth[seat].ravel(), places[index], width, sealed.BEGINNER)
        greedy = sealed.greedy(ahead[seat].ravel(), places[index], width)
        styles = np.array([1 / width, naive[choice], greedy[choice], mixes[index][choice]])
        seen.append((1 - SLIP) * styles + SLIP / width)
    return seen


@lru_cache(maxsize=512)
def _read_open(game: AnyGame, state: Position, seat: int, move: int, objective: Objective) -> sealed.Mix:
    """How likely this move before a choice in secret was in each style. To the greedy all are alike."""
    found = moves(game, state, seat)
    naive, well = (
        _keen(_promises(game, state, seat, objective, style)) for style in (sealed.RANDOM, sealed.RATIONAL)
    )
    choice, width = found.index(move), len(found)
    styles = np.array([1 / width, naive[choice], 1 / width, (naive[choice] + well[choice]) / 2])
    return (1 - SLIP) * styles + SLIP / width


def _promises(game: AnyGame, state: Position, seat: int, objective: Objective, style: int) -> sealed.Mix:
    """What each move of a seat is worth to it if all choose in this style, after anything that may happen before."""
    found = moves(game, state, seat)
    styles, promises = np.zeros((mcts.SEATS, sealed.STYLES)), np.zeros(len(found))
    styles[:, style] = 1.0
    sample = machine(game).build(mcts.sample)
    for index, move in enumerate(found):
        sums = np.zeros(mcts.SEATS)
        sample(mcts.new_scratch(0, styles), game.play(state, seat, move), TRIES, objective, UP_TO_CHOICE, sums)
        promises[index] = sums[seat] / TRIES
    return promises


def _keen(promises: sealed.Mix) -> sealed.Mix:
    """How likely each move is made by one who sees what they promise, as far as they differ."""
    return sealed.softmax(promises, max(float(promises.std()), sealed.TINY) / KEEN)
