"""A terminal to talk to the command in."""

from typing import Protocol

from typer.testing import CliRunner, Result

import ludotheque
from ludotheque import Match
from ludotheque.cli import app

PLAIN = {"LC_ALL": None, "LC_MESSAGES": None, "LANG": None, "FORCE_COLOR": None, "COLUMNS": "100"}


class Run(Protocol):
    """Run a command line, with what is typed meanwhile."""

    def __call__(self, *words: str, typed: str = "", code: int = 0, env: dict[str, str] | None = None) -> Result: ...


class Keep(Protocol):
    """Save a match; the answer is the file."""

    def __call__(self, match: Match) -> str: ...


def call(*words: str, typed: str = "", code: int = 0, env: dict[str, str] | None = None) -> Result:
    runner = CliRunner(env={**PLAIN, **(env or {})})
    result = runner.invoke(app, words, input=typed, catch_exceptions=False, prog_name="ludotheque")
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result


def random_match(key: str, *, luck: str | None = "fair", moves: int = 10_000, **options: object) -> Match:
    """A match of which so many moves have been made, any ones."""
    match = ludotheque.game(key).match(seed=5, luck=luck, **options)  # type: ignore[arg-type]
    while not match.over and len(match.events) < moves:
        actor = match.to_act[0]
        legal = match.moves(actor)
        match.play(actor, legal[len(match.events) * 7 % len(legal)])
    return match
