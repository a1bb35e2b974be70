"""`ludotheque verify`: is what luck drew what its seed says? Recomputed here, offline."""

import typer

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.messages import Messages, out
from ludotheque.cli.options import File, Lang
from ludotheque.cli.screen import result


def verify(context: typer.Context, file: File, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    match = options.opened(file)
    for line in (*_luck(messages, match), messages("verify", "moves", number=len(match.events))):
        out().print(f"[green]✓[/] {line}", soft_wrap=True)
    out().print(result(messages, match) if match.over else messages("verify", "unfinished"))


def _luck(messages: Messages, match: Match) -> list[str]:
    """What loading the record has proved: it recomputes every draw, those taken back included."""
    draws = sum(actor == "luck" for actor, _ in match.log)
    if match.luck is None:
        return [messages("verify", "by-hand", number=draws) if draws else messages("verify", "no-luck")]
    seed = messages("verify", "seed", commitment=match.luck.commitment)
    return [messages("verify", "draws", number=draws) if draws else messages("verify", "no-luck"), seed]
