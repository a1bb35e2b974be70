"""Random games a second, interpreted and compiled, beside OpenSpiel's nearest relatives, in one run on one core.

    scripts/benchmark playouts [--seconds 3] [--write docs/benchmarks/playouts.md]

OpenSpiel's games run in C++ and are driven from Python, as its users drive them: ask for the legal actions, apply
one. Ours run the same loop interpreted, as games of OpenSpiel, and compiled as a whole, as search uses them.
"""

import argparse
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pyspiel

import ludotheque
from ludotheque import Box
from ludotheque.adapters.openspiel import register
from ludotheque.game import LUCK, moves
from ludotheque.search.compiled import machine
from ludotheque.search.playouts import random_games

RELATIVES = ("clobber(rows=7,columns=7)", "hex(board_size=7)", "breakthrough")
HEAD = """# Random games a second

Written by `scripts/benchmark playouts`, {seconds:g} seconds a row, on one core, with Python {python}. Moves include
those of luck; columns without a unit are moves a second.

| game | seats | interpreted | as OpenSpiel's | compiled | compiled, games/s | ÷ interpreted | ÷ best OpenSpiel |
|---|--:|--:|--:|--:|--:|--:|--:|"""


@dataclass
class Speed:
    """What a loop made in so many seconds."""

    games: int
    moves: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.moves / self.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3, help="for each line")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    page = report(wanted.seconds)
    print(page)
    if wanted.write:
        wanted.write.parent.mkdir(parents=True, exist_ok=True)
        wanted.write.write_text(page, encoding="utf-8")


def report(seconds: float) -> str:
    rivals = {name: measure(openspiel(name), seconds) for name in RELATIVES}
    best = max(rival.rate for rival in rivals.values())
    lines = [HEAD.format(seconds=seconds, python=platform.python_version())]
    lines += [row(box, seats, seconds, best) for box in ludotheque.games() for seats in box.seats if seats > 1]
    lines += ["", "| OpenSpiel, driven from Python | moves/s | games/s |", "|---|--:|--:|"]
    lines += [
        f"| `{name}` | {rival.rate:,.0f} | {rival.games / rival.seconds:,.0f} |" for name, rival in rivals.items()
    ]
    return "\n".join(lines) + "\n"


def row(box: Box, seats: int, seconds: float, best: float) -> str:
    slow = measure(interpreted(box, seats), seconds)
    adapted = measure(openspiel(f"{register(box)}(seats={seats})"), seconds)
    fast = measure(compiled(box, seats), seconds)
    return (
        f"| {box.key} | {seats} | {slow.rate:,.0f} | {adapted.rate:,.0f} "
        f"| {fast.rate:,.0f} | {fast.games / fast.seconds:,.0f} "
        f"| {fast.rate / slow.rate:.0f} | {fast.rate / best:.1f} |"
    )


def measure(play: Callable[[int], tuple[int, int]], seconds: float) -> Speed:
    """Repeat a batch, given its number, until the time is up; the first, which warms up, does not count."""
    play(0)
    games = made = batch = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        batch += 1
        more, steps = play(batch)
        games, made = games + more, made + steps
    return Speed(games, made, time.perf_counter() - start)


def compiled(box: Box, seats: int) -> Callable[[int], tuple[int, int]]:
    run = machine(box.rules).build(random_games)
    start = box.match(seats, luck=None).state
    return lambda batch: (2000, run(start, 2000, batch + 1)[0])


def interpreted(box: Box, seats: int) -> Callable[[int], tuple[int, int]]:
    game, start, random = box.rules, box.match(seats, luck=None).state, Random(1)

    def play(_batch: int) -> tuple[int, int]:
        state, made = start, 0
        while acting := game.to_act(state):
            actor = random.choice([actor for actor in range(LUCK + 1) if acting >> actor & 1])
            found = moves(game, state, actor)
            if actor == LUCK:
                move = random.choices(found, [game.weight(state, move) for move in found])[0]
            else:
                move = found[int(random.random() * len(found))]
            state = game.play(state, actor, move)
            made += 1
        return 1, made

    return play


def openspiel(name: str) -> Callable[[int], tuple[int, int]]:
    game, random = pyspiel.load_game(name), Random(1)

    def play(_batch: int) -> tuple[int, int]:
        state, made = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, chances)[0])
            elif state.is_simultaneous_node():
                state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(game.num_players())])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(random.random() * len(actions))])
            made += 1
        return 1, made

    return play


if __name__ == "__main__":
    main()
