"""The cache of a single process: Django's, by a clock that is never put back, so that nothing stays for hours."""

import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache


class MonotonicCache(LocMemCache):
    """What expires in ten seconds does so whatever happens to the clock on the wall."""

    _expire_info: dict[str, float | None]  # Django's: when each key expires, None for never

    def get_backend_timeout(self, timeout: Any = DEFAULT_TIMEOUT) -> float | None:
        """When by this clock, or None for never."""
        seconds: float | None = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return None if seconds is None else time.monotonic() + seconds

    def _has_expired(self, key: str) -> bool:
        expires = self._expire_info.get(key, -1)
        return expires is not None and expires <= time.monotonic()
