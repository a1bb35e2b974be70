"""Nothing is lost when processes are killed: the short form of `benchmarks/crash.py`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import crash
import services
from killing.report import Report

FILE = Path(crash.__file__)


@pytest.mark.parametrize(("site", "kills"), [("one", 3), ("two", 10)])
def test_every_acknowledged_move_is_there_once_whatever_was_killed(site: str, kills: int) -> None:
    if site == "two" and services.missing():
        pytest.skip(f"needs Debian's {', '.join(services.missing())}")
    how = {"tables": 12, "kills": kills, "pace": 0.4, "spread": 3, "most": 240}
    words = [word for name, value in how.items() for word in (f"--{name}", str(value))]
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, str(FILE), "--alone", site, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    report = Report(**json.loads(done.stdout.splitlines()[-1]))
    assert sum(report.kills.values()) > 1
    assert report.acknowledged > 50
    assert report.good, report
