"""`ludotheque booklet`: puzzles on paper, easy to hard, with rules in front and hints and solutions at the end."""

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import Progress

from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages, err, out
from ludotheque.cli.options import Lang
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.puzzles.making.names import in_booklet

KINDS = kind_keys()
Key = Annotated[str, typer.Option("--puzzle", metavar="PUZZLE", parser=options.choice("puzzle", KINDS))]
Count = Annotated[int, typer.Option("--count", metavar="N", parser=options.number("count", 1, 500))]
Paper = Annotated[Literal["a4", "a5"], typer.Option("--paper")]
First = Annotated[int, typer.Option("--first", metavar="N", parser=options.number("first", 0))]
To = Annotated[Path, typer.Option("--output", "-o", metavar="FILE")]


def booklet(
    context: typer.Context,
    *,
    output: To,
    puzzle: Key = KINDS[0],
    count: Count = 48,
    paper: Paper = "a4",
    first: First = 1,
    _lang: Lang = None,
) -> None:
    messages: Messages = context.obj
    if output.suffix.lower() != ".pdf":
        raise CommandError("wrong", "kind", file=output, kinds=".pdf")
    from ludotheque.pictures.output.booklet import printed  # noqa: PLC0415 - it takes long to import
    from ludotheque.puzzles.making.puzzles import made  # noqa: PLC0415

    with Progress(console=err()) as progress:
        wanted = progress.track(in_booklet(puzzle, count, first), description="")
        pages = printed([made(*each) for each in wanted], paper=paper, lang=messages.lang)
    try:
        output.write_bytes(pages)
    except OSError as error:
        raise options.unreachable(output, error) from None
    out().print(messages("booklet", "written", file=output, count=count))
