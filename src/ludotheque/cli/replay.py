"""`ludotheque replay`: a record, board by board."""

import sys
from typing import Annotated, NamedTuple

import typer
from rich.console import Console, Group, RenderableType

from ludotheque import Match
from ludotheque.cli import options, screen
from ludotheque.cli.options import File, Lang
from ludotheque.cli.speech import Complaint, Voice, out
from ludotheque.game import NOBODY
from ludotheque.match import Event

At = Annotated[int | None, typer.Option("--at", metavar="N", parser=options.number("at", 0))]


class Frame(NamedTuple):
    """A board of the replay: after which event, and what there is to see."""

    event: Event | None
    leg: int
    state: tuple[object, ...]


def replay(context: typer.Context, file: File, at: At = None, _lang: Lang = None) -> None:
    voice: Voice = context.obj
    match = options.opened(file)
    boards = frames(match)
    if at is not None and at >= len(boards):
        raise Complaint("wrong", "at", last=len(boards) - 1)
    if interactive():
        _step_through(voice, match, boards, at or 0)
        return
    for number in range(len(boards)) if at is None else [at]:
        out().print(_page(voice, match, boards, number))
    if match.over and at is None:
        out().print(screen.result(voice, match))


def interactive() -> bool:
    """Whether somebody sits at the keyboard."""
    return sys.stdin.isatty()


def frames(match: Match) -> list[Frame]:
    """Every position, the first included. A match that is not over yet is shown as to a spectator."""
    again = Match(match.game, match.seats, None, match.options)
    every = [Frame(None, 0, _seen(again, open_=match.over))]
    for happened in match.events:
        again.enter(happened)
        every.append(Frame(happened, again.leg, _seen(again, open_=match.over)))
    return every if match.over else _public(match, every)


def _seen(match: Match, *, open_: bool) -> tuple[object, ...]:
    seen: tuple[object, ...] = match.state if open_ else match.game.view(match.state, NOBODY)
    return seen


def _public(match: Match, every: list[Frame]) -> list[Frame]:
    """Only the boards after events a spectator may read: choices may still be sealed, or the past be forgotten."""
    shown = match.shown(None)
    kept: list[int] = []
    for number in range(len(every) - 1, 0, -1):
        if shown and every[number].event == shown[-1]:
            kept.append(number)
            shown.pop()
    before = every[min(kept, default=1) - 1]
    return [before._replace(event=None), *(every[number] for number in reversed(kept))]


def _page(voice: Voice, match: Match, boards: list[Frame], number: int) -> RenderableType:
    frame = boards[number]
    leg = f"  {voice('play', 'leg', leg=frame.leg + 1, legs=match.legs)}" if match.legs > 1 else ""
    what = voice("replay", "start") if frame.event is None else screen.event(voice, match, frame.event)
    heading = f"[bold]{number}[/][dim]/{len(boards) - 1}[/]{leg}  {what}"
    return Group(heading, screen.board(match.game, frame.state))


def _step_through(voice: Voice, match: Match, boards: list[Frame], number: int) -> None:
    console = out()
    last = len(boards) - 1
    while True:
        _show(console, voice, match, boards, number)
        console.print(voice("replay", "keys"))
        try:
            word = input("> ").strip().lower()
        except EOFError:
            return
        if word in ("q", "quit") or (word in ("", "n", "next") and number == last):
            return
        number = _next(word, number, last)


def _show(console: Console, voice: Voice, match: Match, boards: list[Frame], number: int) -> None:
    console.clear()
    console.print(_page(voice, match, boards, number))
    if match.over and number == len(boards) - 1:
        console.print(screen.result(voice, match))


def _next(word: str, number: int, last: int) -> int:
    """The board a word leads to; the same one again for a word that leads nowhere."""
    if word.isdecimal():
        return min(int(word[:9]), last)
    if word in ("b", "back"):
        return max(number - 1, 0)
    return number + 1 if word in ("", "n", "next") else number
