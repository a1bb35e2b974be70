"""Getting the players ready: compiling all they need beforehand, over several cores."""

import inspect
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from ludotheque.match import Match
from ludotheque.search.players import PlayerMemory, think_for

SIMULATIONS = 20
MOST_MOVES = 120


def prepare(keys: Sequence[str], workers: int | None = None) -> Iterator[tuple[str, float]]:
    """Compile what the players of these games need; each game as it gets ready, with the seconds it took.

    The longest rules come first, so that no core is left alone with them in the end.
    """
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        for task in as_completed([pool.submit(ready, key) for key in sorted(keys, key=_length, reverse=True)]):
            yield task.result()


def _length(key: str) -> int:
    """Of a game's rules, in characters: about as long they take to compile."""
    from ludotheque import game  # noqa: PLC0415 - the shelf is right of us

    return len(Path(inspect.getfile(game(key).rules.play)).read_text(encoding="utf-8"))


def ready(key: str) -> tuple[str, float]:
    """Let the players of a game play it once for each number of seats: all they need gets compiled on the way."""
    from ludotheque import game  # noqa: PLC0415 - the shelf is right of us

    begin = time.perf_counter()
    for seats in game(key).seats:
        match, memories = game(key).match(seats, seed=1), [PlayerMemory() for _ in range(seats)]
        for _ in range(MOST_MOVES):
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
