"""Thousands of games at once: each step is one action in every game, on all cores.

    batch = Batch(ludotheque.game("hepta").rules, games=4096, seed=1)
    while True:
        batch.step(choose(batch.observations, batch.masks))

Each game is a match, as in `match.py`: luck acts by itself, legs follow one another with the roles swapped. A game
that is over is counted (`over`, `rewards`) and begins anew in the same step. Seats act one at a time: those who
choose in secret are asked in turn, and none sees what the others chose; those who need not act, such as seats that
may object, are asked before the seat that must, and may wait. `seats` says who is asked; to wait is the last action.

Every game has a random generator of its own, made from the seed and its number: the same seed gives the same games,
however many threads there are and however many games are beside it.

The rules run compiled. Each thread steps a share of the games, without Python's lock.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque import words
from ludotheque.board.bits import count, lowest
from ludotheque.env.layout import (
    ACTING,
    LEG,
    POINTS,
    ROLE,
    ROLES,
    STATE,
    Floats,
    Tables,
    Writer,
    layout_of,
    write_observation,
)
from ludotheque.env.packing import Longs, flat, pack, shaped, unpack
from ludotheque.errors import BadOption, IllegalMove, quoted
from ludotheque.game import LUCK, AnyGame
from ludotheque.match import Match
from ludotheque.search.compiled import Rules, built, machine
from ludotheque.search.playouts import MAX_MOVES, Found, list_moves, scramble, weighted_luck

Rewards: TypeAlias = Literal["win", "points"]
Position: TypeAlias = tuple[object, ...]
Flags: TypeAlias = NDArray[np.bool_]

rules: Rules  # the game's, bound by `Machine.build`
seen_by: Callable[[Position, int], Position]  # the same: its view

RESTART = -1  # as an action: begin anew
FAR = 1 << 40  # points
MASK_WORD = 8  # actions: rows of masks are filled up to whole words, in which legal actions are counted at once
MIN_SHARE = 64  # games of a thread: fewer are not worth waking one


class Terms(NamedTuple):
    """What is settled for all games of a batch; the action to wait comes after all moves."""

    start: Position
    seats: int
    legs: int
    wait: int
    by_points: bool


# Columns of the array of games: a row holds all that a game needs to go on, its state last. It is one array because
# compiled code counts the references to each that it passes on.
NOISE, SEAT, LEG_NOW, WAITING, LEGAL, BANKED = range(6)
STATE_0 = BANKED + ROLES


class Seen(NamedTuple):
    """What came of a step, one row a game."""

    observations: NDArray[np.float32]
    masks: Flags
    rewards: NDArray[np.float32]
    over: NDArray[np.bool_]


class Batch:
    """Many matches of one game at once, for learners. All arrays have one row a game, and change with each step."""

    def __init__(
        self,
        game: AnyGame,
        games: int,
        seats: int | None = None,
        *,
        seed: int = 0,
        threads: int | None = None,
        rewards: Rewards = "win",
        layout: Writer | None = None,
        **options: object,
    ) -> None:
        match = Match(game, seats, None, options)
        if match.seats == 1:
            raise BadOption(f"{game.key} is for one: batches are of games for two and more.", "bad-seats")
        self.game, self.options = game, match.options
        self.number = _positive(games, "games")
        self.threads = _positive(threads or os.cpu_count() or 1, "threads")
        self.layout = layout_of(game, match.state, match.seats, match.options, layout)
        self._terms = Terms(match.state, match.seats, match.legs, len(game.texts), by_points(rewards))
        self._games = np.zeros((self.number, STATE_0 + len(flat(match.state))), np.int64)
        self._seen = Seen(
            observations=np.zeros((self.number, self.layout.size), np.float32),
            masks=np.zeros((self.number, -(-(self._terms.wait + 1) // MASK_WORD) * MASK_WORD), np.bool_),
            rewards=np.zeros((self.number, match.seats), np.float32),
            over=np.zeros(self.number, np.bool_),
        )
        self._dice = np.zeros(self.number, np.uint64)
        self._actions = np.empty(self.number, np.int64)
        self._advance = machine(game).build(advance)
        self._pool = ThreadPoolExecutor(self.threads)
        self.reset(seed)

    @property
    def observations(self) -> NDArray[np.float32]:
        """What the seat that is asked sees: boards, then numbers, as `layout` says."""
        return self._seen.observations

    @property
    def boards(self) -> NDArray[np.float32]:
        """The boards of the observations as images: game, board, row, column."""
        boards, height, width = self.layout.boards
        return self.observations[:, : boards * height * width].reshape(-1, boards, height, width)

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: the game's moves by number, then to wait."""
        return self._seen.masks[:, : self._terms.wait + 1]

    @property
    def seats(self) -> Longs:
        """The seat that is asked."""
        return self._games[:, SEAT]

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What each seat got in this step: 0 unless a game was over."""
        return self._seen.rewards

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether a game was over in this step; what is observed is its successor."""
        return self._seen.over

    @property
    def leg(self) -> Longs:
        """The leg being played, from 0."""
        return self._games[:, LEG_NOW]

    def state(self, number: int) -> Position:
        """The state of the leg being played in one game, secrets included."""
        found = shaped(self._games[number, STATE_0:].tolist(), self._terms.start)
        assert isinstance(found, tuple)
        return found

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; without a seed their luck goes on as it would have."""
        if seed is not None:
            numbers = np.arange(self.number, dtype=np.uint64)
            self._games[:, NOISE] = noise_from(seed, numbers).view(np.int64)
            self._dice[:] = noise_from(seed + 1, ~numbers)
        self._actions[:] = RESTART
        self._run()

    def step(self, actions: NDArray[np.integer]) -> None:
        """One action in every game. If any is illegal, `IllegalMove` is raised and nothing has changed."""
        given = np.asarray(actions)
        if given.shape != (self.number,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions are {self.number} whole numbers, one a game, not {given.dtype} {given.shape}")
        within = (given >= 0) & (given < self.masks.shape[1])
        legal = within & self.masks[np.arange(self.number), np.where(within, given, 0)]
        if not legal.all():
            self._refuse(int(np.argmin(legal)), given)
        self._actions[:] = given
        self._run()

    def sample(self) -> Longs:
        """A legal action in every game, all equally likely; it has dice of its own, and luck is the same after it."""
        chosen = np.empty(self.number, np.int64)
        run, masks = built(sample_actions), self._seen.masks.view(np.int64)
        self._share_out(lambda first, stop: run(first, stop, masks, self._games, self._dice, chosen))
        return chosen

    def text(self, action: int) -> str:
        """An action in words: the text of a move, or “wait”."""
        return "wait" if action == self._terms.wait else self.game.texts[action]

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown()

    def _run(self) -> None:
        self._share_out(
            lambda first, stop: self._advance(
                first, stop, self._actions, self._terms, self._games, self._seen, self.layout.tables
            )
        )

    def _share_out(self, work: Callable[[int, int], None]) -> None:
        """Do the work for all games, each thread for a share of them."""
        shares = max(min(self.threads, self.number // MIN_SHARE), 1)
        ends = [self.number * share // shares for share in range(shares + 1)]
        others = [self._pool.submit(work, *ends[share : share + 2]) for share in range(1, shares)]
        work(*ends[:2])
        for other in others:
            other.result()

    def _refuse(self, number: int, actions: NDArray[np.integer]) -> None:
        action, seat = int(actions[number]), int(self.seats[number])
        if not 0 <= action <= self._terms.wait:
            raise IllegalMove(f"Game {number}: actions are 0 to {self._terms.wait}, not {action}.", "not-a-move")
        role, state = (seat + int(self.leg[number])) % self._terms.seats, self.state(number)
        code, why = refusal(self.game, state, role, action)
        raise IllegalMove(f"Game {number}: seat {seat} cannot play {quoted(self.text(action))}. {why}", code)


def refusal(game: AnyGame, state: Position, role: int, action: int) -> tuple[str, str]:
    """Why a role cannot take an action that is not legal: the code of the reason, and a sentence."""
    if action == len(game.texts):
        return "must-act", "Only a seat that need not act can wait."
    acts = game.to_act(state) >> role & 1
    code = game.refusal(state, role, action) if acts else "not-your-turn"
    return code, words.say(game.stem, words.DEFAULT_LANGUAGE, "refusals", code)


def by_points(rewards: str) -> bool:
    """Whether what counts is the lead in points instead of the win."""
    if rewards not in ("win", "points"):
        raise BadOption(f"rewards are “win” or “points”, not {quoted(rewards)}.", "bad-option")
    return rewards == "points"


def noise_from(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Seeds of many generators from one: splitmix64, never 0, where a xorshift generator would stay."""
    mixed = (np.uint64(seed & (1 << 64) - 1) + (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)).astype(
        np.uint64
    )
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ mixed >> np.uint64(31)) | np.uint64(1)


# Compiled


def advance(  # noqa: PLR0917 - compiled: no keywords
    first: int, stop: int, actions: Longs, terms: Terms, games: Longs, seen: Seen, tables: Tables
) -> None:
    """Take the actions of these games, and ask the next seats."""
    found, view = np.empty(MAX_MOVES, np.int64), np.empty(games.shape[1], np.int64)
    observations, masks, rewards, over = seen
    for number in range(first, stop):
        game = games[number]
        over[number] = False
        rewards[number] = 0
        state = terms.start
        if actions[number] == RESTART:
            state = restarted(game, terms, found)
        else:
            state = moved(unpack(game[STATE_0:], terms.start), actions[number], game, terms, found)
            if rules.to_act(state) == 0:
                over[number] = True
                reward(rules.winners(state), game, terms, rewards[number])
                state = restarted(game, terms, found)
        pack(state, game[STATE_0:])
        role = next_role(state, game, terms)
        pack(look(state, role, game, terms, view), view[STATE:])
        write_observation(view, role, tables, observations[number])
        write_mask(state, role, game, terms, masks[number])


def moved(state: Position, action: int, game: Longs, terms: Terms, found: Found) -> Position:
    """The state after a legal action, after luck's moves, and at the start of the next leg if there is one."""
    role = role_of(game[SEAT], game[LEG_NOW], terms)
    if action == terms.wait:
        game[WAITING] |= 1 << role
        return state
    game[WAITING] = 0
    state = after_luck(rules.play(state, role, action), game, found)
    while rules.to_act(state) == 0:
        bank(state, game, terms)
        if game[LEG_NOW] + 1 == terms.legs:
            return state
        game[LEG_NOW] += 1
        state = after_luck(terms.start, game, found)
    return state


def restarted(game: Longs, terms: Terms, found: Found) -> Position:
    game[LEG_NOW] = game[WAITING] = 0
    for seat in range(ROLES):
        game[BANKED + seat] = 0
    return after_luck(terms.start, game, found)


def after_luck(state: Position, game: Longs, found: Found) -> Position:
    """The state after luck has acted as often as it is to."""
    while rules.to_act(state) >> LUCK & 1:
        noise = scramble(np.uint64(game[NOISE]))
        game[NOISE] = np.int64(noise)
        state = rules.play(state, LUCK, weighted_luck(state, found, list_moves(state, LUCK, found), noise))
    return state


def bank(state: Position, game: Longs, terms: Terms) -> None:
    """Add the points of a leg that is over."""
    points = rules.scores(state)
    for seat in range(terms.seats):
        game[BANKED + seat] += points[role_of(seat, game[LEG_NOW], terms)]


def reward(winners: int, game: Longs, terms: Terms, out: Floats) -> None:
    """What a match that is over is worth to each seat; a series is won by points."""
    won, number = 0, 0
    for seat in range(terms.seats):
        wins = lead(game, seat, terms) >= 0 if terms.legs > 1 else winners >> seat & 1 == 1
        won |= wins << seat
        number += wins
    for seat in range(terms.seats):
        if terms.by_points:
            out[seat] = lead(game, seat, terms)
        else:
            out[seat] = terms.seats * (won >> seat & 1) / max(number, 1) - 1


def lead(game: Longs, seat: int, terms: Terms) -> int:
    """By how many points a seat is ahead of the best of the others."""
    best = -FAR
    for other in range(terms.seats):
        if other != seat:
            best = max(best, game[BANKED + other])
    return int(game[BANKED + seat]) - best


def next_role(state: Position, game: Longs, terms: Terms) -> int:
    """The role that is asked next; its seat is noted."""
    role = asked(rules.to_act(state), rules.may_wait(state), game[WAITING])
    game[SEAT] = role_of(role, terms.seats - game[LEG_NOW] % terms.seats, terms)
    return role


def look(state: Position, role: int, game: Longs, terms: Terms, out: Longs) -> Position:
    """The view of a role; what the contract knows besides is written to the front of a row."""
    view = seen_by(state, role)
    points = rules.scores(view)
    out[ROLE], out[ACTING], out[LEG] = role, rules.to_act(state), game[LEG_NOW]
    for seat in range(terms.seats):
        there = role_of(seat, game[LEG_NOW], terms)
        out[POINTS + there] = points[there] + game[BANKED + seat]
    return view


def write_mask(state: Position, role: int, game: Longs, terms: Terms, out: Flags) -> None:
    """Which actions are legal for a role; how many is noted."""
    out[:] = False
    number = 0
    for first, stop in rules.spans(state, role):
        for move in range(first, stop):
            legal = rules.legal(state, role, move)
            out[move] = legal
            number += legal
    out[terms.wait] = rules.may_wait(state) >> role & 1
    game[LEGAL] = number + out[terms.wait]


def role_of(seat: int, leg: int, terms: Terms) -> int:
    """The number in the rules that a seat has in a leg."""
    return (seat + leg) % terms.seats


def asked(acting: int, free: int, waiting: int) -> int:
    """Whose turn it is to act or to wait: first those who may wait and do not yet, then whoever must act."""
    left = acting & free & ~waiting
    return lowest(left or acting & ~free)


def sample_actions(  # noqa: PLR0917 - compiled: no keywords
    first: int, stop: int, masks: Longs, games: Longs, dice: NDArray[np.uint64], chosen: Longs
) -> None:
    """A random legal action of each of these games; masks are eight actions a word, the first in the lowest byte."""
    for number in range(first, stop):
        dice[number] = scramble(dice[number])
        skip = int(dice[number] >> np.uint64(33)) % games[number, LEGAL]
        place = 0
        while skip >= count(masks[number, place]):
            skip -= count(masks[number, place])
            place += 1
        word = masks[number, place]
        for _ in range(skip):
            word &= word - 1
        chosen[number] = MASK_WORD * place + lowest(word) // MASK_WORD


def _positive(number: int, name: str) -> int:
    if number < 1:
        raise BadOption(f"{name} are at least 1, not {quoted(number)}.", "bad-option")
    return number
