"""`ludotheque replay`: a record, board by board."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType

from ludotheque import Match
from ludotheque.cli import options, screen
from ludotheque.cli.messages import CommandError, Messages, out
from ludotheque.cli.options import File, Lang
from ludotheque.pictures.output.frames import Frame, frames

At = Annotated[int | None, typer.Option("--at", metavar="N", parser=options.number("at", 0))]


def replay(context: typer.Context, file: File, at: At = None, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    match = options.opened(file)
    boards = frames(match)
    if at is not None and at >= len(boards):
        raise CommandError("wrong", "at", last=len(boards) - 1)
    if interactive():
        _step_through(messages, match, boards, at or 0)
        return
    for number in range(len(boards)) if at is None else [at]:
        out().print(_page(messages, match, boards, number))
    if match.over and at is None:
        out().print(screen.result(messages, match))


def interactive() -> bool:
    """Whether somebody sits at the keyboard."""
    return sys.stdin.isatty()


def _page(messages: Messages, match: Match, boards: Sequence[Frame], number: int) -> RenderableType:
    frame = boards[number]
    leg = f"  {messages('play', 'leg', leg=frame.leg + 1, legs=match.legs)}" if match.legs > 1 else ""
    what = messages("replay", "start") if frame.event is None else screen.event(messages, match, frame.event)
    heading = f"[bold]{number}[/][dim]/{len(boards) - 1}[/]{leg}  {what}"
    return Group(heading, screen.board(messages, match.game, frame.state))


def _step_through(messages: Messages, match: Match, boards: Sequence[Frame], number: int) -> None:
    console = out()
    last = len(boards) - 1
    while True:
        _show(console, messages, match, boards, number)
        console.print(messages("replay", "keys"))
        try:
            word = input("> ").strip().lower()
        except EOFError:
            return
        if word in ("q", "quit") or (word in ("", "n", "next") and number == last):
            return
        number = _next(word, number, last)


def _show(console: Console, messages: Messages, match: Match, boards: Sequence[Frame], number: int) -> None:
    console.clear()
    console.print(_page(messages, match, boards, number))
    if match.over and number == len(boards) - 1:
        console.print(screen.result(messages, match))


def _next(word: str, number: int, last: int) -> int:
    """The board a word leads to; the same one again for a word that leads nowhere."""
    if word.isdecimal():
        return min(int(word[:9]), last)
    if word in ("b", "back"):
        return max(number - 1, 0)
    return number + 1 if word in ("", "n", "next") else number
