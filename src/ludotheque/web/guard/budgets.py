"""Token buckets, counted in this process alone, and what a connection, and an address with all of its connections,
may send in a time: bytes, messages, control frames. They are counted before anything is done with them.
"""

import time
from typing import NamedTuple
from weakref import WeakValueDictionary


class Rate(NamedTuple):
    """So much at once, and so much more in a second."""

    burst: float
    per_second: float


class TokenBucket:
    """How much of a rate is left."""

    __slots__ = ("left", "rate", "since")

    def __init__(self, rate: Rate) -> None:
        self.rate, self.left, self.since = rate, rate.burst, time.monotonic()

    def take(self, amount: float) -> bool:
        """Take so much, if there is so much."""
        self._refill()
        if amount > self.left:
            return False
        self.left -= amount
        return True

    def spend(self, amount: float) -> None:
        """Take so much, for what is done already; the debt is as large as the burst at most."""
        self._refill()
        self.left = max(self.left - amount, -self.rate.burst)

    @property
    def seconds_in_debt(self) -> float:
        """Until there is something left."""
        self._refill()
        return max(0.0, -self.left / self.rate.per_second)

    def _refill(self) -> None:
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.since) * self.rate.per_second)
        self.since = now


class FrameRates(NamedTuple):
    """What may be sent over WebSockets."""

    bytes: Rate
    messages: Rate
    control: Rate  # pings, pongs, and parts of messages


CONNECTION = FrameRates(Rate(64_000, 16_000), Rate(400, 20), Rate(40, 2))
ADDRESS = FrameRates(Rate(1_000_000, 200_000), Rate(6_000, 300), Rate(400, 100))
"""A page sends a few hundred bytes a move, and answers a ping every 20 seconds; an address may be a whole club."""


class FrameBudget:
    """What is left of a connection's rates, and of those of its address once that is known."""

    def __init__(self, rates: FrameRates = CONNECTION) -> None:
        self.bytes, self.messages, self.control = map(TokenBucket, rates)
        self.of_address: FrameBudget | None = None
        self.address = ""

    def join(self, address: str) -> None:
        """Count for this address, too."""
        self.address = address
        shared = _addresses.get(address)
        if shared is None:
            shared = _addresses[address] = FrameBudget(ADDRESS)
        self.of_address = shared

    def take_bytes(self, number: int) -> bool:
        return self.bytes.take(number) and (self.of_address is None or self.of_address.bytes.take(number))

    def take_message(self) -> bool:
        return self.messages.take(1) and (self.of_address is None or self.of_address.messages.take(1))

    def take_control(self) -> bool:
        return self.control.take(1) and (self.of_address is None or self.of_address.control.take(1))


_addresses: WeakValueDictionary[str, FrameBudget] = WeakValueDictionary()  # as long as a connection is there
