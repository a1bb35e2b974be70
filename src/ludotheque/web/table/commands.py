"""What a page asks for, by WebSocket, by fetch or by a plain form: read, done, answered."""

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

import orjson
from django.http import HttpRequest

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.game import Json
from ludotheque.web.guard import rate_limits
from ludotheque.web.models import Table
from ludotheque.web.monitor import metrics
from ludotheque.web.table import actions
from ludotheque.web.words import refusal

LONGEST = 200  # characters of any one thing


class Asked(NamedTuple):
    """One thing asked for; what was left out or makes no sense is empty."""

    what: str
    seat: int = -1
    move: str = ""
    version: int = -1
    client: str = ""
    name: str = ""
    entropy: str = ""
    level: str = ""

    @classmethod
    def read(cls, message: Mapping[str, object]) -> "Asked":
        return cls(
            _text(message.get("do")),
            number(message.get("seat")),
            _text(message.get("move")).strip(),
            number(message.get("version")),
            _text(message.get("id")),
            _text(message.get("name")),
            _text(message.get("entropy")),
            _text(message.get("level")),
        )


def do(table: str, visitor: str, asked: Asked, lang: str, address: str = "") -> dict[str, Json]:
    """Do it, and say how it went: {"ok": true} or {"refused": why, "code": …}. "go" names a page to go on to."""
    began = time.perf_counter()
    reply = _done(table, visitor, asked, lang, address)
    what = asked.what if asked.what in DEEDS else "nonsense"
    metrics.COMMANDS.labels(what, "ok" if "ok" in reply else "refused").observe(time.perf_counter() - began)
    return reply


def _done(table: str, visitor: str, asked: Asked, lang: str, address: str) -> dict[str, Json]:
    deed = DEEDS.get(asked.what)
    if asked.what == "rematch" and (seconds := rate_limits.wait("table", visitor, address)):
        return rate_limits.too_often(seconds, lang)
    try:
        if deed is None:
            raise actions.Refused("bad-message")
        return {"ok": True, **deed(table, visitor, asked)}
    except actions.DoneBefore:
        return {"ok": True}
    except LudothequeError as error:
        game = Table.objects.filter(pk=table).values_list("game", flat=True).first()
        return {"refused": refusal(error, lang, game and ludotheque.game(game).rules.stem), "code": error.code}


def _sit(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.sit(table, visitor, asked.seat, asked.name, asked.entropy, client=asked.client)
    return {}


def _computer(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.seat_computer(table, visitor, asked.seat, asked.level, client=asked.client)
    return {}


def _leave(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.leave(table, visitor, asked.seat, client=asked.client)
    return {}


def _move(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.move(table, visitor, asked.seat, asked.move, version=asked.version, client=asked.client)
    return {}


def _resign(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.resign(table, visitor, asked.seat, client=asked.client)
    return {}


def _undo(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.ask_undo(table, visitor, asked.seat, client=asked.client)
    return {}


def _draw(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.offer_draw(table, visitor, asked.seat, client=asked.client)
    return {}


def _agree(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.answer(table, visitor, asked.seat, agrees=True, client=asked.client)
    return {}


def _decline(table: str, visitor: str, asked: Asked) -> dict[str, Json]:
    actions.answer(table, visitor, asked.seat, agrees=False, client=asked.client)
    return {}


def _rematch(table: str, visitor: str, _asked: Asked) -> dict[str, Json]:
    return {"go": f"/t/{actions.rematch(table, visitor).id}"}


Deed = Callable[[str, str, Asked], dict[str, Json]]
DEEDS: dict[str, Deed] = {
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


def _text(value: object) -> str:
    return value[:LONGEST] if isinstance(value, str) and "\0" not in value else ""


def number(value: object) -> int:
    """A small number, as JSON or as a form writes it, or -1."""
    text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def message(request: HttpRequest) -> dict[str, object]:
    """What our script sent as JSON; nothing if it makes no sense."""
    try:
        found = orjson.loads(request.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
