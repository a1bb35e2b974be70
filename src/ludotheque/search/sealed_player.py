"""A choice in secret: the payoffs of all combinations, and a random choice from an equilibrium of that game."""

from typing import NamedTuple

from ludotheque.extras import extra
from ludotheque.game import LUCK, moves
from ludotheque.search import heuristics, opponent_model, sealed
from ludotheque.search.compiled import machine
from ludotheque.search.guided_playouts import sample
from ludotheque.search.heuristics import Position, Values
from ludotheque.search.opponent_model import Outcomes, habits
from ludotheque.search.scratch import SearchParams, new_scratch
from ludotheque.search.thought import Candidate, Task, Thought

with extra("players"):
    import numpy as np

ESTIMATE_PLAYOUTS = 400  # an estimate counts as much as so many playouts, which are noisy
RUSHED_ESTIMATE_PLAYOUTS = 20  # the same for players that are rushed
MAX_BATCH_PLAYOUTS = 16  # for each combination, between two looks at the clock
FOCUS_ROUNDS = 200  # of regret matching, to find the combinations that matter
MIN_FOCUS = 0.4  # share of the playouts that all combinations get alike


class JointChoice(NamedTuple):
    """A choice in secret as a matrix game: who chooses among what, and the payoffs to each seat.

    `mine` are the mixes of rational seats, `expected` those with what is known of how each seat chooses.
    """

    seats: list[int]
    choices: list[list[int]]
    payoffs: Values
    mine: list[sealed.Mix]
    expected: list[sealed.Mix]

    def values(self, role: int, seat: int) -> sealed.Mix:
        """What each choice of a seat promises a role, the others' mixes given."""
        return sealed.choice_values(self.payoffs[role], self.expected, self.seats.index(seat))

    def promise(self, role: int) -> float:
        """What all of it promises a role."""
        return sealed.expected_payoff(self.payoffs[role], self.expected)


def choose(task: Task) -> Thought | None:
    """A move, or None if the seat does not choose in secret now."""
    if not task.game.sealed(task.view) >> task.seat & 1:
        return None
    joint = joint_choice(task, before_choices(task))
    here = joint.seats.index(task.seat)
    mine, values, choices = joint.mine[here], joint.values(task.seat, task.seat), joint.choices[here]
    likely = _naive_mix(task, joint.payoffs[task.seat], here) if task.rushed else mine
    move = task.random.choices(choices, likely.tolist())[0]
    expected = tuple(joint.promise(seat) for seat in range(task.objective.seats))
    texts = task.game.texts
    ranked = sorted(range(len(mine)), key=lambda index: -mine[index])
    candidates = tuple(Candidate(texts[choices[index]], float(values[index]), float(mine[index])) for index in ranked)
    return Thought(texts[move], expected, float(mine.max()), candidates=candidates)


def before_choices(task: Task) -> Position:
    """The state in which nobody has chosen yet."""
    unseal = getattr(heuristics.knowledge(task.game), "unseal", None)
    state: Position = unseal(task.view) if unseal else task.possible_state()
    return state


def joint_choice(task: Task, state: Position, *, focused: bool = True) -> JointChoice:
    """The matrix game of those who choose in this state.

    Where it is focused, combinations that are likelier to be reached get more of the playouts.
    """
    acting = task.game.sealed(state) & task.game.to_act(state)
    seats = [seat for seat in range(LUCK) if acting >> seat & 1]
    choices = [moves(task.game, state, seat) for seat in seats]
    after = opponent_model.outcomes(task.game, state, seats, choices)
    leads = opponent_model.leads(task.game, after)
    payoffs = _payoffs(task, after, seats, leads, focused=focused)
    known = habits(payoffs, leads, seats, task.styles)
    mixes = sealed.logit_equilibrium(payoffs[seats], known)
    expected = [(1 - habit.sum()) * mix + habit for mix, habit in zip(mixes, known, strict=True)]
    return JointChoice(seats, choices, payoffs, mixes, expected)


def _naive_mix(task: Task, payoffs: Values, here: int) -> sealed.Mix:
    """How likely a rushed player makes each choice."""
    indexes = sealed.choice_indexes(payoffs.shape)[here]
    return sealed.naive(payoffs.ravel(), indexes, payoffs.shape[here], task.level.temperature)


def _payoffs(task: Task, after: Outcomes, seats: list[int], leads: Values, *, focused: bool) -> Values:
    """For each seat and combination the value of the position after it: an estimate, refined by playouts."""
    shape, prior = leads.shape[1:], RUSHED_ESTIMATE_PLAYOUTS if task.rushed else ESTIMATE_PLAYOUTS
    sums = prior * np.moveaxis(opponent_model.estimates(task.game, after, task.objective, task.styles), 0, -1)
    numbers = np.full(shape, float(prior))
    run = machine(task.game).build(sample)
    scratch = new_scratch(task.random.getrandbits(60), task.styles)
    params = SearchParams(horizon=task.profile.horizon)
    batch = max(1, min(MAX_BATCH_PLAYOUTS, task.budget // (4 * len(after))))
    focus = np.ones(shape)
    task.begin = task.clock()
    while not task.done or not task.over():
        for cell, there in after.items():
            playouts = max(1, round(batch * float(focus[cell])))
            run(scratch, there, playouts, task.objective, params, sums[cell])
            numbers[cell] += playouts
            task.done += playouts
        if not focused:
            continue
        payoffs = np.moveaxis(sums / numbers[..., None], -1, 0)
        known = habits(payoffs, leads, seats, task.styles)
        reach = _reach(sealed.equilibrium(payoffs[seats], FOCUS_ROUNDS, known))
        focus = MIN_FOCUS + (1 - MIN_FOCUS) * reach
    return np.moveaxis(sums / numbers[..., None], -1, 0)


def _reach(mixes: list[sealed.Mix]) -> sealed.Mix:
    """How likely each combination is, relative to the average."""
    reach = np.ones(())
    for mix in mixes:
        reach = np.multiply.outer(reach, mix * len(mix))
    return reach
