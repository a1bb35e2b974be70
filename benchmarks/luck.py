"""How far skill goes in Pizza Theory for three against two who play at random, or greedily: `scripts/benchmark luck`.

Here is a player who, unlike ours, is told from the beginning how the two others play. It values a position by how
many toppings each colour has, and by how much more it will make of it than the others; it looks at all 216 cuts,
weighed by how likely the others make them, and at every topping it could add, with the rest of the round played some
times. What it wins can be won; whether more can, it does not say.

Greedy players are those of `baselines.py`: to them all spaces are alike, and they cut where a few samples of what the
others might do, as if they did anything, leave them furthest ahead.
"""

import argparse
import time
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.board.bits import count, lowest
from ludotheque.board.hexagon import NEIGHBOURS
from ludotheque.games.pizza import CUTS, HOMES, SPACES, STOCK, settle, slices
from ludotheque.search.baselines import GREEDY_SAMPLES, WIN_POINTS
from ludotheque.search.compiled import built
from ludotheque.search.playouts import scramble

SEATS = 3
ROUNDS = 60
TOPPING_LOG_ODDS = 0.4  # of winning, for one topping
SKILL_LOG_ODDS = 2.0  # by which the knowing player makes more of any position
HABIT_SAMPLES = 24  # of a greedy player's choice
RANDOM, GREEDY = "random", "greedy"

Toppings: TypeAlias = tuple[int, int, int]
Floats: TypeAlias = NDArray[np.float64]
Noise: TypeAlias = NDArray[np.uint64]  # one number, which changes
Outcomes: TypeAlias = NDArray[np.int64]  # the toppings of each seat, by the cuts of all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", choices=(RANDOM, GREEDY), default=RANDOM)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--samples", type=int, default=8, help="of the rest of the round, for each topping to add")
    parser.add_argument(
        "--edge", type=float, default=SKILL_LOG_ODDS, help="by which it thinks itself better; 0 for not at all"
    )
    asked = parser.parse_args()
    begun, noise = time.process_time(), np.array([20261116], np.uint64)
    share = built(many)(asked.games, asked.against == GREEDY, hopes(asked.edge), asked.samples, noise)
    margin = 1.96 * (share * (1 - share) / asked.games) ** 0.5
    spent = time.process_time() - begun
    print(f"{asked.games:,} games: {100 * share:.1f} % ± {100 * margin:.1f}, {spent:.0f} s")


def hopes(edge: float) -> Floats:
    """What can be hoped for, by the toppings on the pizza: mine, the better of the others', the last one's."""
    weights = np.exp(TOPPING_LOG_ODDS * np.arange(STOCK))
    mine, most, least = np.meshgrid(np.exp(edge) * weights, weights, weights, indexing="ij")
    values: Floats = mine / (mine + most + least)
    return values


def many(games: int, greedy: bool, values: Floats, samples: int, noise: Noise) -> float:
    """The share of games won, seats rotated."""
    won = 0.0
    for game in range(games):
        won += one(game % SEATS, greedy, values, samples, noise)
    return won / games


def one(me: int, greedy: bool, values: Floats, samples: int, noise: Noise) -> float:
    """A game: what the knowing player won of it."""
    toppings = (HOMES[0], HOMES[1], HOMES[2])
    for number in range(ROUNDS):
        for turn in range(SEATS):
            seat = (number + turn) % SEATS
            spaces = free(toppings, seat)
            if spaces:
                best = drawn(spaces, noise)
                if seat == me:
                    best = best_space(toppings, spaces, number, turn, me, greedy, values, samples, noise)
                toppings = put(toppings, seat, best)
        after = outcomes(toppings, number)
        cut, _ = best_cut(after, me, greedy, values, noise)
        cuts = np.zeros(SEATS, np.int64)
        for seat in range(SEATS):
            cuts[seat] = choice(after, seat, noise) if greedy else dice(noise, CUTS)
        cuts[me] = cut
        toppings = outcome(after, cuts[0], cuts[1], cuts[2])
        share = result(toppings, me)
        if share >= 0:
            return share
    return 1 / SEATS


def best_space(  # noqa: PLR0917 - compiled code takes no names
    toppings: Toppings,
    spaces: int,
    number: int,
    turn: int,
    me: int,
    greedy: bool,
    values: Floats,
    samples: int,
    noise: Noise,
) -> int:
    """Where to add a topping: the rest of the round is played some times for each space."""
    best, most = -1, -1.0
    while spaces:
        space = lowest(spaces)
        spaces &= spaces - 1
        total = 0.0
        for _ in range(samples):
            rest = put(toppings, me, space)
            for later in range(turn + 1, SEATS):
                seat = (number + later) % SEATS
                there = free(rest, seat)
                if there:
                    rest = put(rest, seat, drawn(there, noise))
            total += best_cut(outcomes(rest, number), me, greedy, values, noise)[1]
        if total > most:
            best, most = space, total
    return best


def best_cut(after: Outcomes, me: int, greedy: bool, values: Floats, noise: Noise) -> tuple[int, float]:
    """The cut that does best if the others cut as they do, and what it is worth."""
    likely = np.full((SEATS, CUTS), 1 / CUTS)
    if greedy:
        for seat in range(SEATS):
            likely[seat] = habit(after, seat, noise)
    likely[me] = 1.0
    total = np.zeros(CUTS)
    for first in range(CUTS):
        for second in range(CUTS):
            for third in range(CUTS):
                chance = likely[0, first] * likely[1, second] * likely[2, third]
                if chance > 0:
                    mine = first if me == 0 else second if me == 1 else third
                    total[mine] += chance * worth(outcome(after, first, second, third), me, values)
    best = int(np.argmax(total))
    return best, float(total[best])


def habit(after: Outcomes, seat: int, noise: Noise) -> Floats:
    """How often a greedy player makes each cut."""
    likely = np.zeros(CUTS)
    for _ in range(HABIT_SAMPLES):
        likely[choice(after, seat, noise)] += 1 / HABIT_SAMPLES
    return likely


def choice(after: Outcomes, seat: int, noise: Noise) -> int:
    """Where a greedy player cuts; any of those that seem equally good."""
    best, most, alike, cuts = 0, -np.inf, 0, np.zeros(SEATS, np.int64)
    for cut in range(CUTS):
        merit = 0
        for _ in range(GREEDY_SAMPLES):
            for other in range(SEATS):
                cuts[other] = dice(noise, CUTS)
            cuts[seat] = cut
            merit += ahead(outcome(after, cuts[0], cuts[1], cuts[2]), seat)
        if merit > most:
            best, most, alike = cut, merit, 1
        elif merit == most:
            alike += 1
            if dice(noise, alike) == 0:
                best = cut
    return best


def ahead(toppings: Toppings, seat: int) -> int:
    """By how much a seat leads, and a win counts for much."""
    mine, most, _ = counts(toppings, seat)
    return mine - most + (WIN_POINTS if mine >= STOCK else 0)


def outcomes(toppings: Toppings, number: int) -> Outcomes:
    """What comes of each three cuts."""
    after = np.zeros((CUTS, CUTS, CUTS, SEATS), np.int64)
    for first in range(CUTS):
        for second in range(CUTS):
            for third in range(CUTS):
                settled = settle(toppings, slices((first + 1, second + 1, third + 1), number))
                for seat in range(SEATS):
                    after[first, second, third, seat] = settled[seat]
    return after


def outcome(after: Outcomes, first: int, second: int, third: int) -> Toppings:
    there = after[first, second, third]
    return there[0], there[1], there[2]


def worth(toppings: Toppings, me: int, values: Floats) -> float:
    share = result(toppings, me)
    if share >= 0:
        return share
    mine, most, least = counts(toppings, me)
    return float(values[mine, most, least])


def result(toppings: Toppings, me: int) -> float:
    """What the seat has won: a part of the win, nothing, or -1 if the game goes on."""
    winners = 0
    for seat in range(SEATS):
        winners += count(toppings[seat]) >= STOCK
    if winners == 0:
        return -1.0
    return 1 / winners if count(toppings[me]) >= STOCK else 0.0


def counts(toppings: Toppings, me: int) -> tuple[int, int, int]:
    """My toppings, those of whoever of the others has more, and of the last."""
    one_, other = count(toppings[(me + 1) % SEATS]), count(toppings[(me + 2) % SEATS])
    return count(toppings[me]), max(one_, other), min(one_, other)


def free(toppings: Toppings, seat: int) -> int:
    """The spaces where a seat may add one."""
    taken, spaces = toppings[0] | toppings[1] | toppings[2], 0
    for space in range(SPACES):
        if not taken >> space & 1 and not NEIGHBOURS[space] & toppings[seat]:
            spaces |= 1 << space
    return spaces


def put(toppings: Toppings, seat: int, space: int) -> Toppings:
    first, second, third = toppings
    more = 1 << space
    return first | (more if seat == 0 else 0), second | (more if seat == 1 else 0), third | (more if seat == 2 else 0)


def drawn(spaces: int, noise: Noise) -> int:
    """Any of these spaces."""
    for _ in range(dice(noise, count(spaces))):
        spaces &= spaces - 1
    return lowest(spaces)


def dice(noise: Noise, sides: int) -> int:
    noise[0] = scramble(noise[0])
    return int(noise[0] >> np.uint64(33)) % sides


if __name__ == "__main__":
    main()
