"""What a computer player is asked, and how a worker process answers, without Django.

A question holds what the seat sees and what it has witnessed, and nothing else: no secret reaches the worker.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from secrets import randbits
from typing import TYPE_CHECKING, TypeAlias

import ludotheque
from ludotheque.hints import MoveHint
from ludotheque.match import Match
from ludotheque.search.analysis import Judgement

if TYPE_CHECKING:
    from ludotheque.search.players import Series, Thought


@dataclass(frozen=True)
class Question:
    """What one seat knows, in terms of the rules, and the level at which it thinks."""

    game: str
    seen: tuple[object, ...]
    witnessed: tuple[tuple[int, int], ...]
    role: int
    level: int
    banked: tuple[int, ...] = ()  # points of earlier legs, by role
    left: int = 0  # legs still to come
    seats: int = 2

    @classmethod
    def of(cls, match: Match, seat: int, level: int) -> "Question":
        here = match.game.scores(match.state)
        people = sorted(range(match.seats), key=match.role)
        banked = tuple(match.scores[person] - here[match.role(person)] for person in people)
        return cls(
            match.game.key,
            match.seen(seat),
            match.witnessed(seat),
            match.role(seat),
            level,
            banked if match.legs > 1 else (),
            match.legs - match.leg - 1,
            match.seats,
        )


Thinker: TypeAlias = Callable[[Question], str | None]


def answer(question: Question, thinker: str) -> str | None:
    """What the computer player moves; None if it would rather wait."""
    module, name = thinker.split(":")
    think: Thinker = getattr(import_module(module), name)
    return think(question)


def think(question: Question) -> str | None:
    """The site's own computer players."""
    return _thought(question, level=question.level).move


def advise(question: Question, seconds: float) -> MoveHint:
    """A hint for a person, who sees what this seat sees."""
    rules = ludotheque.game(question.game).rules
    thought = _thought(question, seconds=seconds, model_opponents=False)
    return MoveHint.of(
        thought,
        rules,
        question.seen,
        question.witnessed,
        question.role,
        seats=question.seats,
        banked=question.banked,
        left=question.left,
    )


def judge(question: Question, text: str, simulations: int) -> Judgement:
    """What to think of a move that was made here; the same wherever it is asked."""
    from ludotheque.search import evaluation  # noqa: PLC0415 - only a process that thinks needs the compiler

    return evaluation.judge(
        ludotheque.game(question.game).rules,
        question.seen,
        question.witnessed,
        question.role,
        text,
        simulations=simulations,
        series=_series(question),
    )


def _thought(question: Question, **how: float) -> "Thought":
    from ludotheque.search import players  # noqa: PLC0415 - as above

    return players.think(
        ludotheque.game(question.game).rules,
        question.seen,
        question.witnessed,
        question.role,
        seed=randbits(30),
        series=_series(question),
        **how,  # type: ignore[arg-type]
    )


def _series(question: Question) -> "Series | None":
    from ludotheque.search.players import Series  # noqa: PLC0415 - as above

    return Series((question.banked[0], question.banked[1]), question.left) if len(question.banked) == 2 else None


def compile_game(key: str) -> None:
    """Compile what the players of a game need."""
    from ludotheque.search import warm_up as search  # noqa: PLC0415

    search.warm_up(key)
