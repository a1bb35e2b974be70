"""Verifiable luck: a commit-and-reveal scheme.

A secret seed decides every draw; its SHA-256, the commitment, is published before the first. Draw number n is taken
from HMAC-SHA256(seed, [table, entropy, n, attempt]), so it cannot be influenced afterwards; the entropy that the
seats add keeps whoever chose the seed from picking a favourable one. Once the seed is revealed, anyone can
recompute all draws. Who sits where can be drawn from the same seed. Here, to draw always means to let luck decide.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

DIGEST_VALUES = 1 << 256  # of HMAC-SHA256


def fresh_seed() -> str:
    """A random seed of 256 bits."""
    return secrets.token_hex(32)


@dataclass(frozen=True)
class Luck:
    """The draws of one match."""

    seed: str = field(default_factory=fresh_seed, repr=False)
    """What decides all draws: secret until the match is over."""

    table: str = ""  #: what else goes into every draw, so that two tables with one seed differ
    entropy: tuple[str, ...] = ()  #: what the seats have added

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, published at the start; it decides nothing."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def lots(self) -> tuple[int, ...]:
        """Lots for the seats, if they are wanted: for each seat, the place at which the one who gets it sat before.

        The entropy is in the order of these places.
        """
        lots, left = Luck(self.seed, f"lots of {self.table}", self.entropy), list(range(len(self.entropy)))
        return tuple(left.pop(lots.draw(number, [1] * len(left))) for number in range(len(left)))

    def draw(self, number: int, weights: Sequence[int]) -> int:
        """The index of the outcome that the draw of this number gives: by weight, without modulo bias."""
        total = sum(weights)
        limit = DIGEST_VALUES - DIGEST_VALUES % total
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
