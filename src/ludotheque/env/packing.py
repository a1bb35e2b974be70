"""States as rows of whole numbers, so that thousands of them lie in one array.

`flat` does it in Python. `pack` and `unpack` are for compiled code: numba knows the type of a state, so the
instructions to take it apart and to put it together are made from that, whatever the game.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from llvmlite.ir import Constant, IntType
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

Longs: TypeAlias = NDArray[np.int64]
Generated: TypeAlias = tuple[Any, Callable[..., object]]  # a signature of numba's, and what writes the instructions


def flat(state: object) -> list[int]:
    """The numbers of a state in order."""
    if isinstance(state, tuple):
        return [number for part in state for number in flat(part)]
    return [int(state)]  # type: ignore[call-overload, no-any-return]  # the contract: all else is whole numbers


def shaped(numbers: list[int], like: object) -> object:
    """The state of these numbers, of the type of another; the opposite of `flat`."""
    rest = iter(numbers)

    def build(part: object) -> object:
        if not isinstance(part, tuple):
            return next(rest)
        values = [build(each) for each in part]
        return type(part)(*values) if hasattr(part, "_fields") else tuple(values)

    return build(like)


def _unpack(_typing: object, row: Any, like: Any) -> Generated:
    def generate(context: Any, builder: Any, _signature: object, args: tuple[Any, ...]) -> object:
        array = context.make_array(row)(context, builder, args[0])

        def build(kind: Any, number: int) -> tuple[object, int]:
            if isinstance(kind, types.BaseTuple):
                parts = []
                for each in kind.types:
                    part, number = build(each, number)
                    parts.append(part)
                return context.make_tuple(builder, kind, parts), number
            value = builder.load(builder.gep(array.data, [Constant(IntType(64), number)]))
            return context.cast(builder, value, types.int64, kind), number + 1

        return build(like, 0)[0]

    _check(row, like)
    return like(row, like), generate


def _pack(_typing: object, state: Any, row: Any) -> Generated:
    def generate(context: Any, builder: Any, _signature: object, args: tuple[Any, ...]) -> object:
        array = context.make_array(row)(context, builder, args[1])

        def spread(kind: Any, value: Any, number: int) -> int:
            if isinstance(kind, types.BaseTuple):
                for index, each in enumerate(kind.types):
                    number = spread(each, builder.extract_value(value, index), number)
                return number
            place = builder.gep(array.data, [Constant(IntType(64), number)])
            builder.store(context.cast(builder, value, kind, types.int64), place)
            return number + 1

        return context.get_constant(types.int64, spread(state, args[0], 0))

    _check(row, state)
    return types.int64(state, row), generate


def _check(row: Any, state: Any) -> None:
    if not (isinstance(row, types.Array) and row.dtype == types.int64 and row.layout == "C" and row.ndim == 1):
        raise TypingError(f"a state lies in a row of 64-bit numbers, not in {row}")
    if not _whole(state):
        raise TypingError(f"a state consists of whole numbers, not of {state}")


def _whole(kind: Any) -> bool:
    if isinstance(kind, types.BaseTuple):
        return all(_whole(each) for each in kind.types)
    return isinstance(kind, types.Integer | types.Boolean)


unpack: Callable[[Longs, tuple[object, ...]], tuple[object, ...]] = intrinsic(_unpack)
"""unpack(row, like): the state in a row, of the type of another."""

pack: Callable[[tuple[object, ...], Longs], int] = intrinsic(_pack)
"""pack(state, row): write a state to the front of a row; how many numbers it has."""
