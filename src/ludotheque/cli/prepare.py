"""`ludotheque prepare`: the computer players made ready, so that nobody waits for them."""

import time
from typing import Annotated

import typer

import ludotheque
from ludotheque.cli import options
from ludotheque.cli.options import Lang
from ludotheque.cli.speech import Complaint, Voice, err, out

Keys = Annotated[list[str] | None, typer.Argument(metavar="GAME", autocompletion=options.keys)]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", parser=options.number("jobs", 1))]


def prepare(context: typer.Context, *, keys: Keys = None, jobs: Jobs | None = None, _lang: Lang = None) -> None:
    from ludotheque.search import warm_up  # noqa: PLC0415 - numba takes long to import

    voice: Voice = context.obj
    boxes = [options.box(key) for key in keys] if keys else [box for box in ludotheque.games() if max(box.seats) > 1]
    for box in boxes:
        if max(box.seats) == 1:
            raise Complaint("arena", "solo", game=box.key)
    names = {box.key: box.say("name", voice.lang) for box in boxes}
    begin = time.perf_counter()
    with err().status(voice("prepare", "busy", games=", ".join(names.values()))):
        for key, seconds in warm_up.warm_up_all(list(names), jobs):
            out().print(voice("prepare", "ready", game=names[key], seconds=f"{seconds:.0f}"))
    out().print(voice("prepare", "done", seconds=f"{time.perf_counter() - begin:.0f}"))
