"""The command `ludotheque`: the shelf, rules, lessons, play, replays, pictures, checks of luck, numbers."""

from importlib.metadata import version
from typing import Annotated

import typer

from ludotheque.cli import (
    analyse,
    arena,
    booklet,
    count,
    keep,
    learn,
    play,
    prepare,
    puzzle,
    replay,
    rules,
    sample,
    shelf,
    show,
    study,
    verify,
)
from ludotheque.cli.house import House
from ludotheque.cli.options import ANY_OPTION, Lang

app = typer.Typer(name="ludotheque", cls=House, invoke_without_command=True, pretty_exceptions_enable=False)
app.command()(shelf.games)
app.command()(rules.rules)
app.command()(learn.learn)
app.command(context_settings=ANY_OPTION)(play.play)
app.command()(puzzle.puzzle)
app.command()(booklet.booklet)
app.command()(replay.replay)
app.command()(show.show)
app.command()(show.animate)
app.command()(verify.verify)
app.command(context_settings=ANY_OPTION)(count.perft)
app.command(context_settings=ANY_OPTION)(sample.random)
app.command()(study.study)
app.command()(prepare.prepare)
app.command()(analyse.analyse)
app.command(context_settings=ANY_OPTION)(arena.arena)
app.command()(keep.serve)
app.command()(keep.work)
app.command()(keep.backup)
app.command()(keep.restore)


def _tell_version(asked: bool) -> None:
    if asked:
        typer.echo(f"ludotheque {version('ludotheque')}")
        raise typer.Exit


@app.callback()
def house(
    context: typer.Context,
    _lang: Lang = None,
    _version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_tell_version)] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """The entry point."""
    app()
