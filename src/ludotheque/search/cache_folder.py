"""Where compiled code is kept: in the keeper's folder; if that cannot be written, in a private temporary one.

Compiled code is code: it is read from no folder that somebody else could have written to. Without any folder it is
compiled anew in every process, and computer players play nonetheless.
"""

import os
import tempfile
from functools import cache
from pathlib import Path

from ludotheque.private_folder import private_folder, temporary

NAME = "ludotheque"


def wanted() -> Path | None:
    """Where the keeper, or the system, wants it; None for a user without a home."""
    home = os.environ.get("LUDOTHEQUE_CACHE") or os.environ.get("XDG_CACHE_HOME")
    try:
        return Path(home or Path.home() / ".cache") / NAME
    except RuntimeError:
        return None


def is_writable(folder: Path | None) -> bool:
    """Whether files can be made there."""
    if folder is None:
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


@cache
def root() -> Path | None:
    """Where it is kept by this process."""
    found = wanted()
    return found if is_writable(found) else private_folder(f"{NAME}-cache", temporary())
