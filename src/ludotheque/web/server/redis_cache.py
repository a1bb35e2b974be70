"""The cache that processes share, in Redis. While Redis is away it is empty, and everything else goes on."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

from ludotheque.game import Json

log = logging.getLogger("ludotheque.web.server.redis_cache")


class Plain:
    """Values as JSON: whoever writes into Redis can make us read nothing worse."""

    def dumps(self, value: Json) -> str | int:
        return value if type(value) is int else json.dumps(value)

    def loads(self, data: bytes | int) -> Json:
        found: Json = data if isinstance(data, int) else json.loads(data)
        return found


EMPTY: Mapping[str, Callable[..., object]] = {
    "add": lambda _key, _value, _timeout: True,
    "get": lambda _key, default: default,
    "set": lambda _key, _value, _timeout: None,
    "touch": lambda _key, _timeout: False,
    "delete": lambda _key: False,
    "get_many": lambda _keys: {},
    "has_key": lambda _key: False,
    "incr": lambda _key, delta: delta,
    "set_many": lambda _data, _timeout: None,
    "delete_many": lambda _keys: None,
    "clear": lambda: False,
}
"""What an empty memory answers."""


class Forgiving(RedisCacheClient):
    """What Redis answers; while it is away, what an empty memory would."""


def _forgiving(name: str) -> Callable[..., Any]:
    asked = getattr(RedisCacheClient, name)

    def method(self: Forgiving, *args: object) -> object:
        try:
            return asked(self, *args)
        except RedisError as error:
            log.warning("Redis is away", extra={"facts": {"error": type(error).__name__}})
            return EMPTY[name](*args)

    return method


for _name in EMPTY:
    setattr(Forgiving, _name, _forgiving(_name))


class Shared(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Forgiving
