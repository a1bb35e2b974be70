"""Commands to a table, as pages send them by WebSocket, fetch or plain form: read, executed, answered."""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.db import DatabaseError

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.game import Json
from ludotheque.web import inputs
from ludotheque.web.guard import disk_space, rate_limits
from ludotheque.web.models import Table
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import DuplicateCommand, Refused
from ludotheque.web.table import actions, moves, own_seats, rematch, seating
from ludotheque.web.words import refusal


class Command(NamedTuple):
    """One command; what was left out or makes no sense is empty."""

    name: str
    seat: int = -1
    move: str = ""
    version: int = -1
    client: str = ""
    person: str = ""
    entropy: str = ""
    commitment: str = ""
    level: str = ""

    @classmethod
    def read(cls, message: Mapping[str, object]) -> "Command":
        return cls(
            inputs.text(message.get("do")),
            inputs.number(message.get("seat")),
            inputs.text(message.get("move")).strip(),
            inputs.number(message.get("version")),
            inputs.text(message.get("id")),
            inputs.text(message.get("name")),
            inputs.text(message.get("entropy")),
            inputs.text(message.get("commitment")),
            inputs.text(message.get("level")),
        )


def execute(table: str, visitor: str, command: Command, lang: str, address: str = "") -> dict[str, Json]:
    """Execute a command. The answer is {"ok": true} or {"refused": why, "code": …}; "go" is a page to go on to."""
    began = time.perf_counter()
    answer = _answer(table, visitor, command, lang, address)
    name = command.name if command.name in COMMANDS else "nonsense"
    metrics.COMMANDS.labels(name, "ok" if "ok" in answer else "refused").observe(time.perf_counter() - began)
    return answer


def _answer(table: str, visitor: str, command: Command, lang: str, address: str) -> dict[str, Json]:
    if command.name == "rematch" and (seconds := rate_limits.wait("table", visitor, address)):
        return rate_limits.too_often(seconds, lang)
    try:
        if command.name not in COMMANDS:
            raise Refused("bad-message")
        if command.name not in disk_space.GOING_ON_COMMANDS:
            disk_space.require()
        return {"ok": True, **COMMANDS[command.name](table, visitor, command)}
    except DuplicateCommand:
        return {"ok": True}
    except DatabaseError as error:
        if not disk_space.is_unstored(error):
            raise
        return {"refused": refusal(Refused(disk_space.NOT_STORED), lang), "code": disk_space.NOT_STORED}
    except LudothequeError as error:
        game = Table.objects.filter(pk=table).values_list("game", flat=True).first()
        return {"refused": refusal(error, lang, game and ludotheque.game(game).rules.stem), "code": error.code}


def _sit(table: str, visitor: str, command: Command) -> dict[str, Json]:
    seating.sit(table, visitor, command.seat, command.person, command.entropy, client=command.client)
    return {}


def _computer(table: str, visitor: str, command: Command) -> dict[str, Json]:
    seating.seat_computer(table, visitor, command.seat, command.level, client=command.client)
    return {}


def _leave(table: str, visitor: str, command: Command) -> dict[str, Json]:
    seating.leave(table, visitor, command.seat, client=command.client)
    return {}


def _move(table: str, visitor: str, command: Command) -> dict[str, Json]:
    moves.play(table, visitor, command.seat, command.move, version=command.version, client=command.client)
    return {}


def _resign(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.resign(table, visitor, command.seat, client=command.client)
    return {}


def _undo(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.ask_undo(table, visitor, command.seat, client=command.client)
    return {}


def _draw(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.offer_draw(table, visitor, command.seat, client=command.client)
    return {}


def _agree(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.answer_offer(table, visitor, command.seat, agrees=True, client=command.client)
    return {}


def _decline(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.answer_offer(table, visitor, command.seat, agrees=False, client=command.client)
    return {}


def _rematch(table: str, visitor: str, command: Command) -> dict[str, Json]:
    return {"go": f"/t/{rematch.rematch(table, visitor, command.entropy, command.commitment).id}"}


def _entropy(table: str, visitor: str, command: Command) -> dict[str, Json]:
    rematch.add_next_entropy(table, visitor, command.seat, command.entropy, command.commitment)
    return {}


def _put_away(table: str, visitor: str, command: Command) -> dict[str, Json]:
    own_seats.put_away(table, visitor, command.seat)
    return {"go": f"/mine?undo={table}"}


def _bring_back(table: str, visitor: str, command: Command) -> dict[str, Json]:
    own_seats.bring_back(table, visitor, command.seat)
    return {"go": "/mine"}


COMMANDS: dict[str, Callable[[str, str, Command], dict[str, Json]]] = {
    "sit": _sit,
    "computer": _computer,
    "leave": _leave,
    "move": _move,
    "resign": _resign,
    "undo": _undo,
    "draw": _draw,
    "agree": _agree,
    "decline": _decline,
    "rematch": _rematch,
    "entropy": _entropy,
    "put-away": _put_away,
    "bring-back": _bring_back,
}
