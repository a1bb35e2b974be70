"""Train the networks that value positions of Pizza Theory: `scripts/benchmark learn`.

Fast players value every topping they could add, and all cuts that could follow, by the current networks; some seats
play at random. The position after every round is kept, with who won in the end. Then the networks of
`search/heuristics/pizza.py`, one for each number of seats, are fitted to that. They predict the winner; what random
players make less of a position is accounted for separately (`SKILL_LOG_ODDS` in `search/joint_choice.py`).

Each turn plays new games with the networks of the turn before, and trains on all games so far. `--anew` starts from
networks that count toppings. The weights are overwritten after each turn: keep a copy if you need it.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from joblib import delayed
from joblib.externals.loky import get_reusable_executor
from numpy.typing import NDArray

import ludotheque
from ludotheque.game import LUCK
from ludotheque.games.pizza import SPACES, STOCK, State, play, sealed, start, to_act, winners
from ludotheque.search.compiled import machine
from ludotheque.search.guided_playouts import sample
from ludotheque.search.heuristics import Objective, Values, pizza
from ludotheque.search.heuristics.pizza import BIAS_ROW, OUTPUT_ROW, PROFILE, ROTATED_SPACES, UNITS
from ludotheque.search.joint_choice import SKILL_LOG_ODDS, enumerate_outcomes, habits, mixed
from ludotheque.search.opponent_model import TO_NEXT_CHOICE
from ludotheque.search.parallel import results
from ludotheque.search.playouts import list_moves
from ludotheque.search.scratch import Scratch, all_rational, new_scratch, random_unit
from ludotheque.search.sealed import RANDOM, RATIONAL, mirror_descent
from ludotheque.search.tree import SEATS

Floats: TypeAlias = NDArray[np.float32]
Rows: TypeAlias = NDArray[np.int64]

SEATINGS = (2, 3)
KEPT = Path(pizza.__file__).with_suffix(".npy")
TOPPING_LOGIT = {2: 0.65, 3: 0.4}  # of one topping, before training
PLAYOUTS_PER_MOVE = 2  # of what the others may add
CUT_ROUNDS = 60  # of mirror descent
CUT_TEMPERATURE = 0.01  # of the logit equilibrium; above 0, so that games differ
MAX_ROUNDS = 60
BATCH_GAMES = 100
EPOCHS = 8
BATCH = 1024
LEARNING_RATE, WEIGHT_DECAY = 4e-3, 1e-3
BETA_1, BETA_2 = 0.9, 0.999  # of Adam
LAMBDA = 0.5  # of TD(lambda)
VALIDATION_EVERY = 10  # games, one is for validation


class Seen(NamedTuple):
    """Positions between two rounds: toppings by colour, the round, who plays at random, and who won."""

    toppings: Rows
    round: Rows
    random_play: Floats
    won: Floats
    game: Rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="of each turn, for each number of seats")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=EPOCHS, help="how often the network sees each position")
    parser.add_argument("--anew", action="store_true", help="forget all, and begin by counting toppings")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=-1)
    asked = parser.parse_args()
    if asked.anew:
        keep(np.stack([counting(seats) for seats in SEATINGS]))
    seen: dict[int, list[Seen]] = {seats: [] for seats in SEATINGS}
    for turn in range(asked.turns):
        learned = np.load(KEPT).astype(np.float32)
        for seats in SEATINGS:
            begun = time.monotonic()
            seeds = range(
                asked.seed + turn, asked.seed + turn + asked.turns * asked.games // BATCH_GAMES, asked.turns
            )
            seen[seats] += results([delayed(played)(seats, BATCH_GAMES, seed) for seed in seeds], asked.jobs)
            learned[seats - 2] = learn(seats, joined(seen[seats]), learned[seats - 2], asked.epochs)
            print(f"  in {time.monotonic() - begun:.0f} s", flush=True)
        keep(learned)
        get_reusable_executor().shutdown()  # what is known is compiled into the players: the next are new ones


def learn(seats: int, seen: Seen, known: Floats, epochs: int) -> Floats:
    """The network fitted to all games; prints the validation loss."""
    fitted = fit(seen, known, epochs, np.random.default_rng(seats))
    if seats == 3:
        fitted[BIAS_ROW:OUTPUT_ROW] = fitted[BIAS_ROW:OUTPUT_ROW].mean(0)  # all colours are alike
    checked = validation(seen)
    counted, before, after = (loss(seen, weights, checked) for weights in (counting(seats), known, fitted))
    print(
        f"{seats} seats: {len(np.unique(seen.game)):,} games, {len(seen.round):,} positions; in games held back, the "
        f"result was a surprise of {counted:.4f} by counting, {before:.4f} before, {after:.4f} now",
        flush=True,
    )
    return fitted


def keep(learned: Floats) -> None:
    np.save(KEPT, learned.astype(np.float16))


def counting(seats: int) -> Floats:
    """Initial weights: the network counts toppings; with two seats the third colour counts for less."""
    weights = np.random.default_rng(seats).normal(0, 0.1, (OUTPUT_ROW + 1, UNITS)).astype(np.float32)
    weights[:SPACES, 0], weights[SPACES:, 0], weights[OUTPUT_ROW] = 1.0, 0.0, 0.0
    weights[BIAS_ROW:OUTPUT_ROW, 0] = 2.0
    weights[OUTPUT_ROW, 0] = TOPPING_LOGIT[seats]
    if seats == 2:
        weights[BIAS_ROW + 2, 0] -= 1 / TOPPING_LOGIT[seats]
    return weights


# Games


def played(seats: int, games: int, seed: int) -> Seen:
    """Self-play games; in each some of the players, never all, play at random."""
    random, objective = (
        np.random.default_rng(seed),
        Objective(seats, PROFILE.points_weight, PROFILE.points_scale, 0.0, 0.0, 1),
    )
    run, found = machine(ludotheque.game("pizza").rules).build(one), []
    for number in range(games):
        styles, random_play = all_rational(), np.zeros(3, np.float32)
        careless = random.permutation(seats)[: random.integers(seats)]
        styles[careless, RATIONAL], styles[careless, RANDOM] = 0.0, 1.0
        random_play[careless] = 1.0
        rows, won = np.zeros((MAX_ROUNDS, 4), np.int64), np.zeros(3)
        many = run(start(seats), new_scratch(int(random.integers(1 << 60)), styles), objective, rows, won)
        rows = rows[:many]
        found.append(
            Seen(
                rows[:, :3],
                rows[:, 3],
                np.tile(random_play, (many, 1)),
                np.tile(won.astype(np.float32), (many, 1)),
                np.full(many, seed * games + number),
            )
        )
    return joined(found)


def joined(parts: list[Seen]) -> Seen:
    return Seen._make(np.concatenate(part) for part in zip(*parts, strict=True))


def one(state: State, scratch: Scratch, objective: Objective, rows: Rows, won: Values) -> int:
    """Play a game; the number of positions written to `rows`. Compiled."""
    many, before = 0, 0
    acting = to_act(state)
    while acting:
        if state.round > before:
            before = state.round
            for colour in range(3):
                rows[many, colour] = state.toppings[colour]
            rows[many, 3] = state.round
            many += 1
        choosing = sealed(state) & acting
        if choosing:
            state = cut(state, choosing, scratch, objective)
        else:
            actor = 0
            while not acting >> actor & 1:
                actor += 1
            state = play(state, actor, best_move(state, actor, scratch, objective))
        acting = to_act(state)
    best, total = winners(state), 0
    for seat in range(objective.seats):
        won[seat] = best >> seat & 1
        total += best >> seat & 1
    if total == 0:  # with two: the third colour
        won[2] = total = 1
    for colour in range(3):
        won[colour] /= total
    return many


def best_move(state: State, actor: int, scratch: Scratch, objective: Objective) -> int:
    """The move of the greatest value by playouts to the next cut; a random one for luck and random players."""
    found = np.empty(SPACES, np.int64)
    number, most, choice = list_moves(state, actor, found), -1.0, 0
    if actor == LUCK or scratch.styles[actor, RANDOM] == 1:
        return int(found[int(random_unit(scratch) * number)])
    for index in range(number):
        after, sums = play(state, actor, found[index]), np.zeros(SEATS)
        tries = 1 if sealed(after) else PLAYOUTS_PER_MOVE
        sample(scratch, after, tries, objective, TO_NEXT_CHOICE, sums)
        if sums[actor] / tries > most:
            most, choice = sums[actor] / tries, index
    return int(found[choice])


def cut(state: State, choosing: int, scratch: Scratch, objective: Objective) -> State:
    """Let all cut, by the logit equilibrium and their habits."""
    joint = enumerate_outcomes(state, choosing, scratch.styles, objective)
    own, fixed, free = habits(joint, scratch.styles)
    sums = mirror_descent(own, joint.indexes, joint.widths, fixed, free, CUT_ROUNDS, CUT_TEMPERATURE)
    likely = mixed(sums, fixed, free)
    for index in range(len(joint.seats)):
        value, choice = random_unit(scratch), 0
        while choice < joint.widths[index] - 1 and value >= likely[index, choice]:
            value -= likely[index, choice]
            choice += 1
        state = play(state, joint.seats[index], joint.moves[index, choice])
    return state


# Learning


def fit(seen: Seen, weights: Floats, epochs: int, random: np.random.Generator) -> Floats:
    """Weights fitted by AdamW to the cross-entropy of the targets."""
    aims, weights = targets(seen, weights), weights.copy()
    mean, square, chosen = np.zeros_like(weights), np.zeros_like(weights), np.flatnonzero(~validation(seen))
    steps = epochs * (len(chosen) // BATCH)
    for step in range(steps):
        if step % (len(chosen) // BATCH) == 0:
            random.shuffle(chosen)
        first = step % (len(chosen) // BATCH) * BATCH
        step_gradient = gradient(seen, aims, weights, chosen[first : first + BATCH])
        mean, square = BETA_1 * mean + (1 - BETA_1) * step_gradient, BETA_2 * square + (1 - BETA_2) * step_gradient**2
        unbiased = mean / (1 - BETA_1 ** (step + 1)), square / (1 - BETA_2 ** (step + 1))
        rate = LEARNING_RATE * (1 + np.cos(np.pi * step / steps)) / 2
        weights -= rate * (unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8) + WEIGHT_DECAY * weights)
    return weights


def targets(seen: Seen, weights: Floats) -> Floats:
    """TD(lambda) targets: partly the estimate of the next position, partly what came later.

    The result of the game is unbiased but noisy; the next estimate has less variance.
    """
    seemed, aims = chances(seen, weights, np.arange(len(seen.round))), seen.won.copy()
    for row in range(len(aims) - 2, -1, -1):
        if seen.game[row] == seen.game[row + 1]:
            aims[row] = (1 - LAMBDA) * seemed[row + 1] + LAMBDA * aims[row + 1]
    return aims


def gradient(seen: Seen, aims: Floats, weights: Floats, chosen: Rows) -> Floats:
    """The gradient of the cross-entropy."""
    inputs, hidden, likely = forward(seen, weights, chosen)
    wrong = (likely - aims[chosen]) / len(chosen)
    active = np.maximum(hidden, 0)
    back = wrong[:, :, None] * weights[OUTPUT_ROW] * (hidden > 0)
    found = np.zeros_like(weights)
    found[OUTPUT_ROW] = np.einsum("pc,pcu->u", wrong, active)
    found[:OUTPUT_ROW] = inputs.reshape(-1, OUTPUT_ROW).T @ back.reshape(-1, UNITS)
    return found


def forward(seen: Seen, weights: Floats, chosen: Rows) -> tuple[Floats, Floats, Floats]:
    """The forward pass: inputs by colour, hidden units, and the chance of each colour."""
    inputs = inputs_of(seen.toppings[chosen], seen.round[chosen])
    hidden = (inputs.reshape(-1, OUTPUT_ROW) @ weights[:OUTPUT_ROW]).reshape(len(chosen), 3, UNITS)
    hopes = np.maximum(hidden, 0) @ weights[OUTPUT_ROW]
    points = inputs[:, :, :SPACES].sum(2)
    hopes -= SKILL_LOG_ODDS * (1 - points / STOCK) * seen.random_play[chosen]
    likely = np.exp(hopes - hopes.max(1, keepdims=True))
    return inputs, hidden, likely / likely.sum(1, keepdims=True)


def inputs_of(toppings: Rows, rounds: Rows) -> Floats:
    """The inputs of each colour: toppings of its own, the next and the last colour, and its bias."""
    bits = (toppings[:, :, None] >> np.arange(SPACES) & 1).astype(np.float32)
    views = np.array(ROTATED_SPACES).reshape(3, SPACES)
    inputs = np.zeros((len(toppings), 3, OUTPUT_ROW), np.float32)
    for colour in range(3):
        inputs[:, colour, BIAS_ROW + colour] = 1
        for turned in range(3):
            here = np.flatnonzero((colour - rounds) % 3 == turned)  # its role
            for other in range(3):
                spots = other * SPACES + views[turned]
                inputs[here[:, None], colour, spots] = bits[here, (colour + other) % 3]
    return inputs


def loss(seen: Seen, weights: Floats, which: NDArray[np.bool_]) -> float:
    """The mean cross-entropy of the results."""
    chosen = np.flatnonzero(which)
    return float(-(seen.won[chosen] * np.log(chances(seen, weights, chosen) + 1e-9)).sum(1).mean())


def chances(seen: Seen, weights: Floats, chosen: Rows) -> Floats:
    """How likely each colour wins, position by position."""
    batches = np.array_split(chosen, len(chosen) // BATCH + 1)
    return np.concatenate([forward(seen, weights, batch)[2] for batch in batches])


def validation(seen: Seen) -> NDArray[np.bool_]:
    """Which positions are for validation."""
    return np.equal(seen.game % VALIDATION_EVERY, 0)


if __name__ == "__main__":
    main()
