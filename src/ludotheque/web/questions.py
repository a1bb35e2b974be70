"""What a computer player is asked, and how it is answered in a process of its own, which knows nothing of Django."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias

import ludotheque
from ludotheque.match import Event, Match, Undo
from ludotheque.options import Value

Thinker: TypeAlias = Callable[[Match, int, str], str | None]


@dataclass(frozen=True)
class Question:
    """A match as another process can take it up, without luck's secret, and the seat to think for."""

    game: str
    seats: int
    options: dict[str, Value]
    log: tuple[Event | Undo, ...]
    seat: int
    level: str


def answer(question: Question, thinker: str) -> str | None:
    """What the computer player moves."""
    match = Match(ludotheque.game(question.game).rules, question.seats, None, question.options)
    for entry in question.log:
        match.enter(entry)
    module, name = thinker.split(":")
    think: Thinker = getattr(import_module(module), name)
    return think(match, question.seat, question.level)
