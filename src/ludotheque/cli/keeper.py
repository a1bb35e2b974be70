"""`ludotheque keeper …`: see, stop and undo what happens on a site, while it runs."""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Annotated

import typer
from rich import box as boxes
from rich.table import Table

from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Markup, Messages, out, plain
from ludotheque.cli.options import Lang
from ludotheque.cli.server import agreed, site
from ludotheque.errors import quoted
from ludotheque.extras import extra

app = typer.Typer(name="keeper", invoke_without_command=True)

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
MAX_KEEP_DAYS = 3650
MEGABYTE = 1_000_000


def _duration(text: str) -> timedelta:
    """A time such as 90m, 12h, 7d or 2w."""
    found = re.fullmatch(r"(\d{1,5})([mhdw])", text.strip().lower(), re.ASCII)
    if found is None or not int(found[1]):
        raise CommandError("keeper", "duration", text=quoted(text))
    return timedelta(**{UNITS[found[2]]: int(found[1])})


Who = Annotated[str, typer.Argument(metavar="ADDRESS|NETWORK|LABEL")]
Lasts = Annotated[str, typer.Option("--for", metavar="TIME")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT")]
What = Annotated[str, typer.Argument(metavar="ID|ADDRESS|PUZZLE")]
KeepDays = Annotated[
    int, typer.Option("--keep-days", metavar="N", parser=options.number("keep-days", 0, MAX_KEEP_DAYS))
]
Now = Annotated[bool, typer.Option("--now")]
Yes = Annotated[bool, typer.Option("--yes", "-y")]


@app.callback()
def keeper(context: typer.Context, _lang: Lang = None) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def space(context: typer.Context, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        from ludotheque.web.monitor import space, usage  # noqa: PLC0415 - Django must be set up first

        report = usage.report()
        found = [share for share in space.database() if share.rows]
        tables = [(share.name, _megabytes(share.bytes), str(share.rows)) for share in found]
        _print_table(messages, "database", ("table", "megabytes", "rows"), tables)
        folders = [(share.name, _megabytes(share.bytes)) for share in space.folders()]
        _print_table(messages, "disk", ("name", "megabytes"), folders)
        out().print(messages("keeper", "free", megabytes=_megabytes(space.free_bytes())))
        memory = [(share.name, _megabytes(share.bytes)) for share in space.processes(report.processes)]
        _print_table(messages, "memory", ("process", "megabytes"), memory)
        caches = sorted(report.caches.items(), key=lambda pair: -pair[1])
        _print_table(messages, "caches", ("name", "entries"), [(name, str(number)) for name, number in caches])


@app.command()
def visitors(context: typer.Context, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        from ludotheque.web.monitor import usage  # noqa: PLC0415

        rows = [
            (
                name,
                str(used.requests),
                str(used.refused),
                f"{used.work_ms:.0f}",
                str(used.connections),
                _megabytes(used.bytes),
                str(used.tables),
            )
            for name, used in usage.report().visitors
        ]
    columns = ("who", "requests", "refused", "work", "connections", "megabytes", "tables")
    _print_table(messages, "visitors", columns, rows)
    out().print(messages("keeper", "visitors-line"))


@app.command()
def block(context: typer.Context, who: Who, *, lasts: Lasts = "1d", reason: Reason = "", _lang: Lang = None) -> None:
    messages: Messages = context.obj
    time_ = _duration(lasts)
    with _open_site():
        from ludotheque.web.guard import blocks  # noqa: PLC0415
        from ludotheque.web.server import serve  # noqa: PLC0415

        try:
            made = blocks.add(who, time_, reason, serve.proxies())
        except blocks.BadBlock as error:
            raise CommandError("keeper", error.code, who=quoted(who), code=1) from error
    out().print(messages("keeper", "blocked", who=made, until=_local(made.until)))


@app.command()
def unblock(context: typer.Context, who: Who, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        from ludotheque.web.guard import blocks  # noqa: PLC0415

        if not blocks.lift(who):
            raise CommandError("keeper", "not-blocked", who=quoted(who), code=1)
    out().print(messages("keeper", "unblocked", who=who))


@app.command()
def blocked(context: typer.Context, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        from ludotheque.web.guard import blocks  # noqa: PLC0415

        rows = [(str(each), _local(each.made), _local(each.until), each.reason) for each in blocks.current()]
    _print_table(messages, "blocks", ("who", "since", "until", "reason"), rows)


@app.command()
def delete(context: typer.Context, what: What, *, yes: Yes = False, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        from ludotheque.web.server import deletion  # noqa: PLC0415

        found = deletion.find(what)
        if found is None:
            raise CommandError("keeper", "nothing-there", what=quoted(what), code=1)
        named = messages("keeper", f"a-{found.kind}", name=found.name, number=found.number)
        if not yes and not sys.stdin.isatty():
            raise CommandError("keeper", "say-yes", what=named, code=1)
        if not yes and not agreed(messages("keeper", "sure", what=named)):
            raise CommandError("keep", "left", code=1)
        deletion.delete(found)
    out().print(messages("keeper", "deleted", what=named))


@app.command(name="new-key")
def new_key(context: typer.Context, *, keep_days: KeepDays = 400, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        with extra("web"):
            from django.conf import settings  # noqa: PLC0415

        from ludotheque.web import secret_keys  # noqa: PLC0415

        if secret_keys.from_environment():
            raise CommandError("keeper", "key-elsewhere", code=1)
        known = secret_keys.load(settings.SECRET_FILE)
        keep_s = timedelta(days=keep_days).total_seconds()
        secret_keys.write(settings.SECRET_FILE, secret_keys.rotated(known, time.time(), keep_s))
    name = "new-key" if keep_days else "only-key"
    out().print(messages("keeper", name, days=keep_days, seconds=secret_keys.SIGNS_AFTER_S))


@app.command()
def retention(context: typer.Context, *, now: Now = False, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with _open_site():
        with extra("web"):
            from django.conf import settings  # noqa: PLC0415

        from ludotheque.web.server import retention  # noqa: PLC0415

        done = retention.run() if now else retention.due()
        if done is None:
            raise CommandError("keeper", "tidying", code=1)
        days = retention.read(settings.RETENTION)
    rows = [
        (messages("keeper", "kinds", kind), str(number or messages("keeper", "for-ever")), str(done.get(kind, 0)))
        for kind, number in days.items()
    ]
    _print_table(messages, "retention", ("kind", "days", "deleted" if now else "due"), rows)


@contextmanager
def _open_site() -> Iterator[None]:
    """Django, with the data of the site, unless a later version has changed it; the site may run meanwhile."""
    with site():
        from ludotheque.web.server import preflight, serve  # noqa: PLC0415

        serve.configure_django()
        preflight.check_not_newer()
        yield


def _print_table(messages: Messages, title: str, columns: Iterable[str], rows: Iterable[tuple[str, ...]]) -> None:
    """A table with a title; numbers stand to the right."""
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    found = list(rows)
    for place, column in enumerate(columns):
        numbers = all(row[place].replace(".", "").isdigit() for row in found)
        table.add_column(
            messages("keeper", "columns", column), justify="right" if numbers and found else "left", no_wrap=not place
        )
    for row in found:
        table.add_row(*(cell if isinstance(cell, Markup) else plain(cell) for cell in row))
    out().print(f"[bold]{messages('keeper', title)}[/]", table)


def _megabytes(number: int) -> str:
    return f"{number / MEGABYTE:.1f}"


def _local(when: datetime) -> str:
    """A time, as the clock of this machine shows it."""
    return when.astimezone().strftime("%Y-%m-%d %H:%M %Z")
