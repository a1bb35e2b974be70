"""Settings of a site on a slow disk: every commit takes so many seconds longer as the file FAULTS_COMMIT_S says."""

import os
import time
from pathlib import Path

from django.db.backends.base.base import BaseDatabaseWrapper

from faults.dial import Dial
from ludotheque.web.settings import *  # noqa: F403 - these are all of them

_longer = Dial(Path(os.environ["FAULTS_COMMIT_S"]))
_commit = BaseDatabaseWrapper._commit  # type: ignore[attr-defined]  # noqa: SLF001


def _slow_commit(self: BaseDatabaseWrapper) -> None:
    """The lock is held meanwhile, as it is while a disk writes."""
    time.sleep(_longer.number())
    _commit(self)


BaseDatabaseWrapper._commit = _slow_commit  # type: ignore[attr-defined]  # noqa: SLF001
