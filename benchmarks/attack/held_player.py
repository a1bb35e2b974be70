"""A computer player that plays a move for each ticket it is given: `LUDOTHEQUE_THINKER=attack.held_player:think`."""

import os
import time
from pathlib import Path

import ludotheque
from ludotheque.game import moves
from ludotheque.web.players.questions import Question

TICKETS = "ATTACK_TICKETS"  # names a folder; each file there is a ticket, and gone when it is used
LOOK_EVERY_S = 0.02


def think(question: Question) -> str:
    """The first move there is, once it may be made."""
    tickets = Path(os.environ[TICKETS])
    while not (given := next(tickets.iterdir(), None)):
        time.sleep(LOOK_EVERY_S)
    given.unlink()
    rules = ludotheque.game(question.game).rules
    return str(rules.texts[moves(rules, question.seen, question.role)[0]])
