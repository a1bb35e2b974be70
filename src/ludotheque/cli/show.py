"""`ludotheque show` and `ludotheque animate`: a record as a picture, and as a film."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages, out
from ludotheque.cli.options import File, Lang
from ludotheque.cli.replay import At
from ludotheque.pictures.output.frames import Frame, frames

Seat = Annotated[int | None, typer.Option("--seat", metavar="SEAT", parser=options.number("seat", 0))]
Night = Annotated[bool, typer.Option("--night")]
To = Annotated[Path, typer.Option("--output", "-o", metavar="FILE")]
Width = Annotated[int, typer.Option("--width", metavar="PIXELS", parser=options.number("width", 16, 4000))]
Seconds = Annotated[float, typer.Option("--seconds", min=0.05, max=60)]


def show(
    context: typer.Context,
    *,
    file: File,
    output: To,
    at: At = None,
    seat: Seat = None,
    night: Night = False,
    width: Width = 900,
    _lang: Lang = None,
) -> None:
    messages: Messages = context.obj
    kind = _kind(output, (".svg", ".png"))
    boards = _frames(options.opened(file), seat)
    if at is not None and at >= len(boards):
        raise CommandError("wrong", "at", last=len(boards) - 1)
    frame = boards[-1 if at is None else at]
    if kind == ".svg":
        _write(messages, output, frame.picture(night=night or None, lang=messages.lang).encode())
    else:
        from ludotheque.pictures.output.raster import png  # noqa: PLC0415 - slow to import, and seldom needed

        _write(messages, output, png(frame.picture(night=night), width))


def animate(
    context: typer.Context,
    *,
    file: File,
    output: To,
    seat: Seat = None,
    night: Night = False,
    width: Width = 480,
    seconds: Seconds = 0.8,
    _lang: Lang = None,
) -> None:
    from ludotheque.pictures.output import film  # noqa: PLC0415 - slow to import, and seldom needed

    messages: Messages = context.obj
    kind = _kind(output, (".svg", ".gif"))
    boards = _frames(options.opened(file), seat)
    if kind == ".svg":
        _write(messages, output, film.svg(boards, seconds, night=night or None).encode())
    else:
        from ludotheque.pictures.output.gif import gif  # noqa: PLC0415

        _write(messages, output, gif(boards, seconds, width, night=night))


def _kind(path: Path, kinds: tuple[str, str]) -> str:
    """How the file is to be written, by its ending."""
    kind = path.suffix.lower()
    if kind not in kinds:
        raise CommandError("wrong", "kind", file=path, kinds=" / ".join(kinds))
    return kind


def _frames(match: Match, seat: int | None) -> Sequence[Frame]:
    if seat is not None and seat >= match.seats:
        raise CommandError("wrong", "human", seat=seat, last=match.seats - 1)
    return frames(match, seat)


def _write(messages: Messages, path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise options.unreachable(path, error) from None
    out().print(messages("show", "written", file=path, size=f"{len(data) / 1000:.0f}"), soft_wrap=True)
