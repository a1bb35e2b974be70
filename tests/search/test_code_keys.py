"""Machine code is never stale: whatever a function reaches is in its key, wherever it stands."""

import dis
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from numba.core import types
from numba.extending import intrinsic

import ludotheque
from ludotheque.puzzles.human import guess
from ludotheque.search import code_keys
from ludotheque.search.compiled import Machine, Rules, TwinCache
from ludotheque.search.heuristics import pizza
from ludotheque.search.playouts import random_games
from variants import duels

# A plug-in: the game calls a function of another package, which uses a constant of a third module.
PLUGIN = {
    "nim.py": (Path(__file__).parents[2] / "examples/nim/nim/__init__.py")
    .read_text(encoding="utf-8")
    .replace("from typing", "from sticks.taking import left_after\nfrom typing")
    .replace("State(state.left - move - 1, 1 - seat)", "State(left_after(state.left, move), 1 - seat)"),
    "sticks/__init__.py": "",
    "sticks/taking.py": "from sticks.sizes import FIRST\ndef left_after(left, move): return left - move - FIRST[1]\n",
    "sticks/sizes.py": "FIRST = (0, 1)\n",
}
PROGRAM = """
import nim, numba, sticks.taking
from ludotheque.search.compiled import built, machine
interpreted = nim.play(nim.start(2), 0, 1)
assert machine(nim.GAME).rules.play(nim.start(2), 0, 1) == interpreted
assert built(sticks.taking.left_after)(21, 1) == interpreted.left
print(interpreted.left)
"""


class Plugin:
    """A plug-in on disk, asked by a new process each time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in PLUGIN.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        (self.folder / name).write_text(text.replace(old, new), encoding="utf-8")

    def left(self) -> int:
        """How many matches are left after a move, as interpreted and as compiled rules agree."""
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-B", "-c", PROGRAM],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(self.folder), os.environ.get("PYTHONPATH", "")]),
                "LUDOTHEQUE_CACHE": str(self.folder / "cache"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    def kept(self) -> set[tuple[str, int]]:
        return {(file.name, file.stat().st_mtime_ns) for file in self.folder.rglob("*.nb?")}


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


def test_a_change_of_what_a_plugin_calls_is_seen_by_the_next_process(plugin: Plugin) -> None:
    """`taking.py` is another package's, and `sizes.py` has no function at all."""
    assert plugin.left() == 19
    kept = plugin.kept()
    assert kept
    assert plugin.left() == 19
    assert plugin.kept() == kept, "nothing is compiled twice"
    plugin.change("sticks/taking.py", "left - move", "left - 2 * move")
    assert plugin.left() == 18
    plugin.change("sticks/sizes.py", "(0, 1)", "(0, 3)")
    assert plugin.left() == 16


def reached(function: FunctionType, seen: set[FunctionType]) -> set[FunctionType]:
    """The functions that are called from here on, read from the instructions."""
    if function not in seen:
        seen.add(function)
        for name in loaded(function.__code__):
            value = function.__globals__.get(name)
            if isinstance(value, FunctionType):
                reached(value, seen)
    return seen


def loaded(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_GLOBAL":
            yield str(instruction.argval)
        elif isinstance(instruction.argval, CodeType):
            yield from loaded(instruction.argval)


def key_of(function: Callable[..., object], cache: TwinCache | None = None) -> str | None:
    cache = cache or TwinCache(None)
    return cache._keys[id(cache.twin(cast("FunctionType", function)))]


def edit(function: FunctionType, patch: pytest.MonkeyPatch) -> None:
    """Add a constant to its code, as any edit may."""
    code = function.__code__
    patch.setattr(function, "__code__", code.replace(co_consts=(*code.co_consts, "edited")))


KEYED = [
    *(pytest.param(cast("FunctionType", variant.box.rules.play), id=str(variant)) for variant in duels()),
    pytest.param(cast("FunctionType", guess.solve_with_guesses), id="a solver"),
]


@pytest.mark.parametrize("function", KEYED)
def test_no_function_that_is_reached_is_left_out(function: FunctionType, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(function)
    assert before
    assert key_of(function) == before
    for called in reached(function, set()):
        if called.__module__ == "ludotheque.board.bits":
            continue  # has a twin of our own
        with monkeypatch.context() as patch:
            edit(called, patch)
            assert key_of(function) != before, called.__qualname__
    assert key_of(function) == before


@pytest.mark.parametrize("name", Rules._fields)
def test_an_algorithm_depends_on_the_rules_that_it_is_bound_to(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludotheque.game("hundsgemein").rules

    def key() -> str | None:
        return key_of(random_games, Machine(game)._twins)

    before = key()
    edit(getattr(game, name), monkeypatch)
    assert before != key()


def test_learned_weights_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before, quiet = key_of(pizza.estimate), key_of(pizza.is_quiet)
    weights = pizza.LEARNED.copy()
    weights[-1, -1] += 1
    monkeypatch.setattr(pizza, "LEARNED", weights)
    assert key_of(pizza.estimate) != before
    assert key_of(pizza.is_quiet) == quiet, "what does not use them stays compiled"


def test_every_game_can_be_kept() -> None:
    """Whatever our games use has a key; a game that had none would be compiled by every process."""
    for variant in duels():
        twins = Machine(variant.box.rules)._twins
        assert None not in twins._keys.values(), variant


class Colour(IntEnum):
    RED = 1


class Pair(NamedTuple):
    one: int
    two: int = 2


VALUE: object = None


def uses_value() -> object:
    return VALUE


VALUES = (
    1, 2, 1.0, -0.0, 0.0, True, "1", b"1", None, (1, 2), (1, (2,)), Pair(1, 2), Pair, Colour.RED, Colour, np.int64(1),
    np.uint64(1), np.arange(3), np.arange(3.0), np.arange(6).reshape(2, 3), np.arange(6).reshape(3, 2),
    np.dtype([("move", np.int64)]), np.dtype([("move", np.int32)]), frozenset({1, 2}), np, np.sqrt, np.zeros, len,
    int, ValueError, tuple(range(100)), tuple(range(101)),
)  # fmt: skip


def test_values_have_keys_that_differ() -> None:
    def key(value: object) -> str | None:
        return code_keys.key(cast("FunctionType", uses_value), {"VALUE": value}, {})

    keys = [key(value) for value in VALUES]
    assert None not in keys
    assert len(set(keys)) == len(VALUES)
    assert [key(value) for value in VALUES] == keys


def test_a_module_is_told_by_what_is_used_of_it() -> None:
    """`settings.SIZE` is compiled in as a number."""
    settings = ModuleType("settings")
    names: dict[str, object] = {"settings": settings}
    exec("def size():\n    return settings.SIZE\n", names)  # noqa: S102
    function = cast("FunctionType", names["size"])
    found = []
    for size in (1, 2):
        settings.__dict__["SIZE"] = size
        found.append(code_keys.key(function, names, {}))
    assert None not in found
    assert found[0] != found[1]


STEP = 1


def instructions(number: int) -> int:
    """Python that runs while an intrinsic is compiled."""
    return number + STEP


def _raised(_context: object, number: Any) -> tuple[object, Callable[..., object]]:
    def generate(_context: object, builder: Any, _signature: object, args: tuple[Any, ...]) -> object:
        return builder.add(args[0], args[0].type(instructions(0)))

    return types.int64(number), generate


raised = cast("Callable[[int], int]", intrinsic(_raised))


def raises(number: int) -> int:
    return raised(number)


def test_what_writes_instructions_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key_of(raises)
    assert before
    monkeypatch.setattr(sys.modules[__name__], "STEP", 2)
    assert key_of(raises) not in (before, None)
    monkeypatch.undo()
    edit(cast("FunctionType", instructions), monkeypatch)
    assert key_of(raises) not in (before, None)


class Unknown:
    """Nothing that machine code could know."""


@pytest.mark.parametrize(
    "value",
    [Unknown(), Unknown, [1], {1: 2}, np.array([Unknown()]), (1, Unknown())],
    ids=lambda value: type(value).__name__,
)
def test_what_is_not_known_has_no_key_and_is_not_kept(value: object, tmp_path: Path) -> None:
    assert code_keys.key(cast("FunctionType", uses_value), {"VALUE": value}, {}) is None
    names: dict[str, object] = {"VALUE": value, "__name__": __name__}
    exec("def inner():\n    VALUE\n    return 1\ndef outer():\n    return inner()\n", names)  # noqa: S102
    cache = TwinCache(tmp_path)
    assert key_of(cast("FunctionType", names["outer"]), cache) is None
    assert not list(tmp_path.iterdir())
