"""The cache that processes share, in Redis. While Redis is down it behaves like an empty cache."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient

from ludotheque.extras import extra
from ludotheque.game import Json

with extra("scale"):
    from redis.exceptions import RedisError

log = logging.getLogger("ludotheque.web.server.redis_cache")


class JsonSerializer:
    """Values as JSON instead of pickle: reading what somebody else wrote into Redis runs no code."""

    def dumps(self, value: Json) -> str | int:
        return value if type(value) is int else json.dumps(value)

    def loads(self, data: bytes | int) -> Json:
        found: Json = data if isinstance(data, int) else json.loads(data)
        return found


EMPTY_ANSWERS: Mapping[str, Callable[..., object]] = {
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
"""What an empty cache answers."""


class FaultTolerantClient(RedisCacheClient):
    """What Redis answers; while it is down, what an empty cache would."""


def _fault_tolerant(name: str) -> Callable[..., Any]:
    asked = getattr(RedisCacheClient, name)

    def method(self: FaultTolerantClient, *args: object) -> object:
        try:
            return asked(self, *args)
        except RedisError as error:
            log.warning("Redis is down", extra={"facts": {"error": type(error).__name__}})
            return EMPTY_ANSWERS[name](*args)

    return method


for _name in EMPTY_ANSWERS:
    setattr(FaultTolerantClient, _name, _fault_tolerant(_name))


class FaultTolerantRedisCache(RedisCache):
    """Django's Redis cache, with that client."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = FaultTolerantClient
