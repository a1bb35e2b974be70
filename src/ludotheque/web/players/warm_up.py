"""Compiling ahead of time: which levels there are, and what their players need, one game after the other.

Compiling takes up to a minute a game, once; the machine code is kept on disk. It runs in a process of the lowest
priority, so that nobody at a table notices.
"""

import logging
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from django.conf import settings
from django.core.cache import cache as shared_cache

import ludotheque
from ludotheque.shelf import Box
from ludotheque.web.jobs import pool
from ludotheque.web.models.table import LEVELS
from ludotheque.web.players.questions import compile_game

log = logging.getLogger("ludotheque.web.players")

COLD = "asleep"  # the cache key of the games that are not compiled yet
REMEMBERED_S = 24 * 3600


def levels(box: Box) -> tuple[str, ...]:
    """The levels at which computer players play a game; none for one seat, or where nobody thinks."""
    return LEVELS if settings.THINKER and max(box.seats) > 1 else ()


def is_cold(game: str) -> bool:
    """Whether this game's computer players have yet to be compiled."""
    return game in shared_cache.get(COLD, ())


def mark_warm(game: str) -> None:
    """Remember that this game's computer players are compiled."""
    if is_cold(game):
        shared_cache.set(COLD, [other for other in shared_cache.get(COLD, ()) if other != game], REMEMBERED_S)


def warm_all() -> None:
    """Compile what computer players need, in the background."""
    games = [box.key for box in ludotheque.games() if levels(box)]
    shared_cache.set(COLD, games, REMEMBERED_S)
    for key in games:
        since = time.monotonic()
        try:
            _compiler().submit(compile_game, key).result()
        except Exception:
            if pool.closing.is_set():
                return
            _compiler.cache_clear()
            log.exception("could not compile", extra={"facts": {"game": key}})
        else:
            log.info("compiled", extra={"facts": {"game": key, "seconds": round(time.monotonic() - since, 1)}})
        mark_warm(key)
    _compiler().shutdown()


@cache
def _compiler() -> ProcessPoolExecutor:
    return pool.processes(1, pool.NICE_LOWEST)
