"""A computer player who moves at once, by chance: for tests of everything but thinking."""

from secrets import choice

import ludotheque
from ludotheque.game import moves
from ludotheque.web.players.questions import Question


def anything(question: Question) -> str:
    rules = ludotheque.game(question.game).rules
    return str(rules.texts[choice(moves(rules, question.seen, question.role))])
