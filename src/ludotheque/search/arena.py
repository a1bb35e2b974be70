"""Contests between players: many games with rotated seats, in parallel, and their statistics.

A player is written as a level (`3`), a number of simulations (`800n`), seconds a move (`0.5s`), `random` or `greedy`.
With two names at a table for more, the second sits alone against copies of the first.
"""

import json
import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from ludotheque.extras import extra
from ludotheque.game import AnyGame
from ludotheque.luck import Luck
from ludotheque.match import Match
from ludotheque.search import baselines
from ludotheque.search.parallel import results
from ludotheque.search.players import PlayerMemory, think_for

with extra("players"):
    from joblib import delayed

MAX_MOVES = 5000  # of a game; none between players that move takes as long


class Player(Protocol):
    """A player: gives a move, or None to pass for now."""

    def __call__(self, match: Match, seat: int) -> str | None: ...


@dataclass(frozen=True)
class Contest:
    """Who plays what, and how often."""

    game: AnyGame  #: the rules
    seats: int  #: how many play
    players: tuple[str, ...]  #: their names, as above
    games: int  #: how many games
    seed: int = 0  #: the same seed gives the same games, with players that are given simulations
    options: tuple[tuple[str, object], ...] = ()  #: of the game, as pairs

    def seating(self, number: int) -> tuple[int, ...]:
        """Which player sits where in the game of this number."""
        if len(self.players) == self.seats:
            return tuple((seat + number) % self.seats for seat in range(self.seats))
        lone = number % self.seats
        return tuple(1 if seat == lone else 0 for seat in range(self.seats))


@dataclass(frozen=True)
class Played:
    """One game: its number, what each player got of the win, and how many moves it took."""

    number: int  #: of the game in its contest
    shares: tuple[float, ...]  #: of the win, by player
    moves: int  #: how many there were


@dataclass(frozen=True)
class Verdict:
    """The result of a contest for its last player: its share of all wins, with a margin of error of 95 %.

    `fair` is its share among equals; `elo` its lead in Elo points over one other player, with bounds.
    """

    games: int  #: how many were counted
    share: float  #: of all wins, from 0 to 1
    margin: float  #: of error, at 95 %
    fair: float  #: the share of one among equals
    elo: tuple[float, float, float]  #: the lead in Elo points, its lower and its upper bound
    seats: tuple[float, ...]  #: the share at each seat

    @property
    def times_fair(self) -> float:
        """How many times its fair share it won."""
        return self.share / self.fair


def player(name: str, seed: int) -> Player:
    """The player of this name."""
    random = Random(f"{name} {seed}")
    memories: dict[int, PlayerMemory] = {}

    def thinking(match: Match, seat: int) -> str | None:
        memory = memories.setdefault(seat, PlayerMemory())
        how = _how(name)
        return think_for(match, seat, seed=random.getrandbits(30), memory=memory, clock=time.process_time, **how).move

    def simple(match: Match, seat: int) -> str | None:
        baseline = baselines.random_move if name == "random" else baselines.greedy_move
        move = baseline(match.game, match.seen(seat), match.witnessed(seat), match.role(seat), random)
        return None if move is None else match.game.texts[move]

    return simple if name in ("random", "greedy") else thinking


def _how(name: str) -> dict[str, object]:
    if name.endswith("s"):
        return {"seconds": float(name[:-1])}
    if name.endswith("n"):
        return {"simulations": int(name[:-1])}
    return {"level": int(name)}


def known(name: str) -> bool:
    """Whether this is the name of a player."""
    try:
        return name in ("random", "greedy") or bool(_how(name))
    except ValueError:
        return False


def play(contest: Contest, number: int, make: Callable[[str, int], Player] = player) -> Played:
    """The game of this number, from the same seed always."""
    match = Match(contest.game, contest.seats, Luck(f"{contest.seed} {number}"), dict(contest.options))
    seating = contest.seating(number)
    players = [
        make(contest.players[who], contest.seed * 1_000_003 + number * 11 + seat) for seat, who in enumerate(seating)
    ]
    moves = 0
    while not match.over and moves < MAX_MOVES:
        moves += _one_move(match, players)
    shares = [0.0] * len(contest.players)
    for seat in match.winners:
        shares[seating[seat]] += 1 / len(match.winners)
    return Played(number, tuple(shares), moves)


def _one_move(match: Match, players: Sequence[Player]) -> int:
    """Let the first of those to act who wants to move do so."""
    for seat in match.to_act:
        assert isinstance(seat, int)
        text = players[seat](match, seat)
        if text is not None:
            match.play(seat, text)
            return 1
    raise RuntimeError(f"nobody moves in {match!r}")


def contest(
    wanted: Contest,
    kept: Path | None = None,
    jobs: int = -1,
    backend: str | None = None,
    *,
    make: Callable[[str, int], Player] = player,
    done: Collection[int] = (),
) -> Iterator[Played]:
    """All games as they get finished: first those kept in the file by an earlier run; new ones go there too.

    Games of the numbers that are said to be done are left out.
    """
    earlier = {each.number: each for each in _kept(kept)}
    yield from (each for number, each in sorted(earlier.items()) if number < wanted.games)
    rest = [number for number in range(wanted.games) if number not in earlier and number not in done]
    for each in results([delayed(play)(wanted, number, make) for number in rest], jobs, backend):
        if kept:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(each)) + "\n")
        yield each


def verdict(wanted: Contest, played: Sequence[Played]) -> Verdict:
    """What these games say about the last player."""
    last = len(wanted.players) - 1
    shares = [each.shares[last] for each in played]
    number = max(len(shares), 1)
    mean = sum(shares) / number
    spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(number - 1, 1))
    margin = 1.96 * max(spread, 0.5 / math.sqrt(number)) / math.sqrt(number)
    by_seat = []
    for seat in range(wanted.seats):
        here = [each.shares[last] for each in played if wanted.seating(each.number)[seat] == last]
        by_seat.append(sum(here) / max(len(here), 1))
    elo = (_elo(mean, wanted.seats), _elo(mean - margin, wanted.seats), _elo(mean + margin, wanted.seats))
    return Verdict(len(shares), mean, margin, 1 / wanted.seats, elo, tuple(by_seat))


def _elo(share: float, seats: int) -> float:
    """The lead that makes this part of the wins likely, against others all of one strength."""
    share = min(max(share, 0.001), 0.999)
    return 400 * math.log10(share * (seats - 1) / (1 - share))


def _kept(file: Path | None) -> list[Played]:
    if file is None or not file.exists():
        return []
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Played(line["number"], tuple(line["shares"]), line["moves"]) for line in lines]
