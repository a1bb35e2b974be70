"""Positions as text: Rich markup for a terminal, or plain text for anything else."""

import json
import re
from collections.abc import Callable
from typing import Any, TypeAlias

from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.pictures.output.registry import has_picture, picture_of

MARKUP = re.compile(r"(\\?)(\[[a-z#/@][^\[]*?\])")  # a tag of Rich, or what a backslash makes plain text

Sketch: TypeAlias = Callable[[Any], str]  # of a state, which is the game's own affair


def sketch(game: AnyGame) -> Sketch:
    """How the game is drawn in a terminal, as Rich markup; in words if nobody has drawn it."""
    return picture_of(game).text if has_picture(game) else _in_words(game)


def write_match(match: Match, seat: int | None) -> str:
    """The position as this seat may see it, as plain text."""
    return without_markup(sketch(match.game)(match.seen(seat)))


def without_markup(text: str) -> str:
    """What a terminal shows of Rich markup, without its colours."""
    return MARKUP.sub(lambda found: found[2] if found[1] else "", text).replace("\\[", "[")


def _in_words(game: AnyGame) -> Sketch:
    def text(state: tuple[object, ...]) -> str:
        described = game.describe(state)
        return "\n".join(f"[bold]{_escaped(key)}[/] {_escaped(_plain(value))}" for key, value in described.items())

    return text


def _plain(value: object) -> str:
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return " ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _escaped(text: str) -> str:
    return MARKUP.sub(lambda found: f"\\{found[0]}", text)
