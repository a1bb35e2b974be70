"""Compiled twins of a game's rules: the same functions as machine code, by numba.

`machine(game)` has the twins. `machine(game).build(function)` compiles an algorithm for the game: the globals
`rules`, `evaluator`, `has_sealed` and `seen_by` (the view) of its module are bound to the game's (see `playouts.py`,
`mcts.py`).
`built(function)` compiles one that needs no game, such as a solver. Functions are compiled when first called and
cached on disk, each in a folder named after a hash of all that goes into it (`code_keys.py`), so that cached code is
never stale; where no folder can be written they are compiled in every process anew. They release the GIL.
"""

import os
import pickle
import shutil
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from ludotheque.board import bits
from ludotheque.extras import extra
from ludotheque.game import AnyGame
from ludotheque.search import cache_folder, code_keys, heuristics
from ludotheque.search.heuristics import Evaluator

with extra("players"):
    import numba
    import numpy as np
    from llvmlite.ir import Constant, IntType
    from numba.core import config, types
    from numba.core.typing.templates import Signature
    from numba.extending import intrinsic

P = ParamSpec("P")
R = TypeVar("R")

PROCESS_ID = uuid.uuid4().hex[:12]  # with the process number it is unique, in forks too
CACHE_KEPT_S = 30 * 24 * 3600
BROKEN_FILE = (OSError, EOFError, pickle.UnpicklingError)
MAX_TUPLE_LENGTH = 16  # longer tuples of numbers are compiled as arrays, which are faster to index


njit = cast("Callable[..., object]", numba.njit)  # numba's type stubs lack options that are used here


class Rules(NamedTuple):
    """The functions of the contract that search and learners need, compiled."""

    to_act: Callable[..., int]
    spans: Callable[..., tuple[tuple[int, int], ...]]
    legal: Callable[..., bool]
    play: Callable[..., tuple[object, ...]]
    weight: Callable[..., int]
    may_wait: Callable[..., int]
    sealed: Callable[..., int]
    scores: Callable[..., tuple[int, ...]]
    winners: Callable[..., int]


class TwinCache:
    """Functions and their compiled twins, cached in folders below one, or only by this process."""

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self.bound: dict[str, object] = {}  # values of these global names, in whatever module they occur
        self._twins: dict[tuple[object, bool], object] = {
            (function, entrance): made
            for function, made in ((bits.count, _count), (bits.lowest, _lowest))
            for entrance in (False, True)
        }
        self._keys: dict[int, str | None] = {id(_count): "count", id(_lowest): "lowest"}

    def twin(self, function: FunctionType, *, entrance: bool = False) -> Callable[..., object]:
        """The function compiled, with all those it calls. Only an entrance can be called from Python.

        The wrapper that unpacks states is more machine code than most functions, so only entrances get one.
        """
        if (function, entrance) not in self._twins:
            names = self._names(function)
            key = code_keys.key(function, names, self._keys)
            copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            copy.__qualname__ = (
                f"{function.__qualname__}.{'entrance' if entrance else 'inner'}"  # names its cache file
            )
            copy.__module__ = function.__module__
            made = _compiled(copy, self.root / key if self.root and key else None, entrance=entrance)
            self._twins[function, entrance] = names[function.__name__] = made
            self._keys[id(made)] = key
        return cast("Callable[..., object]", self._twins[function, entrance])

    def _names(self, function: FunctionType) -> dict[str, object]:
        """The function's globals, those that it uses made ready to be compiled."""
        names = dict(function.__globals__)
        for name in code_keys.names_in(function.__code__):
            value = names.get(name)
            if name in self.bound:
                names[name] = self.bound[name]
            elif isinstance(value, FunctionType) and value is not function:
                names[name] = self.twin(value)
            elif isinstance(value, tuple) and len(value) > MAX_TUPLE_LENGTH and isinstance(value[0], int):
                names[name] = np.array(value, np.int64)
        return names


def _compiled(function: FunctionType, place: Path | None, *, entrance: bool) -> object:
    """The function made ready to be compiled, its machine code kept in this folder."""
    options = {"nogil": True, "no_cfunc_wrapper": True, "no_cpython_wrapper": not entrance}
    if place is None:
        return njit(function, **options)
    config.CACHE_DIR = str(place)  # type: ignore[attr-defined]  # numba reads it so
    try:
        made = njit(function, cache=True, **options)
    except RuntimeError:  # numba's word for a folder that cannot be written, and for code without a file
        return njit(function, **options)
    with suppress(OSError):
        os.utime(place)  # it is in use
    _name_files_by_process(made)
    _do_without_files(made)
    return made


class Machine:
    """The compiled twins of one game, and the algorithms compiled for it."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._twins = TwinCache(_root())
        twin, bound = self._twins.twin, self._twins.bound
        functions = [cast("FunctionType", part) for part in heuristics.evaluator(game)]
        bound["rules"] = Rules._make(twin(getattr(game, name)) for name in Rules._fields)
        bound["evaluator"] = Evaluator._make(twin(function) for function in functions)
        bound["has_sealed"] = game.has_sealed
        bound["seen_by"] = twin(cast("FunctionType", game.view))  # numba takes any attribute `view` for numpy's
        self.rules = Rules._make(twin(getattr(game, name), entrance=True) for name in Rules._fields)
        self.evaluator = Evaluator._make(twin(function, entrance=True) for function in functions)

    def build(self, function: Callable[P, R]) -> Callable[P, R]:
        """An algorithm compiled for this game, its globals `rules` and so on bound to it."""
        return cast("Callable[P, R]", self._twins.twin(cast("FunctionType", function), entrance=True))


@cache
def machine(game: AnyGame) -> Machine:
    """The machine of a game, made once for each process."""
    return Machine(game)


def built(function: Callable[P, R]) -> Callable[P, R]:
    """A function that needs no game, compiled with all those it calls."""
    return cast("Callable[P, R]", _common_twins().twin(cast("FunctionType", function), entrance=True))


@cache
def _common_twins() -> TwinCache:
    return TwinCache(_root())


@cache
def _root() -> Path | None:
    """The folder of all compiled code; None if none can be written."""
    root = cache_folder.root()
    if root is not None:
        _remove_unused(root)
    return root


def _remove_unused(root: Path) -> None:
    """Remove cache folders that were not used for a month."""
    for old in root.iterdir():
        if time.time() - old.stat().st_mtime > CACHE_KEPT_S:
            shutil.rmtree(old, ignore_errors=True)


def _name_files_by_process(dispatcher: object) -> None:
    """Put the process into the names of cache files.

    numba only numbers them, so that two processes compiling at once could each write a file 1, and one would run the
    other's code. What the index loses in such a race is only compiled again.
    """
    files = dispatcher._cache._cache_file  # type: ignore[attr-defined]  # noqa: SLF001 - numba has no name for it
    plain = files._data_name_pattern.removesuffix(".{number:d}.nbc")  # noqa: SLF001
    files._data_name = lambda number: f"{plain}.{number}.{PROCESS_ID}-{os.getpid()}.nbc"  # noqa: SLF001


def _do_without_files(dispatcher: object) -> None:
    """Compile what cannot be read, and use what cannot be kept: a full disk stops no computer player."""
    cache = dispatcher._cache  # type: ignore[attr-defined]  # noqa: SLF001 - numba has no name for it
    load, save = cache.load_overload, cache.save_overload

    def load_if_possible(*wanted: object) -> object:
        try:
            return load(*wanted)
        except BROKEN_FILE:
            return None

    def save_if_possible(*made: object) -> None:
        with suppress(OSError):
            save(*made)

    cache.load_overload, cache.save_overload = load_if_possible, save_if_possible


Generated: TypeAlias = tuple[Signature, Callable[[object, "Builder", object, tuple[object, ...]], object]]


class Builder(Protocol):
    """The two instructions of LLVM that numba does not offer by name."""

    def ctpop(self, value: object) -> object: ...
    def cttz(self, value: object, zero_is_undefined: object) -> object: ...


def _population(_context: object, _value: int) -> Generated:
    def generate(_context: object, builder: Builder, _signature: object, args: tuple[object, ...]) -> object:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


def _zeros(_context: object, _value: int) -> Generated:
    def generate(_context: object, builder: Builder, _signature: object, args: tuple[object, ...]) -> object:
        return builder.cttz(args[0], Constant(IntType(1), 0))

    return types.int64(types.int64), generate


_ctpop = cast("Callable[[np.int64], int]", intrinsic(_population))
_cttz = cast("Callable[[np.int64], int]", intrinsic(_zeros))


@numba.njit
def _count(value: int) -> int:
    return _ctpop(np.int64(value))


@numba.njit
def _lowest(value: int) -> int:
    return _cttz(np.int64(value))
