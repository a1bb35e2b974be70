"""`ludotheque games`: the shelf, or one box of it."""

from typing import Annotated

import typer
from rich import box as boxes
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table

import ludotheque
from ludotheque import Box
from ludotheque.cli import options
from ludotheque.cli.messages import Messages, out
from ludotheque.cli.options import Lang
from ludotheque.options import Cells, Choice, Flag, Option

OneGame = Annotated[str | None, typer.Argument(metavar="GAME", autocompletion=options.keys)]


def games(context: typer.Context, game: OneGame = None, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    out().print(_shelf(messages) if game is None else _box(messages, options.box(game)))


def _shelf(messages: Messages) -> RenderableType:
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, show_lines=False, collapse_padding=True)
    table.add_column(messages("shelf", "game"), no_wrap=True, style="bold")
    table.add_column(messages("shelf", "players"), justify="center", no_wrap=True)
    table.add_column(messages("shelf", "age"), justify="center", no_wrap=True)
    table.add_column(messages("shelf", "minutes"), justify="center", no_wrap=True)
    table.add_column(messages("shelf", "about"), ratio=1, min_width=20)
    for each in ludotheque.games():
        table.add_row(each.key, *_facts(messages, each), _lines(messages, each), end_section=True)
    return Group(table, messages("shelf", "more"))


def _facts(messages: Messages, game: Box) -> tuple[str, str, str]:
    stem = game.rules.stem
    return messages.fact(stem, "players"), f"{messages.fact(stem, 'age')}+", messages.fact(stem, "minutes")


def _lines(messages: Messages, game: Box) -> str:
    stem = game.rules.stem
    name, line, credits_ = (messages.fact(stem, fact) for fact in ("name", "line", "credits"))
    return f"[bold]{name}[/] · {line}\n[dim]{credits_}[/]"


def _box(messages: Messages, game: Box) -> RenderableType:
    stem = game.rules.stem
    players, age, minutes = _facts(messages, game)
    seats = ", ".join(str(number) for number in game.seats)
    lines = [
        f"[bold]{messages.fact(stem, 'name')}[/] · {messages.fact(stem, 'credits')}",
        messages("shelf", "facts", players=players, age=age, minutes=minutes, seats=seats),
        "",
        messages.fact(stem, "about"),
        "",
        *(_option(messages, stem, option) for option in game.options),
        messages("shelf", "play", game=game.key),
    ]
    return "\n".join(lines)


def _option(messages: Messages, stem: str, option: Option) -> str:
    meaning = messages.of(stem, "options", option.name) or ""
    return f"[bold]--{option.name}[/] {escape(_values(option))}  {meaning}"


def _values(option: Option) -> str:
    """What can be given, the default first."""
    if isinstance(option, Flag):
        return ""
    if isinstance(option, Choice):
        return "|".join(option.words)
    if isinstance(option, Cells):
        return f"{option.board[0]}-{option.board[1]}-… "
    return f"{option.default} ({option.least}–{option.most})"
