"""Commands to a table, as pages send them by WebSocket, fetch or plain form: read, executed, answered."""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.game import Json
from ludotheque.web import inputs
from ludotheque.web.guard import rate_limits
from ludotheque.web.models import Table
from ludotheque.web.monitor import metrics
from ludotheque.web.refusals import DuplicateCommand, Refused
from ludotheque.web.table import actions, moves
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
        return {"ok": True, **COMMANDS[command.name](table, visitor, command)}
    except DuplicateCommand:
        return {"ok": True}
    except LudothequeError as error:
        game = Table.objects.filter(pk=table).values_list("game", flat=True).first()
        return {"refused": refusal(error, lang, game and ludotheque.game(game).rules.stem), "code": error.code}


def _sit(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.sit(table, visitor, command.seat, command.person, command.entropy, client=command.client)
    return {}


def _computer(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.seat_computer(table, visitor, command.seat, command.level, client=command.client)
    return {}


def _leave(table: str, visitor: str, command: Command) -> dict[str, Json]:
    actions.leave(table, visitor, command.seat, client=command.client)
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


def _rematch(table: str, visitor: str, _command: Command) -> dict[str, Json]:
    return {"go": f"/t/{actions.rematch(table, visitor).id}"}


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
}
