"""How strong our players are: ladders, random and greedy rivals, and OpenSpiel's MCTS bot at the same game.

    scripts/benchmark strength [--games 200] [--only hepta] [--write docs/strength.md]

Every finished game is kept under `--keep`, so that a run that was stopped goes on where it was; with 200 games a step
it takes many hours on two cores. Players are named as in `ludotheque arena`; `spiel` is OpenSpiel's bot through our
adapter, with as many seconds a move as the player it meets.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as rival

import ludotheque
from ludotheque import Box, Match
from ludotheque.adapters.openspiel import SpielState, register
from ludotheque.game import AnyGame
from ludotheque.search import mcts
from ludotheque.search.arena import Contest, Player, Verdict, contest, player, verdict
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Aim

STEPS = (("1", "2"), ("2", "3"), ("3", "4"), ("4", "5"), ("random", "5"), ("greedy", "5"))
SEQUENTIAL = ("hepta", "tfortwo", "tricolore", "pegs")
SECONDS = 1.0  # a move, against OpenSpiel's bot
TRIAL = 4  # simulations that tell how long one takes
HEAD = """# How strong the players are

Written by `scripts/benchmark strength`. A step is played with the seats rotated; the share is what the stronger named
player got of all wins, with a margin of error of 95 %. At tables for more than two it sits alone against a table of
the other, and what counts is how many times its fair share it got. Games of several legs are played in full.

| game | seats | players | games | share | × fair | wanted | reached |
|---|--:|---|--:|--:|--:|--:|---|
"""


@dataclass(frozen=True)
class Step:
    """One line of the page: who plays whom at what, and what is wanted of it."""

    box: Box
    seats: int
    players: tuple[str, str]
    games: int

    @property
    def wanted(self) -> float:
        """The share to reach."""
        weaker = self.players[0]
        if weaker in ("random", "greedy") or weaker.startswith("spiel"):
            return 0.95 if weaker == "random" else 0.9
        return 0.65 if self.seats == 2 else 1.5 / self.seats

    @property
    def name(self) -> str:
        return f"{self.box.key}-{self.seats}-{'-'.join(self.players)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="for each step")
    parser.add_argument("--spiel-games", type=int, default=100, help="against OpenSpiel's bot")
    parser.add_argument("--only", help="one game")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--keep", type=Path, default=Path("build/strength"), help="where finished games are kept")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    wanted.keep.mkdir(parents=True, exist_ok=True)
    lines = [HEAD.rstrip("\n")]
    for step in steps(wanted.games, wanted.spiel_games, wanted.only):
        lines.append(row(step, played(step, wanted.keep, wanted.jobs)))
        print(lines[-1], flush=True)
        if wanted.write:
            wanted.write.write_text("\n".join([*lines, "", *speeds(wanted.only)]) + "\n", encoding="utf-8")


def steps(games: int, spiel_games: int, only: str | None) -> Iterator[Step]:
    for box in ludotheque.games():
        if only in (None, box.key):
            for seats in box.seats:
                if seats > 1:
                    yield from (Step(box, seats, players, games) for players in STEPS)
                    if box.key in SEQUENTIAL:
                        yield Step(box, seats, (f"spiel{SECONDS:g}", f"{SECONDS:g}s"), spiel_games)


def played(step: Step, keep: Path, jobs: int) -> Verdict:
    wanted = Contest(step.box.rules, step.seats, step.players, step.games)
    return verdict(wanted, list(contest(wanted, keep / f"{step.name}.jsonl", jobs, make=seated)))


def row(step: Step, found: Verdict) -> str:
    weaker, stronger = step.players
    return (
        f"| {step.box.key} | {step.seats} | {stronger} against {weaker} | {found.games} "
        f"| {100 * found.share:.1f} % ± {100 * found.margin:.1f} | {found.times_fair:.2f} "
        f"| {100 * step.wanted:.0f} % | {'yes' if found.share >= step.wanted else 'no'} |"
    )


def seated(name: str, seed: int) -> Player:
    """A player of ours, or OpenSpiel's."""
    if name.startswith("spiel"):
        return partial(spiel_move, seconds=float(name.removeprefix("spiel")), seed=seed)
    return player(name, seed)


def spiel_move(match: Match, _seat: int, *, seconds: float, seed: int) -> str | None:
    """What OpenSpiel's MCTS bot plays with as many simulations as fit in its time, measured by a few of them."""
    game = pyspiel.load_game(register(match.game), {"seats": match.seats})
    state = game.new_initial_state()
    state.state = match.state  # open games only
    begin = time.perf_counter()
    spiel_bot(game, TRIAL, seed).step(state)
    spent = time.perf_counter() - begin
    simulations = max(int((seconds - spent) * TRIAL / spent), TRIAL)
    action: int = spiel_bot(game, simulations, seed).step(state)
    return match.game.texts[action]


def spiel_bot(game: pyspiel.Game, simulations: int, seed: int) -> rival.MCTSBot:
    random = np.random.RandomState(seed % 2**32)
    return rival.MCTSBot(game, 1.4, simulations, rival.RandomRolloutEvaluator(1, random), random_state=random)


def speeds(only: str | None) -> list[str]:
    """Simulations a second from the start, ours and theirs."""
    lines = ["| game | seats | our simulations/s | OpenSpiel's, through the adapter |", "|---|--:|--:|--:|"]
    for box in ludotheque.games():
        for seats in box.seats:
            if seats > 1 and only in (None, box.key):
                theirs = f"{their_speed(box.rules, seats):,.0f}" if box.key in SEQUENTIAL else "–"
                lines.append(f"| {box.key} | {seats} | {our_speed(box, seats):,.0f} | {theirs} |")
    return lines


def our_speed(box: Box, seats: int) -> float:
    run, state = machine(box.rules).build(mcts.search), box.match(seats, seed=1).state
    tree, desk = mcts.new_tree(100_000, 1_000_000, sealed=True), mcts.new_desk(len(box.rules.texts), 1)
    aim = Aim(seats, 0.1, 10.0, 0.0, 0.0, 1)
    run(tree, desk, state, 10, aim, mcts.Knobs())
    begin = time.perf_counter()
    return run(tree, desk, state, 20_000, aim, mcts.Knobs()) / (time.perf_counter() - begin)


def their_speed(rules: AnyGame, seats: int) -> float:
    game = pyspiel.load_game(register(rules), {"seats": seats})
    state: SpielState = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    begin = time.perf_counter()
    spiel_bot(game, 200, 1).step(state)
    return 200 / (time.perf_counter() - begin)


if __name__ == "__main__":
    main()
