"""What a tree search works with besides the tree: its parameters, reusable buffers and random numbers; compiled."""

from typing import NamedTuple

from ludotheque.extras import extra
from ludotheque.search.heuristics import Values
from ludotheque.search.playouts import MAX_MOVES, Noise, scramble
from ludotheque.search.sealed import RATIONAL, STYLES
from ludotheque.search.tree import MAX_DEPTH, SEATS, Longs

with extra("players"):
    import numpy as np
    from numpy.typing import NDArray

MAX_PLAYOUT_MOVES = 2000
PATH_NODE, PATH_EDGE, PATH_SEATS = 0, 1, 2  # columns of `Scratch.path`: node, edge or link, then sealed seats' edges


class SearchParams(NamedTuple):
    """The parameters of one search."""

    explore: float = 0.7  # weight of the exploration bonus
    expand_visits: int = 4  # visits after which a leaf gets children
    horizon: int = MAX_PLAYOUT_MOVES  # moves after which a playout stops at the next quiet position
    max_depth: int = MAX_DEPTH  # of the tree
    sure_win: float = 2.0  # a proven child worth this proves its parent
    solve: bool = True  # whether results are proven; off when the root state is a guess
    stop_early: bool = True  # whether the search may stop once its move is settled
    stop_above: float = 2.0  # if it may, it does when its best move promises more
    stop_below: float = -1.0  # or less
    joint_choices: bool = False  # whether sealed choices are evaluated as a joint choice instead of searched
    careless: tuple[float, float, float, float] = (
        0.0,
        0.0,
        0.0,
        0.0,
    )  # chance that a seat does not choose rationally
    greedy: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # chance that a seat takes the greatest gain


class Scratch(NamedTuple):
    """Buffers of one search, and its model of how the seats make sealed choices (`styles`).

    `noise` is the state of the random generator, `path` the way from the root to a leaf, `result` the values found.
    """

    noise: NDArray[np.uint64]
    found: Longs
    sums: Longs
    path: Longs
    result: Values
    styles: Values


def new_scratch(seed: int, styles: Values | None = None) -> Scratch:
    """Fresh buffers; without styles all seats are taken to choose rationally."""
    return Scratch(
        noise=np.array([(seed * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF | 1], np.uint64),
        found=np.empty(MAX_MOVES, np.int64),
        sums=np.empty(MAX_MOVES, np.int64),
        path=np.empty((MAX_DEPTH + 1, PATH_SEATS + SEATS), np.int64),
        result=np.zeros(SEATS),
        styles=all_rational() if styles is None else styles,
    )


def all_rational() -> Values:
    """Styles of seats that all choose rationally."""
    styles = np.zeros((SEATS, STYLES))
    styles[:, RATIONAL] = 1.0
    return styles


def next_noise(scratch: Scratch) -> Noise:
    """The next 64 random bits."""
    scratch.noise[0] = scramble(scratch.noise[0])
    return np.uint64(scratch.noise[0])


def random_below(scratch: Scratch, limit: int) -> int:
    """A random whole number from 0 to below the limit."""
    return int(next_noise(scratch) >> np.uint64(33)) % limit


def random_unit(scratch: Scratch) -> float:
    """A random number from 0 to below 1."""
    return float(next_noise(scratch) >> np.uint64(11)) / (1 << 53)


def first_actor(acting: int) -> int:
    """The lowest actor of a set."""
    actor = 0
    while not acting >> actor & 1:
        actor += 1
    return actor
