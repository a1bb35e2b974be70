"""Computer players that are easy to foresee. They run in processes without Django."""

import os
import time
from pathlib import Path

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.game import moves
from ludotheque.web.players.questions import Question


def first(question: Question) -> str:
    """Always the first move."""
    rules = ludotheque.game(question.game).rules
    return str(rules.texts[moves(rules, question.seen, question.role)[0]])


def dies_once(question: Question) -> str:
    """Takes its process with it the first time."""
    mark = Path(os.environ["LUDOTHEQUE_DATA"]) / "died"
    if not mark.exists():
        mark.touch()
        os._exit(1)
    return first(question)


def shy(_question: Question) -> None:
    """Would rather wait."""


def broken(_question: Question) -> str:
    raise RuntimeError("no idea")


def sleeps() -> None:
    """Takes a moment."""
    time.sleep(0.6)


def fails() -> None:
    raise LudothequeError("no", "no")
