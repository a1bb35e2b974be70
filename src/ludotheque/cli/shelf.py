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
from ludotheque.cli.options import Lang
from ludotheque.cli.speech import Voice, out
from ludotheque.options import Cells, Choice, Flag, Option

OneGame = Annotated[str | None, typer.Argument(metavar="GAME", autocompletion=options.keys)]


def games(context: typer.Context, game: OneGame = None, _lang: Lang = None) -> None:
    voice: Voice = context.obj
    out().print(_shelf(voice) if game is None else _box(voice, options.box(game)))


def _shelf(voice: Voice) -> RenderableType:
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False, show_lines=False, collapse_padding=True)
    table.add_column(voice("shelf", "game"), no_wrap=True, style="bold")
    table.add_column(voice("shelf", "players"), justify="center", no_wrap=True)
    table.add_column(voice("shelf", "age"), justify="center", no_wrap=True)
    table.add_column(voice("shelf", "minutes"), justify="center", no_wrap=True)
    table.add_column(voice("shelf", "about"), ratio=1, min_width=20)
    for each in ludotheque.games():
        table.add_row(each.key, *_facts(voice, each), _lines(voice, each), end_section=True)
    return Group(table, voice("shelf", "more"))


def _facts(voice: Voice, game: Box) -> tuple[str, str, str]:
    stem = game.rules.stem
    return voice.fact(stem, "players"), f"{voice.fact(stem, 'age')}+", voice.fact(stem, "minutes")


def _lines(voice: Voice, game: Box) -> str:
    stem = game.rules.stem
    return f"[bold]{voice.fact(stem, 'name')}[/] · {voice.fact(stem, 'line')}\n[dim]{voice.fact(stem, 'credits')}[/]"


def _box(voice: Voice, game: Box) -> RenderableType:
    stem = game.rules.stem
    players, age, minutes = _facts(voice, game)
    seats = ", ".join(str(number) for number in game.seats)
    lines = [
        f"[bold]{voice.fact(stem, 'name')}[/] · {voice.fact(stem, 'credits')}",
        voice("shelf", "facts", players=players, age=age, minutes=minutes, seats=seats),
        "",
        voice.fact(stem, "about"),
        "",
        *(_option(voice, stem, option) for option in game.options),
        voice("shelf", "play", game=game.key),
    ]
    return "\n".join(lines)


def _option(voice: Voice, stem: str, option: Option) -> str:
    meaning = voice.of(stem, "options", option.name) or ""
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
