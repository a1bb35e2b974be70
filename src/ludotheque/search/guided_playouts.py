"""Playouts guided by heuristics: from a leaf of the tree to the end of the game, or to a quiet position; compiled.

`playouts.py` has the plain ones, in which every legal move is equally likely.
"""

from ludotheque.game import LUCK
from ludotheque.search.compiled import Rules
from ludotheque.search.heuristics import Evaluator, Objective, Position, Values
from ludotheque.search.joint_choice import estimate_by_style, evaluate_joint_choice
from ludotheque.search.playouts import list_moves, weighted_luck
from ludotheque.search.scratch import Scratch, SearchParams, first_actor, next_noise, random_below, random_unit

rules: Rules  # the game's, bound by `Machine.build`
evaluator: Evaluator  # the same
has_sealed: bool  # the same


def sample(  # noqa: PLR0917 - compiled: no keywords
    scratch: Scratch, state: Position, playouts: int, objective: Objective, params: SearchParams, out: Values
) -> None:
    """Add the results of so many playouts to `out`."""
    for _ in range(playouts):
        playout(scratch, state, objective, params)
        for seat in range(objective.seats):
            out[seat] += scratch.result[seat]


def playout(scratch: Scratch, state: Position, objective: Objective, params: SearchParams) -> None:
    """Play on at random, by weights, to the end or beyond the horizon, and leave the values in `scratch.result`."""
    acting = rules.to_act(state)
    made = 0
    while acting:
        if made >= params.horizon and evaluator.is_quiet(state):
            if has_sealed:
                estimate_by_style(state, scratch.styles, objective, scratch.result)
            else:
                evaluator.estimate(state, objective, scratch.result)
            return
        if has_sealed:  # noqa: SIM102 - a condition of its own, so that numba prunes the branch
            if params.joint_choices:
                choosing = rules.sealed(state) & acting
                if choosing & (choosing - 1) and evaluate_joint_choice(
                    state, choosing, scratch.styles, objective, scratch.result
                ):
                    return
        actor = first_actor(acting)
        state = rules.play(state, actor, _playout_move(scratch, state, actor, params))
        acting = rules.to_act(state)
        made += 1
    evaluator.payoffs(state, objective, scratch.result)


def _playout_move(scratch: Scratch, state: Position, actor: int, params: SearchParams) -> int:
    """A random move: luck's by its weights, a greedy seat's by its gain, another's by the heuristic weights."""
    number = list_moves(state, actor, scratch.found)
    if number == 1:
        return int(scratch.found[0])
    if actor == LUCK:
        return weighted_luck(state, scratch.found, number, next_noise(scratch))
    if plays_greedily(scratch, actor, params):
        return greediest_move(scratch, state, actor, number)
    if evaluator.uniform_playouts():
        return int(scratch.found[random_below(scratch, number)])
    total = 0
    for index in range(number):
        total += evaluator.playout_weight(state, actor, scratch.found[index])
        scratch.sums[index] = total
    value = random_below(scratch, max(total, 1))
    low, high = 0, number - 1
    while low < high:
        middle = (low + high) // 2
        if scratch.sums[middle] > value:
            high = middle
        else:
            low = middle + 1
    return int(scratch.found[low])


def plays_greedily(scratch: Scratch, actor: int, params: SearchParams) -> bool:
    """Whether the seat takes the greatest immediate gain this time; random, by what is believed of it."""
    return params.greedy[actor] > 0 and random_unit(scratch) < params.greedy[actor]


def greediest_move(scratch: Scratch, state: Position, actor: int, number: int) -> int:
    """Of the moves listed in `scratch.found`, one with the greatest immediate gain; any of several."""
    best, most, alike = -1, -(1 << 30), 0
    for index in range(number):
        gain = evaluator.greedy_gain(state, actor, scratch.found[index])
        if gain > most:
            best, most, alike = index, gain, 1
        elif gain == most:
            alike += 1
            if random_below(scratch, alike) == 0:
                best = index
    return int(scratch.found[best])
