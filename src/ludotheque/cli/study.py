"""`ludotheque study`: counts for the curious, that can be stopped and resumed."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from ludotheque.cli import options
from ludotheque.cli.messages import Messages, err, out
from ludotheque.cli.options import Backend, Lang
from ludotheque.puzzles import studies

Name = Annotated[str, typer.Argument(metavar="STUDY", parser=options.choice("study", studies.names()))]
Every = Annotated[bool, typer.Option("--all")]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", parser=options.number("jobs", 1, 1024))]
Keep = Annotated[Path, typer.Option("--keep", metavar="FOLDER")]


def study(
    context: typer.Context,
    *,
    name: Name,
    every: Every = False,
    jobs: Jobs = None,
    keep: Keep = Path("studies"),
    backend: Backend = None,
    _lang: Lang = None,
) -> None:
    from ludotheque.puzzles.studies.study import result, run  # noqa: PLC0415 - numba takes long to import

    messages: Messages = context.obj
    chosen = studies.find(name, every=every)
    parts = keep / f"{chosen.name}.parts.jsonl"
    columns = ("[progress.description]{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err()) as progress:
        task = progress.add_task(chosen.name, total=chosen.parts)
        for done in run(chosen, parts, jobs or -1, backend):
            progress.update(task, completed=done)
    found = result(chosen, parts)
    data, plot = keep / f"{chosen.name}.json", keep / f"{chosen.name}.svg"
    data.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    plot.write_text(chosen.plot(found), encoding="utf-8")
    out().print_json(json.dumps(found))
    err().print(messages("study", "kept", data=data, plot=plot, parts=parts))
