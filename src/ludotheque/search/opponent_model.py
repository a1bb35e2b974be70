"""Opponent model: how the other seats play, inferred from their moves so far (Bayes).

Few people play an equilibrium. A seat's earlier sealed choices are compared with what each of four styles would have
chosen; so are its open moves before such choices. Where nothing is sealed, moves are compared with those of a greedy
player. A response to how a seat seems to play wins more than a response to how it should.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from ludotheque.extras import extra
from ludotheque.game import AnyGame, moves
from ludotheque.search import baselines, sealed
from ludotheque.search.compiled import machine
from ludotheque.search.guided_playouts import sample
from ludotheque.search.heuristics import Objective, Position, Values
from ludotheque.search.joint_choice import estimate_outcome
from ludotheque.search.scratch import SearchParams, all_rational, new_scratch
from ludotheque.search.tree import SEATS

with extra("players"):
    import numpy as np

Outcomes: TypeAlias = dict[tuple[int, ...], Position]  # by which choice each seat makes

STYLE_PRIOR = (0.91, 0.03, 0.03, 0.03)  # of a stranger, by style: most people choose at random
SLIP_CHANCE = 0.1  # how likely anyone chooses out of style
GREEDY_PRIOR_ODDS = 4.0  # of a stranger; high, because to tell early pays more than to be right about everybody
BASE_GREEDY_CHANCE = 0.5  # how often other players make the greediest move, too
MAX_OBSERVATIONS = 6  # of each seat, the latest: earlier ones tell little more, and take time
PLAYOUTS_PER_MOVE = 8  # to value an open move
SENSITIVITY = 2.0  # log-odds of a move that is better by one standard deviation
TO_NEXT_CHOICE = SearchParams(joint_choices=True)  # a playout ends at the next sealed choice


def infer_styles(
    game: AnyGame,
    sealed_choices: Sequence[tuple[Position, Mapping[int, int]]],
    open_moves: Sequence[tuple[Position, int, int]],
    observer: int,
    objective: Objective,
) -> Values:
    """How likely each other seat chooses in each style, by its sealed choices and the open moves before them."""
    likely = np.tile(np.array(STYLE_PRIOR), (SEATS, 1))
    for state, choices in sealed_choices[-MAX_OBSERVATIONS:]:
        for seat, seen in enumerate(_choice_likelihoods(game, state, tuple(sorted(choices.items())), objective)):
            likely[seat] *= seen
    for seat in range(SEATS):
        its = [(state, move) for state, actor, move in open_moves if actor == seat != observer]
        for state, move in its[-MAX_OBSERVATIONS:]:
            likely[seat] *= _move_likelihoods(game, state, seat, move, objective)
    likely[observer] = all_rational()[observer]
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def infer_greed(
    game: AnyGame, open_moves: Iterable[tuple[Position, int, int]], observer: int
) -> tuple[float, float, float, float]:
    """How likely each other seat is greedy, by the moves it has made."""
    odds = [GREEDY_PRIOR_ODDS] * SEATS
    for state, seat, move in open_moves:
        odds[seat] *= _greedy_likelihood_ratio(game, state, seat, move)
    first, second, third, fourth = (0.0 if seat == observer else odd / (1 + odd) for seat, odd in enumerate(odds))
    return first, second, third, fourth


@lru_cache(maxsize=2048)
def _greedy_likelihood_ratio(game: AnyGame, state: Position, seat: int, move: int) -> float:
    """By how much likelier a greedy seat makes this move than another."""
    gain = machine(game).evaluator.greedy_gain
    gains = [gain(state, seat, each) for each in moves(game, state, seat)]
    most = max(gains)
    taken, any_ = (gain(state, seat, move) == most) / gains.count(most), 1 / len(gains)
    greedy, others = ((1 - slip) * taken + slip * any_ for slip in (SLIP_CHANCE, 1 - BASE_GREEDY_CHANCE))
    return greedy / others


def habits(payoffs: Values, leads: Values, seats: Sequence[int], styles: Values) -> list[sealed.Mix]:
    """The habit of each of the seats that choose: what is expected of it as far as it does not choose rationally."""
    widths = payoffs.shape[1:]
    return [
        sealed.habit(payoffs[seat].ravel(), leads[seat].ravel(), where, width, styles[seat])
        for seat, where, width in zip(seats, sealed.choice_indexes(widths), widths, strict=True)
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


def leads(game: AnyGame, after: Outcomes) -> Values:
    """By how much each seat leads in each outcome, as the greedy baseline sees it."""
    *_, last = after
    found = [baselines.leads(game, state, game.scores(state)) for state in after.values()]
    return np.array(found, float).T.reshape(-1, *(index + 1 for index in last))


def estimates(game: AnyGame, after: Outcomes, objective: Objective, styles: Values | None = None) -> Values:
    """The estimated payoff of each outcome to each seat; without styles all choose rationally."""
    *_, last = after
    values = np.zeros((*(index + 1 for index in last), SEATS))
    estimate, styles = machine(game).build(estimate_outcome), all_rational() if styles is None else styles
    for cell, there in after.items():
        estimate(there, styles, objective, values[cell])
    return np.moveaxis(values, -1, 0)


@lru_cache(maxsize=512)
def _choice_likelihoods(
    game: AnyGame, state: Position, chosen: tuple[tuple[int, int], ...], objective: Objective
) -> list[sealed.Mix]:
    """How likely these sealed choices are in each style, seat by seat."""
    seats = [seat for seat, _ in chosen]
    choices = [moves(game, state, seat) for seat in seats]
    after = outcomes(game, state, seats, choices)
    payoffs, ahead = estimates(game, after, objective), leads(game, after)
    mixes, indexes = sealed.logit_equilibrium(payoffs[seats]), sealed.choice_indexes(payoffs.shape[1:])
    seen = []
    for index, (seat, move) in enumerate(chosen):
        width, choice = len(choices[index]), choices[index].index(move)
        naive = sealed.naive(payoffs[seat].ravel(), indexes[index], width, sealed.BEGINNER_TEMPERATURE)
        greedy = sealed.greedy(ahead[seat].ravel(), indexes[index], width)
        styles = np.array([1 / width, naive[choice], greedy[choice], mixes[index][choice]])
        seen.append((1 - SLIP_CHANCE) * styles + SLIP_CHANCE / width)
    return seen


@lru_cache(maxsize=512)
def _move_likelihoods(game: AnyGame, state: Position, seat: int, move: int, objective: Objective) -> sealed.Mix:
    """How likely this open move before a sealed choice is in each style. To the greedy all moves are alike."""
    found = moves(game, state, seat)
    naive, rational = (
        _sensitive_softmax(_move_values(game, state, seat, objective, style))
        for style in (sealed.RANDOM, sealed.RATIONAL)
    )
    choice, width = found.index(move), len(found)
    styles = np.array([1 / width, naive[choice], 1 / width, (naive[choice] + rational[choice]) / 2])
    return (1 - SLIP_CHANCE) * styles + SLIP_CHANCE / width


def _move_values(game: AnyGame, state: Position, seat: int, objective: Objective, style: int) -> sealed.Mix:
    """What each move of a seat is worth to it if all choose in this style, by playouts to the next sealed choice."""
    found = moves(game, state, seat)
    styles, values = np.zeros((SEATS, sealed.STYLES)), np.zeros(len(found))
    styles[:, style] = 1.0
    run = machine(game).build(sample)
    for index, move in enumerate(found):
        sums = np.zeros(SEATS)
        run(new_scratch(0, styles), game.play(state, seat, move), PLAYOUTS_PER_MOVE, objective, TO_NEXT_CHOICE, sums)
        values[index] = sums[seat] / PLAYOUTS_PER_MOVE
    return values


def _sensitive_softmax(values: sealed.Mix) -> sealed.Mix:
    """The softmax of move values in units of their standard deviation."""
    return sealed.softmax(values, max(float(values.std()), sealed.EPSILON) / SENSITIVITY)
