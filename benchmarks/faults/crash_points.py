"""Every point at which a process can die while it writes: python -m faults.crash_points [COMMAND …]

A child process sets the stage for a command, executes the command, and kills itself (SIGKILL) at its n-th point:
before a statement, a commit, or a file of the data that is written, renamed or deleted; for every n, until it gets
through. After one of these is before the next. After each death another process looks at what is stored, which must
be either all or nothing, and sends the command again under the same id, as a page does: then it must be there once.
With SQLite, or with the PostgreSQL of DATABASE_URL. Prints JSON.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import faults

if TYPE_CHECKING:
    from faults.commands import Command

MAX_POINTS = 200  # of one command: more than any has
THROUGH = "through"
FILE_CHANGES = ("os.rename", "os.remove")  # as Python audits them
WRITING = os.O_WRONLY | os.O_RDWR


class Found(NamedTuple):
    """At how many points each command was killed, and what was wrong then."""

    points: dict[str, int]
    wrong: list[str]


def in_a_process(database: str, only: Sequence[str] = ()) -> Found:
    """Of all commands, or only of these, with this DATABASE_URL."""
    command = [sys.executable, "-m", "faults.crash_points", *only]
    environment = faults.environment() | {"DATABASE_URL": database}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)  # noqa: S603 - ourselves
    return Found(**json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ludotheque-crash-points-") as folder:
        os.environ |= {
            "LUDOTHEQUE_DATA": folder,
            "LUDOTHEQUE_LOG": "CRITICAL",
            "REDIS_URL": "",
        }
        sys.stdout.write(json.dumps(found(sys.argv[1:])._asdict()) + "\n")


def found(only: list[str]) -> Found:
    from ludotheque.web.server import serve  # noqa: PLC0415 - it reads the environment

    serve.set_up(static=False)
    from faults.commands import COMMANDS  # noqa: PLC0415 - only now is Django set up
    from ludotheque.web.table import transaction  # noqa: PLC0415

    transaction.listeners.clear()  # nobody else is told, and no computer player thinks
    _hurry()
    points, wrong = {}, []
    for name in only or COMMANDS:
        problems = list(_problems(COMMANDS[name]))
        points[name] = len(problems) - 1  # the last time it gets through
        wrong += [f"{name}, point {at}: {problem}" for at, problem in enumerate(problems) if problem]
    return Found(points, wrong)


def _hurry() -> None:
    """Processes die here, not the machine: what they have written is there without being forced to the disk."""
    from django.db import connection  # noqa: PLC0415

    options = connection.settings_dict["OPTIONS"]
    if connection.vendor == "sqlite":
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")


def _problems(command: "Command") -> Iterator[str]:
    """What was wrong after death at each point, if anything; at last after life."""
    before, after, again = _undisturbed(command)  # here, so that children find every import and cache
    assert before != after, "it does nothing"
    for at in range(MAX_POINTS):
        told = _in_child(partial(_interrupted, command, at)).splitlines()
        if not told or not told[0].startswith("[") or told[1:] not in ([], [THROUGH]):
            yield f"it did not come to that point: {told}"
            return
        yield _judged(_in_child(partial(_resumed, command, told[0])), before, after, again)
        if told[1:]:
            return
    yield f"it has more than {MAX_POINTS} points"


def _judged(seen: str, before: object, after: object, again: object) -> str:
    try:
        left, at_last, wrong = json.loads(seen)
    except ValueError:
        return f"sent again: {seen}"
    if wrong:
        return str(wrong)
    if left not in (before, after):
        return f"neither before nor after: {left}"
    if at_last != (after if left == before else again):
        return f"sent again: {at_last}"
    return ""


# In children


def _undisturbed(command: "Command") -> tuple[object, ...]:
    """What is stored before the command, after it, and when it was sent again."""
    from faults.commands import clear, stored  # noqa: PLC0415

    clear()
    stage = command.prepare()
    before = stored()
    command.act(stage)
    after = stored()
    command.act(stage)
    again = stored()
    assert not command.once or again == after, "sent again, it counts twice"
    return tuple(json.loads(json.dumps([before, after, again])))


def _interrupted(command: "Command", at: int) -> None:
    """Tells the stage before it dies, and that it got through if it does not."""
    from django.db import connection  # noqa: PLC0415

    from faults.commands import clear  # noqa: PLC0415

    clear()
    stage = command.prepare()
    print(json.dumps(stage), flush=True)
    with _killing(connection, Killer(at)):
        command.act(stage)
    print(THROUGH)


def _resumed(command: "Command", told: str) -> None:
    """What another process finds, and what is there after the command was sent again."""
    from faults.commands import Stage, inconsistencies, stored  # noqa: PLC0415

    left, wrong = stored(), inconsistencies()
    command.act(Stage(*json.loads(told)))
    print(json.dumps([left, stored(), wrong + inconsistencies()]))


class Killer:
    """Kills this process at the n-th point."""

    def __init__(self, at: int) -> None:
        self.left = at

    def point(self) -> None:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1

    def on_audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Before a file of the data is opened to be written, renamed or deleted; metrics have files elsewhere."""
        is_change = event in FILE_CHANGES or (event == "open" and arguments[2] & WRITING)
        if is_change and str(arguments[0]).startswith(os.environ["LUDOTHEQUE_DATA"]):
            self.point()

    def __call__(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Before every statement, as Django calls it."""
        self.point()
        return execute(*statement)


@contextmanager
def _killing(connection: Any, killer: Killer) -> Iterator[None]:
    """With a point before every statement and every commit of this connection, and before files are touched."""
    commit = connection._commit  # noqa: SLF001 - Django wraps statements only

    def killed_commit() -> None:
        killer.point()
        commit()

    sys.addaudithook(killer.on_audit)  # to stay; the process does not
    connection._commit = killed_commit  # noqa: SLF001
    try:
        with connection.execute_wrapper(killer):
            yield
    finally:
        connection._commit = commit  # noqa: SLF001


def _in_child(act: Callable[[], object]) -> str:
    """What it prints in a process of its own, until it ends or is killed."""
    _forget_connections()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(writer, 1)
        sys.stdout = os.fdopen(1, "w")
        try:
            act()
            sys.stdout.flush()
        except BaseException as error:  # noqa: BLE001 - a child must not go on as if it were its parent
            print(f"raised {error!r}", flush=True)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        text = told.read()
    os.waitpid(child, 0)
    return text.strip()


def _forget_connections() -> None:
    """A connection, and the threads of a pool, belong to one process."""
    from django.db import connections  # noqa: PLC0415

    connection = connections["default"]
    connection.close()
    if connection.vendor == "postgresql":
        from django.db.backends.postgresql.base import DatabaseWrapper  # noqa: PLC0415 - needs the extra `scale`

        assert isinstance(connection, DatabaseWrapper)
        connection.close_pool()


if __name__ == "__main__":
    main()
