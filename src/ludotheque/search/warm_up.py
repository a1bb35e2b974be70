"""Warming up: compile all that the players of a game need before somebody waits for it."""

import inspect
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from ludotheque.match import Match
from ludotheque.search.players import PlayerMemory, think_for

SIMULATIONS = 20
MAX_MOVES = 120


def warm_up_all(keys: Sequence[str], workers: int | None = None) -> Iterator[tuple[str, float]]:
    """Compile what the players of these games need, on several cores; each key when it is done, with the seconds.

    The longest rules come first, so that no core is left alone with them in the end.
    """
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        for task in as_completed([pool.submit(warm_up, key) for key in sorted(keys, key=_rules_chars, reverse=True)]):
            yield task.result()


def _rules_chars(key: str) -> int:
    """The length of a game's rules in characters, which compile time grows with."""
    from ludotheque import game  # noqa: PLC0415 - the shelf is right of us

    rules = game(key).rules
    files = {inspect.getfile(function) for function in (rules.start, rules.spans, rules.play, rules.scores)}
    return sum(len(Path(file).read_text(encoding="utf-8")) for file in files)


def warm_up(key: str) -> tuple[str, float]:
    """Play a game once for each number of seats, which compiles all its players need; the key and the seconds."""
    from ludotheque import game  # noqa: PLC0415 - the shelf is right of us

    begin = time.perf_counter()
    for seats in game(key).seats:
        match, memories = game(key).match(seats, seed=1), [PlayerMemory() for _ in range(seats)]
        for _ in range(MAX_MOVES):
            if match.over or match.leg:
                break
            _one_move(match, memories)
    return key, time.perf_counter() - begin


def _one_move(match: Match, memories: Sequence[PlayerMemory]) -> None:
    for seat in match.to_act:
        assert isinstance(seat, int)
        text = think_for(match, seat, simulations=SIMULATIONS, memory=memories[seat]).move
        if text is not None:
            match.play(seat, text)
            return
