"""Machine-code twins of a game's rules: the same functions, compiled by numba.

`machine(game)` gives the twins; `machine(game).build(function)` compiles an algorithm that speaks of them as its
module's global `rules`, as in `search/playouts.py`; `built(function)` compiles one that speaks of no game, such as a
solver. What we know about playing a game well, `search/heuristics/`, an algorithm calls `sense`. Functions are
compiled when first called and kept on disk, in a folder named after a hash of every source they could depend on: a
change of any of them means a new folder. They run without Python's lock.
"""

import hashlib
import inspect
import os
import shutil
import sys
import time
import uuid
from collections.abc import Callable
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
from ludotheque.search import heuristics
from ludotheque.search.heuristics import Sense

P = ParamSpec("P")
R = TypeVar("R")

HOUSE = uuid.uuid4().hex[:12]  # with its number, no other process's name: forks have numbers of their own
MONTH = 30 * 24 * 3600  # seconds
LONG = 16  # tuples longer than this are looked up faster as arrays
# What is never compiled, so that its changes leave compiled code valid.
ROOMS = ("adapters", "cli", "pictures", "web", "words")
SEARCH = (
    "analysis.py",
    "arena.py",
    "parallel.py",
    "levels.py",
    "players.py",
    "warm_up.py",
    "opponent_model.py",
    "baselines.py",
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


class Workshop:
    """Functions and their compiled twins, kept in one folder."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.given: dict[str, object] = {}  # what these global names mean here, whatever they mean in a module
        self._twins: dict[tuple[object, bool], object] = {
            (function, entrance): made
            for function, made in ((bits.count, _count), (bits.lowest, _lowest))
            for entrance in (False, True)
        }

    def twin(self, function: FunctionType, *, entrance: bool = False) -> Callable[..., object]:
        """The function compiled, with all those it calls. Only an entrance can be called from Python.

        To hand over states, a function needs more machine code than most have of their own.
        """
        if (function, entrance) not in self._twins:
            names = dict(function.__globals__)
            for name in _names(function.__code__):
                value = names.get(name)
                if name in self.given:
                    names[name] = self.given[name]
                elif isinstance(value, FunctionType) and value is not function:
                    names[name] = self.twin(value)
                elif isinstance(value, tuple) and len(value) > LONG and isinstance(value[0], int):
                    names[name] = np.array(value, np.int64)
            copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            copy.__qualname__ = f"{function.__qualname__}.{'entrance' if entrance else 'inner'}"  # names its file
            copy.__module__ = function.__module__
            config.CACHE_DIR = str(self.place)  # type: ignore[attr-defined]  # numba reads it so
            # Nobody calls it as C would; numba's types do not know how to say so.
            made = numba.njit(  # type: ignore[call-overload]
                copy, cache=True, nogil=True, no_cfunc_wrapper=True, no_cpython_wrapper=not entrance
            )
            _keep_apart(made)
            self._twins[function, entrance] = names[function.__name__] = made
        return cast("Callable[..., object]", self._twins[function, entrance])


class Machine:
    """The compiled twins of one game, and the algorithms built on them."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self._workshop = Workshop(folder(game))
        twin, given = self._workshop.twin, self._workshop.given
        habits = [cast("FunctionType", part) for part in heuristics.sense(game)]
        given["rules"] = Rules._make(twin(getattr(game, name)) for name in Rules._fields)
        given["sense"] = Sense._make(twin(habit) for habit in habits)
        given["secrets"] = game.has_sealed
        self.rules = Rules._make(twin(getattr(game, name), entrance=True) for name in Rules._fields)
        self.sense = Sense._make(twin(habit, entrance=True) for habit in habits)

    def build(self, function: Callable[P, R]) -> Callable[P, R]:
        """An algorithm compiled for this game: its module's globals `rules` and `sense` mean this game's twins."""
        return cast("Callable[P, R]", self._workshop.twin(cast("FunctionType", function), entrance=True))


@cache
def machine(game: AnyGame) -> Machine:
    """The machine of a game, made once a process."""
    return Machine(game)


def built(function: Callable[P, R]) -> Callable[P, R]:
    """A function that speaks of no game, compiled with all those it calls."""
    return cast("Callable[P, R]", _common_workshop().twin(cast("FunctionType", function), entrance=True))


@cache
def _common_workshop() -> Workshop:
    return Workshop(folder(None))


@cache
def folder(game: AnyGame | None) -> Path:
    """Where compiled code is kept: this game's, or what belongs to no game."""
    home = os.environ.get("LUDOTHEQUE_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(home) / "ludotheque"
    here = root / fingerprint(game) / (game.stem if game else "common")
    here.mkdir(parents=True, exist_ok=True)
    _sweep(root)
    return here


def fingerprint(game: AnyGame | None) -> str:
    """A hash of all that compiled code depends on: our sources, the game's own, numba, Python."""
    digest = hashlib.sha256(f"{version('numba')} {version('llvmlite')} {sys.version}".encode())
    ours = Path(__file__).parent.parent
    theirs = Path(inspect.getfile(game.play)).parent.glob("*.py") if game else ()
    files = (*ours.rglob("*.py"), *ours.rglob("*.npy"))  # what has been learned is compiled, too
    used = (file for file in files if _compiled(file.relative_to(ours).parts, game))
    for source in sorted({*used, *theirs}):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _compiled(parts: tuple[str, ...], game: AnyGame | None) -> bool:
    """Whether a file of ours may be part of a game's compiled code: of the heuristics, only its own."""
    if parts[:2] == ("search", "heuristics"):
        return Path(parts[2]).stem in ("__init__", game.stem if game else "")
    return parts[0] not in ROOMS and parts not in {("search", name) for name in SEARCH}


def _sweep(root: Path) -> None:
    """Remove the code of sources that nobody has used for a month."""
    for old in root.iterdir():
        if time.time() - old.stat().st_mtime > MONTH:
            shutil.rmtree(old, ignore_errors=True)


def _keep_apart(dispatcher: object) -> None:
    """Let this process name the files it writes after itself.

    numba numbers them, so that two processes compiling at once could each write a file 1, and one would run the
    other's code. What the index loses in such a race is only compiled again.
    """
    files = dispatcher._cache._cache_file  # type: ignore[attr-defined]  # noqa: SLF001 - numba has no name for it
    plain = files._data_name_pattern.removesuffix(".{number:d}.nbc")  # noqa: SLF001
    files._data_name = lambda number: f"{plain}.{number}.{HOUSE}-{os.getpid()}.nbc"  # noqa: SLF001


def _names(code: CodeType) -> list[str]:
    """The global names a function speaks of, inner functions included."""
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
