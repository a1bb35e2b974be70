"""`ludotheque random`."""

import pytest

import ludotheque
from cli.terminal import Run


@pytest.mark.parametrize("key", [box.key for box in ludotheque.games()])
def test_every_game_can_be_played_at_random(run: Run, key: str) -> None:
    result = run("random", key, "--games", "2", "--seed", "1", "--limit", "60")
    assert "2 random games, seed 1" in result.stdout
    assert "moves a second" in result.stderr


def test_the_same_seed_gives_the_same_statistics(run: Run) -> None:
    words = ["random", "pizza", "--seats", "2", "--games", "5", "--rounds", "4"]
    assert run(*words, "--seed", "x").stdout == run(*words, "--seed", "x").stdout
    assert run(*words, "--seed", "x").stdout != run(*words, "--seed", "y").stdout


def test_shares_add_up(run: Run) -> None:
    lines = run("random", "hepta", "--legs=1", "--games", "10", "--seed", "4").stdout.splitlines()
    draws = int(next(line for line in lines if line.startswith("draws")).split()[1])
    wins = [int(line.split(")")[1].split()[0]) for line in lines if "(seat" in line]
    assert len(wins) == 2
    assert draws + sum(wins) == 10


def test_games_that_do_not_end_are_given_up(run: Run) -> None:
    assert "given up at the limit: 1 (100.0 %)" in run("random", "tetrods", "--games", "1", "--limit", "9").stdout


def test_speaks_french(run: Run) -> None:
    result = run("random", "hepta", "--games", "1", "--lang", "fr")
    assert "parties au hasard" in result.stdout
    assert "coups par seconde" in result.stderr
