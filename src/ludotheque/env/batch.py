"""Thousands of games at once: each step is one action in every game, on all cores.

    batch = Batch(ludotheque.game("hepta").rules, games=4096, seed=1)
    while True:
        batch.step(choose(batch.observations, batch.masks))

Each game is a match, as in `match.py`: luck acts by itself, legs follow one another with the roles swapped. A game
that is over is counted (`over`, `rewards`) and begins anew in the same step. Seats act one at a time: those who
choose in secret are asked in turn, and none sees what the others chose; those who need not act, such as seats that may
object, are asked before the seat that must, and may wait. `seats` says who is asked; to wait is the last action.

Every game has a random generator of its own, made from the seed and its number: the same seed gives the same games,
however many threads there are and however many games are beside it.

The rules run compiled. Each thread steps a share of the games, without Python's lock.
"""

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque import words
from ludotheque.board.bits import lowest
from ludotheque.env.layout import ACTING, LEG, POINTS, ROLE, ROLES, STATE, Tables, Writer, layout_of, write_observation
from ludotheque.env.packing import Longs, flat, pack, shaped, unpack
from ludotheque.errors import BadOption, IllegalMove, quoted
from ludotheque.game import LUCK, AnyGame
from ludotheque.match import Match
from ludotheque.search.compiled import Rules, built, machine
from ludotheque.search.playouts import MAX_MOVES, Found, list_moves, scramble, weighted_luck

Rewards: TypeAlias = Literal["win", "points"]
Position: TypeAlias = tuple[object, ...]

rules: Rules  # the game's, bound by `Machine.build`
seen_by: Callable[[Position, int], Position]  # the same: its view

RESTART = -1  # as an action: begin anew
MIN_SHARE = 64  # games of a thread: fewer are not worth waking one


class Terms(NamedTuple):
    """What is settled for all games of a batch; the action to wait comes after all moves."""

    start: Position
    seats: int
    legs: int
    wait: int
    by_points: bool


class Games(NamedTuple):
    """All games: their states in rows, where they stand, and what their seats see."""

    states: Longs
    noise: NDArray[np.uint64]
    leg: Longs
    banked: Longs
    waiting: Longs
    seats: Longs
    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
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
        self.game, self.options = game, match.options
        self.number = _positive(games, "games")
        self.threads = _positive(threads or os.cpu_count() or 1, "threads")
        self.layout = layout_of(game, match.state, match.seats, match.options, layout)
        self._terms = Terms(match.state, match.seats, match.legs, len(game.texts), by_points(rewards))
        self._games = _empty(self.number, self._terms, len(flat(match.state)), self.layout.size)
        self._dice = np.zeros(self.number, np.uint64)
        self._actions = np.empty(self.number, np.int64)
        self._advance = machine(game).build(advance)
        self._pool = ThreadPoolExecutor(self.threads)
        self.reset(seed)

    @property
    def observations(self) -> NDArray[np.float32]:
        """What the seat that is asked sees: boards, then numbers, as `layout` says."""
        return self._games.observations

    @property
    def boards(self) -> NDArray[np.float32]:
        """The boards of the observations as images: game, board, row, column."""
        boards, height, width = self.layout.boards
        return self.observations[:, : boards * height * width].reshape(-1, boards, height, width)

    @property
    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: the game's moves by number, then to wait."""
        return self._games.masks

    @property
    def seats(self) -> Longs:
        """The seat that is asked."""
        return self._games.seats

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What each seat got in this step: 0 unless a game was over."""
        return self._games.rewards

    @property
    def over(self) -> NDArray[np.bool_]:
        """Whether a game was over in this step; what is observed is its successor."""
        return self._games.over

    @property
    def leg(self) -> Longs:
        """The leg being played, from 0."""
        return self._games.leg

    def state(self, number: int) -> Position:
        """The state of the leg being played in one game, secrets included."""
        found = shaped(self._games.states[number].tolist(), self._terms.start)
        assert isinstance(found, tuple)
        return found

    def reset(self, seed: int | None = None) -> None:
        """Begin all games anew; without a seed their luck goes on as it would have."""
        if seed is not None:
            numbers = np.arange(self.number, dtype=np.uint64)
            self._games.noise[:] = noise_from(seed, numbers)
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
        run = built(sample_actions)
        self._share_out(lambda first, stop: run(first, stop, self.masks, self._dice, chosen))
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
                first, stop, self._actions, self._terms, self._games, self.layout.tables
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
    within = any(first <= action < stop for first, stop in game.spans(state, role))
    code = game.refusal(state, role, action) if not within or not game.legal(state, role, action) else "not-now"
    return code, words.say(game.stem, words.DEFAULT_LANGUAGE, "refusals", code)


def by_points(rewards: str) -> bool:
    """Whether what counts is the lead in points instead of the win."""
    if rewards not in ("win", "points"):
        raise BadOption(f"rewards are “win” or “points”, not {quoted(rewards)}.", "bad-option")
    return rewards == "points"


def noise_from(seed: int, numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Seeds of many generators from one: splitmix64, never 0, where a xorshift generator would stay."""
    mixed = (np.uint64(seed & (1 << 64) - 1) + (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)).astype(np.uint64)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return (mixed ^ mixed >> np.uint64(31)) | np.uint64(1)


# Compiled


def advance(first: int, stop: int, actions: Longs, terms: Terms, games: Games, tables: Tables) -> None:  # noqa: PLR0917
    """Take the actions of these games, and ask the next seats."""
    found, seen = np.empty(MAX_MOVES, np.int64), np.empty(STATE + games.states.shape[1], np.int64)
    for game in range(first, stop):
        games.over[game] = False
        games.rewards[game] = 0
        if actions[game] == RESTART:
            state = restarted(game, terms, games, found)
        else:
            state = moved(unpack(games.states[game], terms.start), game, actions[game], terms, games, found)
        pack(state, games.states[game])
        ask(state, game, terms, games, tables, seen)


def moved(  # noqa: PLR0917 - compiled: no keywords
    state: Position, game: int, action: int, terms: Terms, games: Games, found: Found
) -> Position:
    """The state after a legal action, after luck's moves, and after the end of a leg or a game."""
    role = (games.seats[game] + games.leg[game]) % terms.seats
    if action == terms.wait:
        games.waiting[game] |= 1 << role
        return state
    games.waiting[game] = 0
    state = after_luck(rules.play(state, role, action), game, games, found)
    while rules.to_act(state) == 0:
        bank(state, game, terms, games)
        if games.leg[game] + 1 < terms.legs:
            games.leg[game] += 1
            state = after_luck(terms.start, game, games, found)
        else:
            reward(state, game, terms, games)
            games.over[game] = True
            state = restarted(game, terms, games, found)
    return state


def restarted(game: int, terms: Terms, games: Games, found: Found) -> Position:
    games.leg[game] = 0
    games.banked[game] = 0
    games.waiting[game] = 0
    return after_luck(terms.start, game, games, found)


def after_luck(state: Position, game: int, games: Games, found: Found) -> Position:
    """The state after luck has acted as often as it is to."""
    luck = np.int64(LUCK)
    while rules.to_act(state) >> luck & 1:
        games.noise[game] = scramble(games.noise[game])
        number = list_moves(state, luck, found)
        state = rules.play(state, luck, weighted_luck(state, found, number, games.noise[game]))
    return state


def bank(state: Position, game: int, terms: Terms, games: Games) -> None:
    """Add the points of a leg that is over."""
    points = rules.scores(state)
    for seat in range(terms.seats):
        games.banked[game, seat] += points[(seat + games.leg[game]) % terms.seats]


def reward(state: Position, game: int, terms: Terms, games: Games) -> None:
    """What a game that is over is worth to each seat."""
    won = rules.winners(state) if terms.legs == 1 else leaders(game, terms, games)
    number = 0
    for seat in range(terms.seats):
        number += won >> seat & 1
    for seat in range(terms.seats):
        if terms.seats == 1:
            games.rewards[game, seat] = won & 1
        elif terms.by_points:
            games.rewards[game, seat] = lead(game, seat, terms, games)
        else:
            games.rewards[game, seat] = terms.seats * (won >> seat & 1) / max(number, 1) - 1


def leaders(game: int, terms: Terms, games: Games) -> int:
    """The seats with most points, as a set."""
    top = 0
    for seat in range(terms.seats):
        if lead(game, seat, terms, games) >= 0:
            top |= 1 << seat
    return top


def lead(game: int, seat: int, terms: Terms, games: Games) -> int:
    """By how many points a seat is ahead of the best of the others."""
    best = -(1 << 40)
    for other in range(terms.seats):
        if other != seat:
            best = max(best, games.banked[game, other])
    return games.banked[game, seat] - best


def ask(state: Position, game: int, terms: Terms, games: Games, tables: Tables, seen: Longs) -> None:  # noqa: PLR0917
    """Who is to act next, what that seat sees, and what it may do."""
    acting, free = rules.to_act(state), rules.may_wait(state)
    role = asked(acting, free, games.waiting[game])
    view = seen_by(state, role)
    points = rules.scores(view)
    games.seats[game] = (role + terms.seats - games.leg[game] % terms.seats) % terms.seats
    seen[ROLE], seen[ACTING], seen[LEG] = role, acting, games.leg[game]
    for each in range(terms.seats):
        seat = (each + terms.seats - games.leg[game] % terms.seats) % terms.seats
        seen[POINTS + each] = points[each] + games.banked[game, seat]
    pack(view, seen[STATE:])
    write_observation(seen, role, tables, games.observations[game])
    mask = games.masks[game]
    mask[:] = False
    for first, stop in rules.spans(state, role):
        for move in range(first, stop):
            mask[move] = rules.legal(state, role, move)
    mask[terms.wait] = free >> role & 1


def asked(acting: int, free: int, waiting: int) -> int:
    """Whose turn it is to act or to wait: first those who may wait and do not yet, then whoever must act."""
    left = acting & free & ~waiting
    return lowest(left or acting & ~free)


def sample_actions(
    first: int, stop: int, masks: NDArray[np.bool_], dice: NDArray[np.uint64], chosen: Longs
) -> None:
    """A random legal action of each of these games."""
    for game in range(first, stop):
        mask, number = masks[game], 0
        for action in range(len(mask)):
            number += mask[action]
        dice[game] = scramble(dice[game])
        skip = int(dice[game] >> np.uint64(33)) % number
        action = 0
        while skip or not mask[action]:
            skip -= mask[action]
            action += 1
        chosen[game] = action


def _empty(number: int, terms: Terms, words_of_state: int, size: int) -> Games:
    return Games(
        states=np.zeros((number, words_of_state), np.int64),
        noise=np.zeros(number, np.uint64),
        leg=np.zeros(number, np.int64),
        banked=np.zeros((number, ROLES), np.int64),
        waiting=np.zeros(number, np.int64),
        seats=np.zeros(number, np.int64),
        observations=np.zeros((number, size), np.float32),
        masks=np.zeros((number, terms.wait + 1), np.bool_),
        rewards=np.zeros((number, terms.seats), np.float32),
        over=np.zeros(number, np.bool_),
    )


def _positive(number: int, name: str) -> int:
    if number < 1:
        raise BadOption(f"{name} are at least 1, not {quoted(number)}.", "bad-option")
    return number
