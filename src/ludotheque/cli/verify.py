"""`ludotheque verify`: is what luck drew what its seed says? Recomputed here, offline."""

import typer

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.options import File, Lang
from ludotheque.cli.screen import result
from ludotheque.cli.speech import Voice, out


def verify(context: typer.Context, file: File, _lang: Lang = None) -> None:
    voice: Voice = context.obj
    match = options.opened(file)
    for line in (*_luck(voice, match), voice("verify", "moves", number=len(match.events))):
        out().print(f"[green]✓[/] {line}", soft_wrap=True)
    out().print(result(voice, match) if match.over else voice("verify", "unfinished"))


def _luck(voice: Voice, match: Match) -> list[str]:
    """What loading the record has proved: it recomputes every draw, those taken back included."""
    draws = sum(actor == "luck" for actor, _ in match.log)
    if match.luck is None:
        return [voice("verify", "by-hand", number=draws) if draws else voice("verify", "no-luck")]
    seed = voice("verify", "seed", commitment=match.luck.commitment)
    return [voice("verify", "draws", number=draws) if draws else voice("verify", "no-luck"), seed]
