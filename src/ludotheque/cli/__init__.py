"""The command `ludotheque`: the shelf, rules, lessons, play, replays, pictures, checks of luck, numbers."""

from importlib.metadata import version
from typing import Annotated

from ludotheque.extras import extra

with extra("cli"):
    import rich  # noqa: F401 - whatever is in here needs it
    import typer

from ludotheque.cli import (
    analyse,
    arena,
    booklet,
    keeper,
    learn,
    perft,
    play,
    prepare,
    puzzle,
    random_games,
    replay,
    rules,
    server,
    shelf,
    show,
    study,
    verify,
)
from ludotheque.cli.group import CommandGroup
from ludotheque.cli.options import ANY_OPTION, Lang

app = typer.Typer(name="ludotheque", cls=CommandGroup, invoke_without_command=True, pretty_exceptions_enable=False)
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
app.command(context_settings=ANY_OPTION)(perft.perft)
app.command(context_settings=ANY_OPTION)(random_games.random)
app.command()(study.study)
app.command()(prepare.prepare)
app.command()(analyse.analyse)
app.command(context_settings=ANY_OPTION)(arena.arena)
app.command()(server.serve)
app.command()(server.work)
app.command()(server.backup)
app.command()(server.restore)
app.add_typer(keeper.app)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"ludotheque {version('ludotheque')}")
        raise typer.Exit


@app.callback()
def ludotheque(
    context: typer.Context,
    _lang: Lang = None,
    _version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_print_version)] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """The entry point."""
    app()
