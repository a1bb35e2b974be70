"""Luck you can check.

A secret seed decides every draw; its SHA-256 is published before the first. Draw number n is taken from
HMAC-SHA256(seed, [table, entropy, n, attempt]), so nobody can steer it afterwards, and the entropy the seats add
keeps whoever chose the seed from having chosen a lucky one. When the seed is revealed, anyone can repeat it all.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

SPAN = 1 << 256  # how many values a digest has


def fresh_seed() -> str:
    """A seed nobody can guess."""
    return secrets.token_hex(32)


@dataclass(frozen=True)
class Luck:
    """The draws of one match."""

    seed: str = field(default_factory=fresh_seed, repr=False)
    table: str = ""
    entropy: tuple[str, ...] = ()

    @property
    def commitment(self) -> str:
        """What is published at the start; it decides nothing, it only binds."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    def draw(self, number: int, weights: Sequence[int]) -> int:
        """Which of the weighted outcomes the draw of this number gives, without modulo bias."""
        total = sum(weights)
        limit = SPAN - SPAN % total
        attempt = 0
        while (value := self._value(number, attempt)) >= limit:
            attempt += 1
        value %= total
        for outcome, weight in enumerate(weights):
            value -= weight
            if value < 0:
                return outcome
        raise ValueError("the weights of a draw must be positive")

    def _value(self, number: int, attempt: int) -> int:
        message = json.dumps([self.table, list(self.entropy), number, attempt])
        return int.from_bytes(hmac.digest(self.seed.encode(), message.encode(), "sha256"))
