"""Setting a table: the form on a game's page, read and carried out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ludotheque.options import Choice, Flag, Number, Option, Value
from ludotheque.shelf import Box
from ludotheque.web.models import LEVELS, Table
from ludotheque.web.table import actions
from ludotheque.web.words import said, seat_name

SCREEN, LINK, OPEN, COMPUTER = "screen", "link", "open", "computer"
LOT = "lot"
LEVEL = "2"  # of a computer player, unless another is asked for


@dataclass(frozen=True)
class Field:
    """An option as a form shows it."""

    name: str
    kind: str
    words: str
    value: str
    choices: list[tuple[str, str]]
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True)
class Wish:
    """What the form asks for."""

    box: Box
    seats: int
    way: str
    seat: str
    names: list[str]
    levels: list[str]  # of the others, in the order of their names; empty for people
    entropy: str = ""
    options: dict[str, Value] = field(default_factory=dict)


def fields(box: Box, lang: str) -> list[Field]:
    return [_field(box, option, lang) for option in box.options]


def roles(box: Box, lang: str) -> list[list[tuple[int, str]]]:
    """The names of the seats: for each, how many may play and what it is called then; the most come first."""
    most = sorted(box.seats, reverse=True)
    return [
        [(seats, seat_name(box.rules.stem, seats, seat, lang)) for seats in most if seat < seats]
        for seat in range(max(box.seats))
    ]


def _field(box: Box, option: Option, lang: str) -> Field:
    told = said(box.rules.stem, lang, "options", option.name) or option.name
    if isinstance(option, Flag):
        return Field(option.name, "flag", told, "yes" if option.default else "", [])
    if isinstance(option, Number):
        return Field(option.name, "number", told, str(option.default), [], option.least, option.most)
    if isinstance(option, Choice):
        choices = [
            (word, said(box.rules.stem, lang, "options", f"{option.name}.{word}") or word) for word in option.words
        ]
        return Field(option.name, "choice", told, option.default, choices)
    return Field(option.name, "cells", told, " ".join(option.default), [])


def read(box: Box, form: Mapping[str, str]) -> Wish:
    """The form, checked; raises ValueError or BadOption where it makes no sense."""
    seats = int(form.get("seats", "") or box.rules.seats[0])
    seat, way = form.get("seat", LOT), form.get("way", LINK)
    if seats not in box.seats or way not in (SCREEN, LINK, OPEN, COMPUTER):
        raise ValueError(way)
    if seat != LOT and not (seat.isdecimal() and int(seat) < seats):
        raise ValueError(seat)
    return Wish(
        box,
        seats,
        SCREEN if seats == 1 else way,
        seat,
        [form.get(f"name-{number}", "") for number in range(seats)],
        [_level(form.get(f"player-{number}", form.get("level", "")), way) for number in range(1, seats)],
        form.get("entropy", ""),
        {} if "as-usual" in form else {option.name: _option(option, form) for option in box.options},
    )


def _level(asked: str, way: str) -> str:
    level = asked or (LEVEL if way == COMPUTER else "")
    if level and level not in LEVELS:
        raise ValueError(level)
    return level


def _option(option: Option, form: Mapping[str, str]) -> Value:
    name = f"option-{option.name}"
    if isinstance(option, Flag):
        return name in form
    return option.read(form[name]) if name in form else option.default


def lay(wish: Wish, visitor: str) -> Table:
    """Set the table as wished: the visitor, the computer players, and on one screen all others take their seats."""
    by_lot = wish.seat == LOT and wish.seats > 1
    table = actions.open_table(wish.box.key, wish.seats, wish.options, listed=wish.way == OPEN, by_lot=by_lot)
    mine = 0 if by_lot else int(wish.seat) if wish.seats > 1 else 0
    actions.sit(table.id, visitor, mine, wish.names[0], wish.entropy)
    others = [number for number in range(wish.seats) if number != mine]
    for number, name, level in zip(others, wish.names[1:], wish.levels, strict=True):
        if level:
            actions.seat_computer(table.id, visitor, number, level)
        elif wish.way == SCREEN:
            actions.sit(table.id, visitor, number, name)
    return table
