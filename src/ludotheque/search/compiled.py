"""Compiled twins of a game's rules: the same functions as machine code, by numba.

`machine(game)` has the twins. `machine(game).build(function)` compiles an algorithm for the game: the globals
`rules`, `evaluator` and `has_sealed` of its module are bound to the game's (see `playouts.py`, `mcts.py`).
`built(function)` compiles one that needs no game, such as a solver. Functions are compiled when first called and
cached on disk, in a folder named after a hash of every source they could depend on, so that cached code is never
stale; where no folder can be written they are compiled in every process anew. They release the GIL.
"""

import hashlib
import inspect
import os
import pickle
import shutil
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, ParamSpec, Protocol, TypeAlias, TypeVar, cast

import numba
import numpy as np
from llvmlite.ir import Constant, IntType
from numba.core import config, types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic

from ludotheque.board import bits
from ludotheque.game import AnyGame
from ludotheque.search import cache_folder, heuristics
from ludotheque.search.heuristics import Evaluator

P = ParamSpec("P")
R = TypeVar("R")

PROCESS_ID = uuid.uuid4().hex[:12]  # with the process number it is unique, in forks too
CACHE_KEPT_S = 30 * 24 * 3600
BROKEN_FILE = (OSError, EOFError, pickle.UnpicklingError)
MAX_TUPLE_LENGTH = 16  # longer tuples of numbers are compiled as arrays, which are faster to index
# Never compiled, so that changes of these leave compiled code valid.
NOT_COMPILED = ("adapters", "cli", "pictures", "web", "words")
SEARCH_NOT_COMPILED = (
    "alphabeta_player.py",
    "analysis.py",
    "arena.py",
    "cache_folder.py",
    "evaluation.py",
    "levels.py",
    "opponent_model.py",
    "parallel.py",
    "players.py",
    "sealed_player.py",
    "thought.py",
    "tree_player.py",
    "warm_up.py",
)


class Rules(NamedTuple):
    """The functions of the contract that search needs, compiled."""

    to_act: Callable[..., int]
    spans: Callable[..., tuple[tuple[int, int], ...]]
    legal: Callable[..., bool]
    play: Callable[..., tuple[object, ...]]
    weight: Callable[..., int]
    sealed: Callable[..., int]
    scores: Callable[..., tuple[int, ...]]
    winners: Callable[..., int]


class TwinCache:
    """Functions and their compiled twins, cached in one folder, or only by this process."""

    def __init__(self, place: Path | None) -> None:
        self.place = place
        self.bound: dict[str, object] = {}  # values of these global names, in whatever module they occur
        self._twins: dict[tuple[object, bool], object] = {
            (function, entrance): made
            for function, made in ((bits.count, _count), (bits.lowest, _lowest))
            for entrance in (False, True)
        }

    def twin(self, function: FunctionType, *, entrance: bool = False) -> Callable[..., object]:
        """The function compiled, with all those it calls. Only an entrance can be called from Python.

        The wrapper that unpacks states is more machine code than most functions, so only entrances get one.
        """
        if (function, entrance) not in self._twins:
            names = dict(function.__globals__)
            for name in _names(function.__code__):
                value = names.get(name)
                if name in self.bound:
                    names[name] = self.bound[name]
                elif isinstance(value, FunctionType) and value is not function:
                    names[name] = self.twin(value)
                elif isinstance(value, tuple) and len(value) > MAX_TUPLE_LENGTH and isinstance(value[0], int):
                    names[name] = np.array(value, np.int64)
            copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            copy.__qualname__ = (
                f"{function.__qualname__}.{'entrance' if entrance else 'inner'}"  # names its cache file
            )
            copy.__module__ = function.__module__
            config.CACHE_DIR = str(self.place or "")  # type: ignore[attr-defined]  # numba reads it so
            # numba's type stubs lack these options.
            made = numba.njit(  # type: ignore[call-overload]
                copy,
                cache=self.place is not None,
                nogil=True,
                no_cfunc_wrapper=True,
                no_cpython_wrapper=not entrance,
            )
            if self.place is not None:
                _name_files_by_process(made)
                _do_without_files(made)
            self._twins[function, entrance] = names[function.__name__] = made
        return cast("Callable[..., object]", self._twins[function, entrance])


class Machine:
    """The compiled twins of one game, and the algorithms compiled for it."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._twins = TwinCache(folder(game))
        twin, bound = self._twins.twin, self._twins.bound
        functions = [cast("FunctionType", part) for part in heuristics.evaluator(game)]
        bound["rules"] = Rules._make(twin(getattr(game, name)) for name in Rules._fields)
        bound["evaluator"] = Evaluator._make(twin(function) for function in functions)
        bound["has_sealed"] = game.has_sealed
        self.rules = Rules._make(twin(getattr(game, name), entrance=True) for name in Rules._fields)
        self.evaluator = Evaluator._make(twin(function, entrance=True) for function in functions)

    def build(self, function: Callable[P, R]) -> Callable[P, R]:
        """An algorithm compiled for this game, the globals `rules`, `evaluator` and `has_sealed` bound to it."""
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
    return TwinCache(folder(None))


@cache
def folder(game: AnyGame | None) -> Path | None:
    """The cache folder of a game's compiled code, or of code that needs no game; None if none can be written."""
    root = cache_folder.root()
    if root is None:
        return None
    here = root / fingerprint(game) / (game.stem if game else "common")
    if not cache_folder.is_writable(here):
        return None
    _remove_unused(root)
    return here


def fingerprint(game: AnyGame | None) -> str:
    """A hash of all that compiled code depends on: our sources, the game's own, learned weights, numba, Python."""
    digest = hashlib.sha256(f"{version('numba')} {version('llvmlite')} {sys.version}".encode())
    ours = Path(__file__).parent.parent
    theirs = Path(inspect.getfile(game.play)).parent.glob("*.py") if game else ()
    files = (*ours.rglob("*.py"), *ours.rglob("*.npy"))  # learned weights are compiled in
    used = (file for file in files if _compiled(file.relative_to(ours).parts, game))
    for source in sorted({*used, *theirs}):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _compiled(parts: tuple[str, ...], game: AnyGame | None) -> bool:
    """Whether a file of ours may be part of a game's compiled code; of the heuristics only its own are."""
    if parts[:2] == ("search", "heuristics"):
        return Path(parts[2]).stem in ("__init__", game.stem if game else "")
    return parts[0] not in NOT_COMPILED and parts not in {("search", name) for name in SEARCH_NOT_COMPILED}


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


def _names(code: CodeType) -> list[str]:
    """The global names that a function uses, inner functions included."""
    inner = [name for const in code.co_consts if isinstance(const, CodeType) for name in _names(const)]
    return [*code.co_names, *inner]


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
