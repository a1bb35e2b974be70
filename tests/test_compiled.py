"""Compiled and interpreted rules are the same, and the cache of compiled code is never stale."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FunctionType
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

import ludotheque
from ludotheque.board import bits
from ludotheque.game import LUCK, moves
from ludotheque.search import compiled
from ludotheque.search.compiled import Rules, machine
from ludotheque.search.playouts import random_games, random_move
from variants import Variant, duels, share

GAMES = 1000  # of each game, over all its variants

rules: Rules  # the game's, bound by `Machine.build`


def all_moves(state: tuple[object, ...], actor: int) -> NDArray[np.int64]:
    """The legal moves, compiled."""
    found = np.empty(8192, np.int64)
    number = 0
    for first, stop in rules.spans(state, actor):
        for move in range(first, stop):
            if rules.legal(state, actor, move):
                found[number] = move
                number += 1
    return found[:number]


@pytest.mark.parametrize("variant", duels(), ids=str)
def test_twins_play_the_same_games(variant: Variant) -> None:
    game, random = variant.box.rules, Random(str(variant))
    twins = machine(game).rules
    list_moves = machine(game).build(all_moves)
    for _ in range(share(variant, GAMES)):
        state = variant.start()
        while acting := game.to_act(state):
            assert twins.to_act(state) == acting
            assert twins.sealed(state) == game.sealed(state)
            actor = random.choice([actor for actor in range(LUCK + 1) if acting >> actor & 1])
            found = moves(game, state, actor)
            assert list_moves(state, actor).tolist() == found
            move = random.choice(found)
            if actor == LUCK:
                assert twins.weight(state, move) == game.weight(state, move)
            after = game.play(state, actor, move)
            assert twins.play(state, actor, move) == after
            assert twins.scores(after) == game.scores(after)
            state = after
        assert twins.to_act(state) == 0
        assert twins.winners(state) == game.winners(state)


def test_bits_and_their_twins() -> None:
    fast_count, fast_lowest = (cast("Callable[[int], int]", twin) for twin in (compiled._count, compiled._lowest))
    for value in (1, 2, 3, 0b1010, 1 << 48, (1 << 49) - 1, (1 << 62) - 1, 1 << 62):
        assert fast_count(value) == bits.count(value) == value.bit_count()
        assert fast_lowest(value) == bits.lowest(value)


def test_random_games_depend_on_the_seed_alone() -> None:
    game = ludotheque.game("hepta").rules
    run = machine(game).build(random_games)
    start = ludotheque.game("hepta").match().state
    assert run(start, 50, 3) == run(start, 50, 3)
    assert run(start, 50, 3) != run(start, 50, 4)


def tally(state: tuple[object, ...], actor: int, times: int) -> NDArray[np.int64]:
    """How often each move is picked."""
    found, picked, noise = np.empty(8192, np.int64), np.zeros(8192, np.int64), np.uint64(7)
    for _ in range(times):
        move, noise = random_move(state, actor, found, noise)
        picked[move] += 1
    return picked


@pytest.mark.parametrize("laid", [0, 8])
def test_every_legal_move_is_equally_likely(laid: int) -> None:
    """With much room, where random probes are legal, and with little, where the moves are listed."""
    match = ludotheque.game("hepta").match(legs=1)
    for _ in range(8 + laid):
        (seat,) = match.to_act
        match.play(seat, match.moves(seat)[0])
    (seat,) = match.to_act
    legal = moves(match.game, match.state, match.role(seat))
    found = machine(match.game).build(tally)(match.state, match.role(seat), 1000 * len(legal))
    assert found.nonzero()[0].tolist() == legal
    assert all(850 < found[move] < 1150 for move in legal)


def test_cached_code_is_used_by_the_next_process(tmp_path: Path) -> None:
    """The second process finds what the first compiled: it writes nothing new."""
    program = (
        "import ludotheque\n"
        "from ludotheque.search.compiled import machine\n"
        "game = ludotheque.game('hepta').rules\n"
        "print(machine(game).rules.to_act(game.start(2)))\n"
    )

    def run() -> set[tuple[str, int]]:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", program],
            env={"LUDOTHEQUE_CACHE": str(tmp_path), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "1\n"
        return {(file.name, file.stat().st_mtime_ns) for file in tmp_path.rglob("*.nb?")}

    first = run()
    assert first
    assert run() == first


def test_processes_never_write_the_same_file() -> None:
    """Every file of code bears the name of the process that wrote it."""
    game = ludotheque.game("hepta").rules
    machine(game).rules.to_act(game.start(2))
    files = machine(game).rules.to_act._cache._cache_file  # type: ignore[attr-defined]
    assert files._data_name(1).endswith(f".1.{compiled.PROCESS_ID}-{os.getpid()}.nbc")
    assert "{" not in files._data_name(1)


def test_importing_the_library_loads_no_numba_and_is_quick() -> None:
    program = (
        "import sys, time\n"
        "start = time.perf_counter()\n"
        "import ludotheque\n"
        "ludotheque.games()\n"
        "print(time.perf_counter() - start, 'numba' in sys.modules, 'numpy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    _, numba, numpy = done.stdout.split()
    assert (numba, numpy) == ("False", "False")


def test_files_that_cannot_be_read_or_written_are_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_asked: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.load", full)
    assert compiled.TwinCache(tmp_path).twin(cast("FunctionType", _twice), entrance=True)(21) == 42


def test_without_a_folder_it_is_compiled_in_memory() -> None:
    assert compiled.TwinCache(None).twin(cast("FunctionType", _twice), entrance=True)(21) == 42


def _twice(number: int) -> int:
    return 2 * number
