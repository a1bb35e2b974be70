"""Alpha-beta gives the values that brute force gives, and says when they are certain."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import ludotheque
from ludotheque.game import AnyGame, moves
from ludotheque.search.players import Series, think
from search.brute_force import value

Position = tuple[object, ...]


def late(key: str, empty: int, seed: int) -> tuple[AnyGame, Position] | None:
    """A position of a random game with few empty cells."""
    game = ludotheque.game(key).rules
    state, random = game.start(2), Random(seed)
    while acting := game.to_act(state):
        seat = acting.bit_length() - 1
        found = moves(game, state, seat)
        taken = state.blockers | state.eyes | state.ells if key == "hepta" else state.mushrooms | state.tetrods
        if 49 - taken.bit_count() <= empty and len(found) > 1 and (key == "tfortwo" or state.eyes_seat >= 0):
            return game, state
        state = game.play(state, seat, random.choice(found))
    return None


@pytest.mark.parametrize(("key", "empty"), [("hepta", 20), ("tfortwo", 17)])
def test_endgames_are_solved_as_brute_force_solves_them(key: str, empty: int) -> None:
    solved = 0
    for seed in range(16):
        found = late(key, empty, seed)
        if found is None:
            continue
        game, state = found
        seat = game.to_act(state).bit_length() - 1
        thought = think(game, state, (), seat, simulations=100_000, series=Series((0, 0), 1))
        best = value(game, state)
        after = game.play(state, seat, game.texts.index(thought.move))
        assert thought.proven
        assert value(game, after) == best
        par, scale = (20, 15) if key == "tfortwo" else (0, 4)
        assert thought.expected[0] == pytest.approx(min(max(0.5 + 0.5 * (best - par) / scale, 0), 1))
        solved += 1
    assert solved > 5


def test_the_last_leg_is_played_for_the_series() -> None:
    """Who leads by enough has won for certain; who is behind by too much has lost."""
    game, state = next(found for seed in range(9) if (found := late("hepta", 18, seed)))
    seat = game.to_act(state).bit_length() - 1
    ahead = think(game, state, (), seat, simulations=20_000, series=Series((30, 0), 0))
    behind = think(game, state, (), seat, simulations=20_000, series=Series((0, 30), 0))
    assert ahead.proven
    assert behind.proven
    assert ahead.expected[0] > 0.7
    assert behind.expected[0] < 0.3


def test_a_capture_that_wins_is_seen_and_proven() -> None:
    match = ludotheque.game("tricolore").match(2)
    random = Random(5)
    game, state = match.game, match.state
    for _ in range(3000):
        seat = game.to_act(state).bit_length() - 1
        found = moves(game, state, seat)
        wins = [move for move in found if not game.to_act(game.play(state, seat, move))]
        if wins and state.taken[seat] == 2:  # type: ignore[attr-defined]
            thought = think(game, state, (), seat, simulations=500)
            assert thought.proven
            assert game.winners(game.play(state, seat, game.texts.index(thought.move))) == 1 << seat
            return
        state = game.play(state, seat, random.choice(found))
        if not game.to_act(state):
            state = match.state
    raise AssertionError("no such position in so many moves")


def test_cached_code_of_the_recursive_search_runs_in_the_next_process(tmp_path: Path) -> None:
    program = (
        "import ludotheque\n"
        "from ludotheque.search.players import think_for\n"
        "match = ludotheque.game('tricolore').match(2)\n"
        "print(think_for(match, 0, simulations=50).move in match.moves(0))\n"
    )
    for _ in range(2):
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-c", program],
            env={"LUDOTHEQUE_CACHE": str(tmp_path), "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "True\n"
