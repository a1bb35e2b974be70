"""Texts by what they were made of: a cache that is bounded in bytes, for what every screen asks many times.

Looking up costs as much as in a dict; a cache that reorders its entries each time costs several times that. Instead
there are two halves. New texts go into the younger one, and so do those of the older that are asked for again. When
the younger one is full, it takes the place of the older: what nobody has asked for meanwhile is gone.
"""

from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Generic, ParamSpec

from ludotheque.web.table.sizes import deep_size

P = ParamSpec("P")
ENTRY_BYTES = 150  # of an entry in a dict that grows


class CachedText(Generic[P]):
    """A function that returns texts, of which it keeps at most so many bytes, with their arguments."""

    def __init__(self, function: Callable[P, str], max_bytes: int) -> None:
        update_wrapper(self, function)
        self._function, self._max_half = function, max_bytes // 2
        self._lock = Lock()
        self.cache_clear()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> str:
        assert not kwargs, "only positions are looked up"
        found = self._young.get(args)
        if found is None:
            found = self._old.get(args)
            self._keep(args, found := self._function(*args, **kwargs) if found is None else found)
        return found

    def cache_clear(self) -> None:
        self._young: dict[tuple[object, ...], str] = {}
        self._old: dict[tuple[object, ...], str] = {}
        self._young_bytes = 0

    def _keep(self, args: tuple[object, ...], text: str) -> None:
        size = ENTRY_BYTES + deep_size(args, text)
        if size > self._max_half:
            return
        with self._lock:
            if self._young_bytes + size > self._max_half:
                self._old, self._young, self._young_bytes = self._young, {}, 0
            self._young[args] = text
            self._young_bytes += size


def cached_text(max_bytes: int) -> Callable[[Callable[P, str]], CachedText[P]]:
    """Decorates a function of texts and numbers, whose arguments are given by position."""
    return lambda function: CachedText(function, max_bytes)
