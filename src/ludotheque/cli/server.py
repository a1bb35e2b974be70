"""`ludotheque serve`, `work`, `backup`, `restore`: run and maintain a site."""

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated

import typer

from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages, out
from ludotheque.cli.options import Lang
from ludotheque.extras import extra
from ludotheque.words import LANGUAGES

Host = Annotated[str, typer.Option("--host", metavar="HOST")]
Port = Annotated[int, typer.Option("--port", metavar="N", parser=options.number("port", 0, 65535))]
Uds = Annotated[str | None, typer.Option("--uds", metavar="PATH")]
Workers = Annotated[int, typer.Option("--workers", metavar="N", parser=options.number("workers", 1, 256))]
Processes = Annotated[
    int | None, typer.Option("--processes", metavar="N", parser=options.number("processes", 1, 256))
]
MetricsPort = Annotated[
    int | None, typer.Option("--metrics-port", metavar="N", parser=options.number("metrics-port", 0, 65535))
]
MetricsHost = Annotated[str, typer.Option("--metrics-host", metavar="HOST")]
SetUpOnly = Annotated[bool, typer.Option("--set-up-only")]
Archive = Annotated[Path, typer.Argument(metavar="FILE")]
Yes = Annotated[bool, typer.Option("--yes", "-y")]


def serve(
    *,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    uds: Uds = None,
    workers: Workers = 1,
    set_up_only: SetUpOnly = False,
    _lang: Lang = None,
) -> None:
    if workers > 1:
        raise CommandError("keep", "one-process", workers=workers)
    with site():
        from ludotheque.web.server import serve  # noqa: PLC0415 - the extra `web` may be missing

        serve.set_up(host)
        if not set_up_only:
            alone = not os.environ.get("REDIS_URL")  # by which several processes tell each other of moves
            with _locked(serve.data_lock(exclusive=alone), otherwise="already-open"):
                serve.run(host, port, uds)


def work(
    *,
    processes: Processes = None,
    metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = "127.0.0.1",
    _lang: Lang = None,
) -> None:
    if not os.environ.get("REDIS_URL"):
        raise CommandError("keep", "work-needs-redis")
    if processes is not None:
        os.environ["LUDOTHEQUE_THINKERS"] = str(processes)
    with site():
        from ludotheque.web.server import serve  # noqa: PLC0415

        serve.set_up(static=False)
        with _locked(serve.data_lock()):
            try:
                serve.run_worker(metrics_port, metrics_host)
            except OSError as error:
                raise CommandError("keep", "no-port", port=metrics_port, why=error.strerror, code=1) from error


def backup(context: typer.Context, archive: Archive, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    with site():
        from ludotheque.web.server import serve  # noqa: PLC0415

        serve.set_up(static=False)
        from ludotheque.web.server import backup  # noqa: PLC0415 - Django must be set up first

        try:
            number = backup.write(archive)
        except OSError as error:
            raise options.unreachable(archive, error) from None
    out().print(messages("keep", "written", file=archive, number=number))


def restore(context: typer.Context, archive: Archive, *, yes: Yes = False, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    if not archive.is_file():
        raise CommandError("wrong", "folder" if archive.is_dir() else "no-file", file=archive, code=1)
    with site():
        from ludotheque.web.server import serve  # noqa: PLC0415

        serve.configure_django()
        from ludotheque.web.server import backup, sqlite_file  # noqa: PLC0415

        with _locked(serve.data_lock(exclusive=True)):
            number = _checked(archive)
            if backup.others():
                raise CommandError("keep", "open", code=1)
            if backup.here() and not yes and not _may_replace(messages, backup.here(), number):
                raise CommandError("keep", "left", code=1)
            backup.restore(archive)
            sqlite_file.make_whole()
    out().print(messages("keep", "restored", file=archive, number=number))
    if os.environ.get("LUDOTHEQUE_SECRET_KEY"):
        out().print(messages("keep", "own-key"))


def _checked(archive: Path) -> int:
    from ludotheque.web.server import backup  # noqa: PLC0415

    try:
        return backup.check(archive)
    except backup.BadBackup as error:
        raise CommandError("keep", error.code, file=archive, code=1) from error


def _may_replace(messages: Messages, here: int, number: int) -> bool:
    """Ask at the keyboard; without one, `--yes` is needed."""
    if not sys.stdin.isatty():
        raise CommandError("keep", "say-yes", here=here, code=1)
    return agreed(messages("keep", "sure", here=here, number=number))


def agreed(question: str) -> bool:
    """Whether the answer at the keyboard is yes, in any language."""
    out().print(question, end=" ")
    yes = {word for lang in LANGUAGES for word in Messages(lang)("commands", "yes").split()}
    return input().strip().lower() in yes


@contextmanager
def _locked(lock: AbstractContextManager[bool], *, otherwise: str = "open") -> Iterator[None]:
    with lock as is_free:
        if not is_free:
            raise CommandError("keep", otherwise, code=1)
        yield


@contextmanager
def site() -> Iterator[None]:
    """Report data that cannot be used, wrong settings and a database that does not answer in one sentence."""
    with extra("web"):
        from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
        from django.db import DatabaseError  # noqa: PLC0415

    from ludotheque.web.server import preflight, serve  # noqa: PLC0415

    try:
        yield
    except preflight.CannotStart as error:
        raise CommandError("keep", error.code, code=1, **error.values) from error
    except (DatabaseError, OSError) as error:
        if serve.is_full(error):
            raise CommandError("keep", "full", folder=serve.data_folder(), code=1) from error
        if isinstance(error, OSError):
            raise  # a mistake of ours
        raise CommandError("keep", "database", why=str(error).strip().splitlines()[0], code=1) from error
    except ImproperlyConfigured as error:
        raise CommandError("keep", "settings", why=str(error), code=1) from error
