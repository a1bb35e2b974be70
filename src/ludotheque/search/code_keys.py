"""The key of a function's machine code: a hash of all that goes into it.

That is the function's own code, and what every global name in it stands for: numbers, tables and learned weights by
their values, compiled functions by their own keys, and so on through all that is reached. No list says which files
matter, so none can leave one out. A value of a kind that is not known here has no key, and neither has a function
that uses it.
"""

import hashlib
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, EllipsisType, FunctionType, ModuleType, NoneType
from typing import NamedTuple

from ludotheque.extras import extra

with extra("players"):
    import numpy as np

PLAIN = (
    NoneType,
    EllipsisType,
    slice,
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    np.generic,
    np.dtype,
)  # wholly told by `repr`
FOREIGN = sys.stdlib_module_names | {"llvmlite", "numba", "numpy"}  # what is in there changes with a version alone
KEY_DIGITS = 24  # hexadecimal
CODE_PARTS = (
    "co_argcount", "co_cellvars", "co_code", "co_exceptiontable", "co_flags", "co_freevars", "co_kwonlyargcount",
    "co_names", "co_posonlyargcount", "co_varnames",
)  # fmt: skip


class NoKeyError(Exception):
    """A value of a kind that is not known here."""


def key(function: FunctionType, names: Mapping[str, object], keys: Mapping[int, str | None]) -> str | None:
    """The key of a function whose globals are these, if it has one; `keys` are those of compiled functions, by id."""
    try:
        found = _Description(set(names_in(function.__code__)), keys).function(function, names)
    except NoKeyError:
        return None
    return _hashed(_tools(), found)[:KEY_DIGITS]


def names_in(code: CodeType) -> Iterator[str]:
    """The names that a function uses, inner functions included."""
    yield from code.co_names
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from names_in(const)


@cache
def _tools() -> str:
    """What makes machine code of it."""
    ours = Path(__file__).with_name("compiled.py").read_bytes()
    versions = [version(name) for name in ("numba", "llvmlite", "numpy")]
    return f"{hashlib.sha256(ours).hexdigest()} {versions} {sys.version}"


class _Description(NamedTuple):
    """What code and values are, in full, to a function that uses these names.

    There are no keys where Python runs while others are compiled; `begun` are the functions that are described there.
    """

    used: set[str]
    keys: Mapping[int, str | None] | None = None
    begun: frozenset[FunctionType] = frozenset()

    def function(self, function: FunctionType, names: Mapping[str, object]) -> str:
        """A function with these globals."""
        reached = sorted(self.used & names.keys() - {function.__name__})
        defaults = self.value(function.__defaults__)
        return _hashed(self.code(function.__code__), defaults, [(name, self.value(names[name])) for name in reached])

    def code(self, code: CodeType) -> str:
        consts = [self.code(const) if isinstance(const, CodeType) else self.value(const) for const in code.co_consts]
        return _hashed(*(getattr(code, part) for part in CODE_PARTS), consts)

    def value(self, value: object) -> str:
        if isinstance(value, PLAIN):
            return f"{type(value).__qualname__} {value!r}"
        if isinstance(value, np.ndarray) and not value.dtype.hasobject:
            return f"{value.dtype!r} {value.shape} {value.strides} {hashlib.sha256(value.tobytes()).hexdigest()}"
        if isinstance(value, tuple):
            return f"{self.kind(type(value))} {[self.value(part) for part in value]}"
        if isinstance(value, frozenset):
            return f"frozenset {sorted(self.value(part) for part in value)}"
        if isinstance(value, type):
            return self.kind(value)
        if isinstance(value, ModuleType):
            return self.module(value)
        if _is_foreign(value):
            return f"{value.__module__}.{getattr(value, '__name__', '')}"
        writer = value if self.keys is None else getattr(value, "_defn", None)  # numba's name, in an intrinsic
        if isinstance(writer, FunctionType):
            return self.interpreted(writer)
        found = self.keys.get(id(value)) if self.keys else None
        if found is None:
            raise NoKeyError(value)
        return found

    def interpreted(self, function: FunctionType) -> str:
        """A function that runs while others are compiled, with all that it calls."""
        if function in self.begun:
            return function.__qualname__
        inner = _Description(set(names_in(function.__code__)), None, self.begun | {function})
        return inner.function(function, function.__globals__)

    def kind(self, kind: type) -> str:
        """A class: a record by its fields, an enumeration by its members."""
        name = f"{kind.__module__}.{kind.__qualname__}"
        if issubclass(kind, tuple):
            defaults = getattr(kind, "_field_defaults", {})
            return (
                f"{name} {getattr(kind, '_fields', ())} {[(each, self.value(defaults[each])) for each in defaults]}"
            )
        if issubclass(kind, Enum):
            return f"{name} {list(kind)}"
        if issubclass(kind, BaseException) or _is_foreign(kind):
            return name
        raise NoKeyError(kind)

    def module(self, module: ModuleType) -> str:
        """A module: of ours, or of an author, what is used of it."""
        if _root(module.__name__) in FOREIGN:
            return module.__name__
        used = sorted(name for name in self.used if hasattr(module, name))
        return repr([(name, self.value(getattr(module, name))) for name in used])


def _hashed(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _is_foreign(value: object) -> bool:
    return hasattr(value, "__name__") and _root(getattr(value, "__module__", None) or "") in FOREIGN


def _root(module: str) -> str:
    return module.partition(".")[0]
