"""Hints, checks and solutions, asked of the worker processes, so that the site stays quick meanwhile."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ludotheque.game import Json
from ludotheque.web.jobs import pool
from ludotheque.web.puzzles import worker
from ludotheque.web.puzzles.maker import PuzzleNotReady
from ludotheque.web.puzzles.worker import PageHint
from ludotheque.web.refusals import TooManyJobs, WorkerUnavailable

P = ParamSpec("P")
R = TypeVar("R")


def hint(puzzle: str, moves: list[str], strength: int, lang: str) -> PageHint:
    return PageHint.read(_ask(hint_at, puzzle, moves, strength, lang))


def check(puzzle: str, moves: list[str], lang: str) -> PageHint:
    return PageHint.read(_ask(check_at, puzzle, moves, lang))


def solution(puzzle: str, moves: list[str]) -> list[str]:
    return _ask(solution_at, puzzle, moves)


def _ask(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return pool.making.ask(function, *args, **kwargs)
    except TooManyJobs:
        raise
    except WorkerUnavailable as error:
        raise PuzzleNotReady from error


# Called where work is done


def hint_at(puzzle: str, moves: list[str], strength: int, lang: str) -> list[Json]:
    return pool.making.compute(worker.hint, puzzle, tuple(moves), strength, lang).plain()


def check_at(puzzle: str, moves: list[str], lang: str) -> list[Json]:
    return pool.making.compute(worker.check, puzzle, tuple(moves), lang).plain()


def solution_at(puzzle: str, moves: list[str]) -> list[str]:
    return list(pool.making.compute(worker.solution, puzzle, tuple(moves)))
