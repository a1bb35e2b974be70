"""Getting the players ready: compiling all they need beforehand, over several cores."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from ludotheque.match import Match
from ludotheque.search.players import Mind, think_for

SIMULATIONS = 20
MOST_MOVES = 120


def prepare(keys: Sequence[str], workers: int | None = None) -> Iterator[tuple[str, float]]:
    """Compile what the players of these games need; each game as it gets ready, with the seconds it took."""
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        for task in as_completed([pool.submit(ready, key) for key in keys]):
            yield task.result()


def ready(key: str) -> tuple[str, float]:
    """Let the players of a game play it once for each number of seats: all they need gets compiled on the way."""
    from ludotheque import game  # noqa: PLC0415 - the shelf is right of us

    begin = time.perf_counter()
    for seats in game(key).seats:
        match, minds = game(key).match(seats, seed=1), [Mind() for _ in range(seats)]
        for _ in range(MOST_MOVES):
            if match.over or match.leg:
                break
            _one_move(match, minds)
    return key, time.perf_counter() - begin


def _one_move(match: Match, minds: Sequence[Mind]) -> None:
    for seat in match.to_act:
        assert isinstance(seat, int)
        text = think_for(match, seat, simulations=SIMULATIONS, mind=minds[seat]).move
        if text is not None:
            match.play(seat, text)
            return
