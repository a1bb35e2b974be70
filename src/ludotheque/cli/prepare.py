"""`ludotheque prepare`: the computer players made ready, so that nobody waits for them."""

import time
from typing import Annotated

import typer

import ludotheque
from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages, err, out
from ludotheque.cli.options import Lang

Keys = Annotated[list[str] | None, typer.Argument(metavar="GAME", autocompletion=options.keys)]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", parser=options.number("jobs", 1))]


def prepare(context: typer.Context, *, keys: Keys = None, jobs: Jobs | None = None, _lang: Lang = None) -> None:
    from ludotheque.search import warm_up  # noqa: PLC0415 - numba takes long to import

    messages: Messages = context.obj
    boxes = [options.box(key) for key in keys] if keys else [box for box in ludotheque.games() if max(box.seats) > 1]
    for box in boxes:
        if max(box.seats) == 1:
            raise CommandError("arena", "solo", game=box.key)
    names = {box.key: box.say("name", messages.lang) for box in boxes}
    begin = time.perf_counter()
    with err().status(messages("prepare", "busy", games=", ".join(names.values()))):
        for key, seconds in warm_up.warm_up_all(list(names), jobs):
            out().print(messages("prepare", "ready", game=names[key], seconds=f"{seconds:.0f}"))
    out().print(messages("prepare", "done", seconds=f"{time.perf_counter() - begin:.0f}"))
