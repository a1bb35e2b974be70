"""What a start needs, checked before anything is changed; and whom the data is for: this user alone.

Each thing that is missing is said in one sentence, by its code in table [cli.keep] of `words/`.
"""

import errno
import logging
import os
import stat
from pathlib import Path

from ludotheque.errors import LudothequeError

log = logging.getLogger("ludotheque.web.server.preflight")

SECRET_KEY = "LUDOTHEQUE_SECRET_KEY"  # noqa: S105 - the name of the variable
SECRET_FILE = "secret-key"  # noqa: S105 - its name
DATABASE_FILES = tuple(f"ludotheque.sqlite3{ending}" for ending in ("", "-wal", "-shm"))
FOLDER_MODE, FILE_MODE = 0o700, 0o600
FULL = (errno.ENOSPC, errno.EDQUOT)


class CannotStart(LudothequeError):  # noqa: N818 - reads as what it is
    """Why the site cannot be opened with this data."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, code, values)


def check_data(folder: Path) -> None:
    """The data folder is there and can be written, with all that is in it; and no key is empty."""
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as error:
        raise CannotStart("unwritable", file=folder, why=error.strerror) from error
    _need(folder, os.R_OK | os.W_OK | os.X_OK)
    for name in DATABASE_FILES:
        _need(folder / name, os.R_OK | os.W_OK)
    _need(folder / SECRET_FILE, os.R_OK)
    if SECRET_KEY in os.environ and not os.environ[SECRET_KEY].strip():
        raise CannotStart("empty-key", name=SECRET_KEY)


def check_key(folder: Path) -> None:
    """The key file has a key in it, unless the key comes from elsewhere."""
    if SECRET_KEY not in os.environ and not (folder / SECRET_FILE).read_text(encoding="utf-8").strip():
        raise CannotStart("empty-key-file", file=folder / SECRET_FILE)


def check_not_newer() -> None:
    """A later version has not migrated the database: this one would not know what it stores."""
    from django.db import connection  # noqa: PLC0415 - Django must be set up first
    from django.db.migrations.loader import MigrationLoader  # noqa: PLC0415
    from django.db.migrations.recorder import MigrationRecorder  # noqa: PLC0415

    applied = MigrationRecorder(connection).applied_migrations()
    unknown = sorted(set(applied) - set(MigrationLoader(None).disk_migrations))
    if unknown:
        raise CannotStart("newer", name=".".join(unknown[0]))


def _need(path: Path, access: int) -> None:
    if path.exists() and not os.access(path, access):
        read_only = os.statvfs(path).f_flag & os.ST_RDONLY
        raise CannotStart("unwritable", file=path, why=os.strerror(errno.EROFS if read_only else errno.EACCES))


def keep_private(folder: Path) -> None:
    """Take from everybody else what earlier versions, or a copy, have left open to them.

    SQLite gives the files beside the database the mode of the database.
    """
    if os.environ.get("DATABASE_URL", "") == "":
        os.close(os.open(folder / DATABASE_FILES[0], os.O_RDWR | os.O_CREAT, FILE_MODE))
    _tighten(folder, FOLDER_MODE)
    for name in (*DATABASE_FILES, SECRET_FILE):
        _tighten(folder / name, FILE_MODE)


def _tighten(path: Path, mode: int) -> None:
    found = path.stat().st_mode if path.exists() else mode
    if not found & 0o777 & ~mode:
        return
    facts = {"file": str(path), "mode": f"{found & 0o777:03o}"}
    try:
        if found & stat.S_ISVTX:
            raise PermissionError("a folder for everybody, such as /tmp")
        path.chmod(found & mode)
    except OSError:
        log.warning("others may read the data: give it a folder of its own", extra={"facts": facts})
    else:
        log.warning("others could read this; now only its owner can", extra={"facts": facts})
