"""Settings of a site whose clock is wrong by so many seconds as the file FAULTS_CLOCK_S says.

Python's clocks that only go forward, by which threads and the event loop wait, stay right, as they do in life.
(Debian's libfaketime would change the clock of C code, too, but under it Python waits for seconds, or fails
in `time.sleep`.)
"""

import os
import time
from datetime import UTC, datetime
from pathlib import Path

from django.utils import timezone

from faults.dial import Dial
from ludotheque.web.settings import *  # noqa: F403 - these are all of them

_wrong_by = Dial(Path(os.environ["FAULTS_CLOCK_S"]))
_true_time = time.time


def _time() -> float:
    return _true_time() + _wrong_by.number()


def _now() -> datetime:
    return datetime.fromtimestamp(_time(), UTC)


time.time = _time
timezone.now = _now
