"""Folders of this user alone, outside the data, for what may be lost: figures, compiled code.

Such a folder is found again by its name, by every process of the same user. It stands where all may write, so that
somebody else may have been there first: a folder that is not ours alone is never used.
"""

import os
import stat
from pathlib import Path

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - only private folders in it are used
OURS_ALONE = 0o700


def temporary() -> Path:
    """The folder of temporary files, the same for every process: `tempfile` looks elsewhere when it is full."""
    return Path(os.environ.get("TMPDIR") or "/tmp")  # noqa: S108 - as above


def private_folder(name: str, *parents: Path) -> Path | None:
    """This user's folder of this name, in the first of these that can have it; None if none can."""
    for parent in parents:
        folder = parent / f"{name}-{os.geteuid()}"
        try:
            folder.mkdir(mode=OURS_ALONE, exist_ok=True)
        except OSError:
            continue
        if is_private(folder):
            return folder
    return None


def is_private(folder: Path) -> bool:
    """Whether it is a folder and no link, writable by us, and by nobody else readable or writable."""
    found = folder.lstat()
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & ~OURS_ALONE & 0o777
    return is_ours and os.access(folder, os.W_OK | os.X_OK)
