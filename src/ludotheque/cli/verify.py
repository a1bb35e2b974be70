"""`ludotheque verify`: is what luck drew what its seed says? Recomputed here, offline."""

from typing import Annotated

import typer

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.messages import Messages, out
from ludotheque.cli.options import File, Lang
from ludotheque.cli.screen import result

Lots = Annotated[bool, typer.Option("--lots")]


def verify(context: typer.Context, file: File, lots: Lots = False, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    match = options.opened(file)
    seats = _lots(messages, match) if lots else []
    for line in (*_luck(messages, match), *seats, messages("verify", "moves", number=len(match.events))):
        out().print(f"[green]✓[/] {line}", soft_wrap=True)
    out().print(result(messages, match) if match.over else messages("verify", "unfinished"))


def _luck(messages: Messages, match: Match) -> list[str]:
    """What loading the record has proved: it recomputes every draw, those taken back included."""
    draws = sum(actor == "luck" for actor, _ in match.log)
    if match.luck is None:
        return [messages("verify", "by-hand", number=draws) if draws else messages("verify", "no-luck")]
    seed = messages("verify", "seed", commitment=match.luck.commitment)
    return [messages("verify", "draws", number=draws) if draws else messages("verify", "no-luck"), seed]


def _lots(messages: Messages, match: Match) -> list[str]:
    """Which lots the seed gives. Whether a table drew any is not in its record: people know where they sat down."""
    if match.luck is None or not match.luck.entropy:
        return [messages("verify", "no-lots")]
    places = ", ".join(f"{before + 1} → {seat}" for seat, before in enumerate(match.luck.lots, 1))
    return [messages("verify", "lots", places=places)]
