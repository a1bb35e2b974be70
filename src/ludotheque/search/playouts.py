"""Uniformly random games, compiled: for statistics, benchmarks and the first tests of a game's compiled rules."""

from typing import TypeAlias

from ludotheque.extras import extra
from ludotheque.game import LUCK
from ludotheque.search.compiled import Rules

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

Noise: TypeAlias = np.uint64
Found: TypeAlias = NDArray[np.int64]

rules: Rules  # the game's, bound by `Machine.build`

RANDOM_PROBES = 12  # random moves tried before the legal ones are list_moves
MAX_MOVES = 8192  # more than are legal in any position of a game


def random_games(start: tuple[object, ...], games: int, seed: int) -> tuple[int, int, int]:
    """Play random games from a state: (moves made, sum of all first seats' scores, a hash of what happened)."""
    found = np.empty(MAX_MOVES, np.int64)
    noise = np.uint64(seed * 2 + 1)
    made, points, trace = 0, 0, 0
    for _ in range(games):
        state = start
        acting = rules.to_act(state)
        while acting:
            noise = scramble(noise)
            actor = pick_actor(acting, rules.sealed(state), noise)
            noise = scramble(noise)
            if actor == LUCK:
                move = weighted_luck(state, found, list_moves(state, actor, found), noise)
            else:
                move, noise = random_move(state, actor, found, noise)
            state = rules.play(state, actor, move)
            trace = (trace * 31 + move) & 0xFFFFFFFFFFF
            acting = rules.to_act(state)
            made += 1
        points += rules.scores(state)[0]
    return made, points, trace


def random_move(state: tuple[object, ...], actor: int, found: Found, noise: Noise) -> tuple[int, Noise]:
    """A legal move, all equally likely, and the next noise.

    A few random moves of the spans are tried before the legal ones are listed: early in a game most are legal.
    """
    total = 0
    for first, stop in rules.spans(state, actor):
        total += stop - first
    for _ in range(RANDOM_PROBES):
        index = int(noise >> np.uint64(33)) % total
        noise = scramble(noise)
        for first, stop in rules.spans(state, actor):
            if index < stop - first:
                break
            index -= stop - first
        if rules.legal(state, actor, first + index):
            return first + index, noise
    number = list_moves(state, actor, found)
    return int(found[int(noise >> np.uint64(33)) % number]), scramble(noise)


def list_moves(state: tuple[object, ...], actor: int, found: Found) -> int:
    """List the legal moves of an actor in `found`, in order; how many there are."""
    number = 0
    for first, stop in rules.spans(state, actor):
        for move in range(first, stop):
            found[number] = move
            number += rules.legal(state, actor, move)
    return number


def pick_actor(acting: int, sealed: int, noise: Noise) -> int:
    """A random one of those to act; the first if their choices are sealed, since then the order does not matter."""
    number = 0
    for actor in range(LUCK + 1):
        number += acting >> actor & 1
    skip = 0 if sealed else int(noise >> np.uint64(33)) % number
    for actor in range(LUCK + 1):
        if acting >> actor & 1:
            if skip == 0:
                return actor
            skip -= 1
    return LUCK


def weighted_luck(state: tuple[object, ...], found: Found, number: int, noise: Noise) -> int:
    """A random move of luck by the weights."""
    total = 0
    for index in range(number):
        total += rules.weight(state, found[index])
    value = int(noise >> np.uint64(33)) % total
    for index in range(number):
        value -= rules.weight(state, found[index])
        if value < 0:
            return int(found[index])
    return int(found[number - 1])


def scramble(noise: Noise) -> Noise:
    """The next number of a xorshift generator."""
    noise ^= noise << np.uint64(13)
    noise ^= noise >> np.uint64(7)
    noise ^= noise << np.uint64(17)
    return noise
