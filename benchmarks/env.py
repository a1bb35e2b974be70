"""Steps a second of batches for learners, beside PettingZoo, OpenSpiel and pgx, in one run.

    scripts/benchmark env [--seconds 2] [--rounds 3] [--games 4096] [--write docs/benchmarks/env.md]

The same loop everywhere: a random legal action, and after it the observation and the mask of legal actions of whoever
is to act next; a game that is over begins anew. Each library is driven as its users drive it: PettingZoo and
OpenSpiel one game at a time from Python (OpenSpiel also as its vector environment), pgx and ours in batches, pgx
compiled by JAX for the CPU with actions drawn in the same compiled function. All take turns, a few seconds each, in
several rounds, so that other work on the machine meets everybody; the best round of each counts. Steps a second of
processor time, over all threads, are told beside steps a second of the clock.

What is not installed is left out, and the page says so.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

import ludotheque
from ludotheque import Box
from ludotheque.env.aec import AecEnv
from ludotheque.env.batch import Batch

PGX_GAMES = ("connect_four", "hex", "othello")
PGX_UNROLL = 20  # steps between two looks at the clock: JAX does not wait for results
OPENSPIEL_COPIES = 32  # games of its vector environment
HEAD = """# Steps of environments a second

Written by `scripts/benchmark env`: {rounds} rounds of {seconds:g} seconds for each row, in turns, on a machine with
{cores} cores that was also doing other work, with Python {python}. The best round counts. A step is a random legal
action, and after it the observation and the mask of legal actions of the seat that is to act next.

Beside PettingZoo's and pgx's connect four: times as many steps in a second of the clock / of processor time.

| | games at once | steps/s | steps/s of processor time | × PettingZoo | × pgx |
|---|--:|--:|--:|--:|--:|"""

Loop = Callable[[], int]  # some steps; how many


class Row(NamedTuple):
    """What is measured: a name, games at once, and what makes the loop."""

    name: str
    games: int
    loop: Callable[[], Loop]


class Action(NamedTuple):
    """What OpenSpiel's vector environment takes."""

    action: int


class Speed(NamedTuple):
    """Steps a second of the clock, and of processor time."""

    rate: float
    computed: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2, help="for each row, in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=4096, help="in a batch")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    asked = parser.parse_args()
    page = report(asked.seconds, asked.rounds, asked.games)
    print(page)
    if asked.write:
        asked.write.parent.mkdir(parents=True, exist_ok=True)
        asked.write.write_text(page, encoding="utf-8")


def report(seconds: float, rounds: int, games: int) -> str:
    rows, left_out = [*ours(games)], []
    for package, found in (("pettingzoo", pettingzoo), ("pyspiel", openspiel), ("pgx", pgx)):
        try:
            rows += found(games)
        except ImportError as error:
            left_out.append(f"Left out: {package}, since {error.name} is not installed.")
    loops = {row: row.loop() for row in rows}
    speeds: dict[Row, list[Speed]] = {row: [] for row in rows}
    for _ in range(rounds):
        for row, loop in loops.items():
            speeds[row].append(measure(loop, seconds))
    best = {row: Speed(*(max(each) for each in zip(*speeds[row], strict=True))) for row in rows}
    by_name = {row.name: speed for row, speed in best.items()}
    rivals = [by_name.get(name) for name in ("PettingZoo, connect four", "pgx, connect_four")]
    head = HEAD.format(rounds=rounds, seconds=seconds, cores=os.cpu_count(), python=platform.python_version())
    return "\n".join([head, *(line(row, best[row], rivals) for row in rows), "", *left_out]).rstrip() + "\n"


def line(row: Row, speed: Speed, rivals: list[Speed | None]) -> str:
    times = " | ".join("–" if rival is None else ratios(speed, rival) for rival in rivals)
    return f"| {row.name} | {row.games:,} | {speed.rate:,.0f} | {speed.computed:,.0f} | {times} |"


def ratios(speed: Speed, rival: Speed) -> str:
    return f"{speed.rate / rival.rate:.3g} / {speed.computed / rival.computed:.3g}"


def measure(loop: Loop, seconds: float) -> Speed:
    """Repeat until the time is up; the first time, which warms up, does not count."""
    loop()
    steps, start, computed = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        steps += loop()
    return Speed(steps / (time.perf_counter() - start), steps / (time.process_time() - computed))


def ours(games: int) -> Iterator[Row]:
    for box in ludotheque.games():
        for seats in box.seats:
            if seats > 1:
                yield Row(f"{box.key}, {seats} seats", games, lambda box=box, seats=seats: batch(box, seats, games))  # type: ignore[misc]
    yield Row("hepta by PettingZoo's interface", 1, lambda: turns(AecEnv(ludotheque.game("hepta").rules)))


def batch(box: Box, seats: int, games: int) -> Loop:
    many = Batch(box.rules, games, seats, seed=1)

    def loop() -> int:
        many.step(many.sample())
        return games

    return loop


def turns(env: AecEnv) -> Loop:
    """An environment of PettingZoo, whose masks are in its observations: one game."""
    random = Random(1)
    env.reset(seed=1)

    def loop() -> int:
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            return 0
        assert observation is not None
        env.step(int(random.choice(np.flatnonzero(observation["action_mask"]))))
        return 1

    return loop


def pettingzoo(_games: int) -> list[Row]:
    from pettingzoo.classic import connect_four_v3, tictactoe_v3  # noqa: PLC0415 - may be left out

    return [
        Row("PettingZoo, connect four", 1, lambda: turns(connect_four_v3.env())),
        Row("PettingZoo, tic-tac-toe", 1, lambda: turns(tictactoe_v3.env())),
    ]


def openspiel(_games: int) -> list[Row]:
    if find_spec("pyspiel") is None:
        raise ImportError(name="open_spiel")
    return [
        Row("OpenSpiel, connect_four", 1, openspiel_single),
        Row("OpenSpiel, connect_four as a vector environment", OPENSPIEL_COPIES, openspiel_vector),
    ]


def openspiel_single() -> Loop:
    import pyspiel  # noqa: PLC0415 - may be left out

    game, random = pyspiel.load_game("connect_four"), Random(1)

    def loop() -> int:
        state, steps = game.new_initial_state(), 0
        actions = state.legal_actions()
        while actions:
            state.apply_action(random.choice(actions))
            player, steps = max(state.current_player(), 0), steps + 1
            state.observation_tensor(player)
            state.legal_actions_mask(player)
            actions = state.legal_actions()
        return steps

    return loop


def openspiel_vector() -> Loop:
    from open_spiel.python import rl_environment, vector_env  # noqa: PLC0415 - may be left out

    random = Random(1)
    copies = vector_env.SyncVectorEnv(
        [rl_environment.Environment("connect_four", include_full_state=False) for _ in range(OPENSPIEL_COPIES)]
    )
    steps = [copies.reset()]

    def loop() -> int:
        chosen = []
        for step in steps[0]:
            player = max(step.observations["current_player"], 0)
            chosen.append(Action(random.choice(step.observations["legal_actions"][player])))
        steps[0], *_ = copies.step(chosen, reset_if_done=True)
        return OPENSPIEL_COPIES

    return loop


def pgx(games: int) -> list[Row]:
    for package in ("jax", "pgx"):
        if find_spec(package) is None:
            raise ImportError(name=package)
    return [Row(f"pgx, {name}", games, lambda name=name: pgx_loop(name, games)) for name in PGX_GAMES]  # type: ignore[misc]


def pgx_loop(name: str, games: int) -> Loop:
    import jax  # type: ignore[import-not-found]  # noqa: PLC0415 - may be left out
    import pgx as rival  # noqa: PLC0415 - may be left out
    from pgx.experimental.wrappers import auto_reset  # noqa: PLC0415 - may be left out

    env = rival.make(name)
    advance = auto_reset(env.step, env.init)

    def one(state: rival.State, key: jax.Array) -> rival.State:
        drawing, stepping = jax.random.split(key)
        wish = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(drawing, wish, axis=-1)
        return jax.vmap(advance)(state, actions, jax.random.split(stepping, games))

    step, keys = jax.jit(one), [jax.random.PRNGKey(1)]
    state = [jax.jit(jax.vmap(env.init))(jax.random.split(keys[0], games))]

    def loop() -> int:
        for _ in range(PGX_UNROLL):
            keys[0], key = jax.random.split(keys[0])
            state[0] = step(state[0], key)
        jax.block_until_ready(state[0])
        return games * PGX_UNROLL

    return loop


if __name__ == "__main__":
    main()
