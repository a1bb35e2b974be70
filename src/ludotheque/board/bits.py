"""Sets of cells as whole numbers: bit n stands for cell n. Boards have at most 63 cells.

`count` and `lowest` have machine-code twins in `search/compiled.py`: numba knows neither of their int methods.
"""

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Bits: TypeAlias = int


def count(bits: Bits) -> int:
    """How many cells are in the set."""
    return bits.bit_count()


def lowest(bits: Bits) -> int:
    """The first cell of a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def cells(bits: Bits) -> Iterator[int]:
    """The cells of the set in order."""
    while bits:
        yield lowest(bits)
        bits &= bits - 1


def union(cells: Iterable[int]) -> Bits:
    """The set of these cells."""
    bits = 0
    for cell in cells:
        bits |= 1 << cell
    return bits
