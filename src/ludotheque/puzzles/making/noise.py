"""Random numbers for making puzzles: from the puzzle's name, the same everywhere and always."""

import hashlib

from ludotheque.extras import extra
from ludotheque.search.playouts import Noise, scramble

with extra("players"):
    import numpy as np


def seeded(name: str) -> Noise:
    """The noise that a name begins with."""
    digest = hashlib.sha256(name.encode()).digest()
    return np.uint64(int.from_bytes(digest[:8], "big") | 1)


def drawn(number: int, noise: Noise) -> tuple[int, Noise]:
    """A number below this one, and the noise for the next."""
    noise = scramble(noise)
    return int(noise >> np.uint64(33)) % number, noise
