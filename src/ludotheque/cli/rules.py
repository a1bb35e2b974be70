"""`ludotheque rules`: the rules of a game, with its diagrams."""

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ludotheque.cli import options, screen
from ludotheque.cli.messages import CommandError, Messages, out
from ludotheque.cli.options import GameKey, Lang
from ludotheque.game import AnyGame
from ludotheque.pictures.output import diagrams


def rules(context: typer.Context, game: GameKey, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    box = options.box(game)
    found = page(messages, box.rules)
    if found is None:
        raise CommandError("play", "no-rules", code=1)
    out().print(markdown(f"# {box.say('name', messages.lang)}"), found)


def page(messages: Messages, game: AnyGame) -> RenderableType | None:
    """The rules in this language, diagrams as the terminal shows positions; None if they are not written down."""
    try:
        parts = diagrams.parts(game, messages.lang)
    except FileNotFoundError:
        return None
    return Group(*(markdown(part) if isinstance(part, str) else _diagram(messages, part) for part in parts))


def markdown(text: str) -> RenderableType:
    """Markdown to be printed."""
    from rich.markdown import Markdown  # noqa: PLC0415 - slow to import, and seldom needed

    return Markdown(text)


def _diagram(messages: Messages, found: diagrams.Diagram) -> RenderableType:
    board = screen.board(messages, found.match.game, found.match.seen(found.seat))
    return Group(board, Padding(Text(found.caption, style="italic"), (0, 2, 1, 2)))
