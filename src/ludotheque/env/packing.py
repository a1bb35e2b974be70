"""States as rows of whole numbers, so that thousands of them lie in one array.

`flat` does it in Python. `pack` and `unpack` are for compiled code: numba knows the type of a state, so the
instructions to take it apart and to put it together are made from that, whatever the game.
"""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, cast

import numpy as np
from llvmlite.ir import Constant, IntType
from numba.core import types
from numba.core.errors import TypingError
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numpy.typing import NDArray

Longs: TypeAlias = NDArray[np.int64]


class TupleKind(Protocol):
    """numba's type of a tuple."""

    types: tuple[object, ...]


class Array(Protocol):
    """An array while instructions are written: where its data are."""

    data: object


class Context(Protocol):
    """What numba offers to those who write instructions."""

    def make_array(self, kind: object) -> "Callable[[Context, Builder, object], Array]": ...
    def make_tuple(self, builder: "Builder", kind: object, parts: Sequence[object]) -> object: ...
    def cast(self, builder: "Builder", value: object, before: object, after: object) -> object: ...
    def get_constant(self, kind: object, value: int) -> object: ...


class Builder(Protocol):
    """Instructions of LLVM."""

    def gep(self, pointer: object, indexes: Sequence[object]) -> object: ...
    def load(self, pointer: object) -> object: ...
    def store(self, value: object, pointer: object) -> object: ...
    def extract_value(self, value: object, index: int) -> object: ...


Generated: TypeAlias = tuple[Signature, Callable[[Context, Builder, object, tuple[object, ...]], object]]


def flat(state: object) -> list[int]:
    """The numbers of a state in order."""
    if isinstance(state, tuple):
        return [number for part in state for number in flat(part)]
    return [int(state)]  # type: ignore[call-overload]  # the contract: all else is whole numbers


def shaped(numbers: list[int], like: object) -> object:
    """The state of these numbers, of the type of another; the opposite of `flat`."""
    rest = iter(numbers)

    def build(part: object) -> object:
        if not isinstance(part, tuple):
            return next(rest)
        values = (build(each) for each in part)
        return part._make(values) if hasattr(part, "_make") else tuple(values)  # a NamedTuple, or a plain one

    return build(like)


def _unpack(_typing: object, row: object, like: object) -> Generated:
    def generate(context: Context, builder: Builder, _signature: object, args: tuple[object, ...]) -> object:
        array = context.make_array(row)(context, builder, args[0])

        def build(kind: object, number: int) -> tuple[object, int]:
            if _parts(kind) is None:
                return context.cast(
                    builder, builder.load(_place(builder, array, number)), types.int64, kind
                ), number + 1
            values = []
            for each in _parts(kind) or ():
                value, number = build(each, number)
                values.append(value)
            return context.make_tuple(builder, kind, values), number

        return build(like, 0)[0]

    _check(row, like)
    return Signature(like, (row, like), None), generate  # type: ignore[no-untyped-call]  # numba has few types


def _pack(_typing: object, state: object, row: object) -> Generated:
    def generate(context: Context, builder: Builder, _signature: object, args: tuple[object, ...]) -> object:
        array = context.make_array(row)(context, builder, args[1])

        def spread(kind: object, value: object, number: int) -> int:
            if _parts(kind) is None:
                builder.store(context.cast(builder, value, kind, types.int64), _place(builder, array, number))
                return number + 1
            for index, each in enumerate(_parts(kind) or ()):
                number = spread(each, builder.extract_value(value, index), number)
            return number

        return context.get_constant(types.int64, spread(state, args[0], 0))

    _check(row, state)
    return Signature(types.int64, (state, row), None), generate  # type: ignore[no-untyped-call]  # as above


def _place(builder: Builder, array: Array, number: int) -> object:
    return builder.gep(array.data, [Constant(IntType(64), number)])


def _parts(kind: object) -> tuple[object, ...] | None:
    """The types of a tuple's parts; None for what is no tuple."""
    return tuple(cast("TupleKind", kind).types) if isinstance(kind, types.BaseTuple) else None


def _check(row: object, state: object) -> None:
    if row != types.Array(types.int64, 1, "C"):
        raise TypingError(f"a state lies in a row of 64-bit numbers, not in {row}")
    if not _whole(state):
        raise TypingError(f"a state consists of whole numbers, not of {state}")


def _whole(kind: object) -> bool:
    parts = _parts(kind)
    return isinstance(kind, types.Integer | types.Boolean) if parts is None else all(_whole(each) for each in parts)


unpack = cast("Callable[[Longs, tuple[object, ...]], tuple[object, ...]]", intrinsic(_unpack))
"""unpack(row, like): the state in a row, of the type of another."""

pack = cast("Callable[[tuple[object, ...], Longs], int]", intrinsic(_pack))
"""pack(state, row): write a state to the front of a row; how many numbers it has."""
