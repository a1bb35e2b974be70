"""One list of levels: every table has them all, they have names, and others derive theirs from it."""

import subprocess
import sys

import pytest

import ludotheque
from ludotheque import words
from ludotheque.cli import computer
from ludotheque.search.levels import BY_GAME, COMMON, DEFAULT_LEVEL, LEVELS, levels


@pytest.mark.parametrize(("key", "seats"), [*BY_GAME, ("another game", 2)])
def test_every_table_has_every_level(key: str, seats: int) -> None:
    assert tuple(BY_GAME.get((key, seats), COMMON)) == LEVELS
    assert tuple(sorted(LEVELS)) == LEVELS
    assert DEFAULT_LEVEL in LEVELS


def test_tables_are_for_games_on_the_shelf() -> None:
    for key, seats in BY_GAME:
        assert seats in ludotheque.game(key).seats
        assert levels(ludotheque.game(key).rules, seats) is BY_GAME[key, seats]


@pytest.mark.parametrize("lang", words.LANGUAGES)
def test_every_level_has_a_name(lang: str) -> None:
    assert len({words.say(None, lang, "search", "levels", str(level)) for level in LEVELS}) == len(LEVELS)


def test_the_command_line_has_the_same_levels() -> None:
    assert tuple(map(str, LEVELS)) == computer.LEVELS


def test_levels_can_be_listed_without_the_compiler() -> None:
    program = "import sys, ludotheque.search.levels\nprint('numba' in sys.modules, 'numpy' in sys.modules)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "False False\n"
