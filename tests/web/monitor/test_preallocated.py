"""Figures wait for room; they never end the process that counts, and do not stand among the data."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from prometheus_client.mmap_dict import MmapedDict

import disks
from ludotheque import private_folder as private
from ludotheque.private_folder import private_folder
from ludotheque.web.monitor import preallocated
from ludotheque.web.monitor.preallocated import ReservedDict

MANY = """
import django
django.setup()
from ludotheque.web.monitor import metrics
for number in range(3000):
    metrics.ERRORS.labels(f"somebody who logs under a long name {number}").inc()
"""
WHERE = """
import django
django.setup()
from ludotheque.web.monitor import metrics
metrics.MOVES.labels("person").inc()
print(metrics.FOLDER)
print(metrics.page().decode())
"""


def values(file: Path) -> dict[str, float]:
    found = MmapedDict.read_all_values_from_file(str(file))  # type: ignore[no-untyped-call]
    return {key: value for key, value, _, _ in found}


def counted(program: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    own = os.environ | {"LUDOTHEQUE_LOG": "ERROR"} | environment
    return subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program],
        env={name: value for name, value in own.items() if value},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_finds_no_room_is_told_when_there_is_some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_asked: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    file = tmp_path / "counter_1.db"
    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", full)
        kept = ReservedDict(str(file))
        assert kept.read_value("a") == (0.0, 0.0)
        kept.write_value("a", 1.0, 0.0)
        assert list(tmp_path.iterdir()) == [], "nothing half-made, which a reader would stumble over"
    kept.write_value("a", 2.0, 0.0)
    assert values(file) == {"a": 2.0}
    names = [f"{number:0200}" for number in range(preallocated.FIRST_BYTES // 200)]
    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", full)
        for name in names:
            kept.write_value(name, 1.0, 0.0)
        assert 1 < len(values(file)) < len(names)
    for name in names:
        kept.write_value(name, 3.0, 0.0)
    assert values(file) == {"a": 2.0} | dict.fromkeys(names, 3.0)
    kept.close()
    again = ReservedDict(str(file))
    assert again.read_value("a") == (2.0, 0.0)
    again.close()


def test_a_full_disk_does_not_kill_whoever_counts(tmp_path: Path) -> None:
    with disks.small_disk(tmp_path / "disk", 1) as disk:
        disks.fill(disk, leaving=8192)
        done = counted(MANY, PROMETHEUS_MULTIPROC_DIR=str(disk))
        assert done.returncode == 0, done


def test_a_folder_that_cannot_be_made_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = counted(WHERE, PROMETHEUS_MULTIPROC_DIR=str(tmp_path / "file" / "below"))
    assert done.returncode == 0, done.stderr


def test_processes_of_one_site_find_each_other_outside_their_data(tmp_path: Path) -> None:
    site = {"PROMETHEUS_MULTIPROC_DIR": "", "TMPDIR": str(tmp_path), "LUDOTHEQUE_DATA": str(tmp_path / "data")}
    (tmp_path / "data").mkdir()
    counted("from ludotheque.web.server import serve; serve.set_up()", **site)
    first, second = (counted(WHERE, **site).stdout for _ in range(2))
    folder = Path(first.split("\n", 1)[0])
    assert second.startswith(f"{folder}\n")
    assert tmp_path / "data" not in folder.parents
    assert folder.stat().st_mode & 0o777 == 0o700
    assert 'ludotheque_moves_total{who="person"} 2.0' in second
    other = counted(WHERE, **site | {"LUDOTHEQUE_DATA": str(tmp_path)}).stdout.split("\n", 1)[0]
    assert other != str(folder), "another site's"
    for each in (folder, Path(other)):
        for file in each.iterdir():
            file.unlink()
        each.rmdir()


def test_a_folder_that_somebody_else_could_write_to_is_not_used(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    first = private_folder("x", one, two)
    assert first == private_folder("x", one, two)
    assert first is not None
    assert first.parent == one
    first.chmod(0o770)
    second = private_folder("x", one, two)
    assert second is not None
    assert second.parent == two
    second.rmdir()
    second.symlink_to(tmp_path)
    assert private_folder("x", one, two) is None
    assert not private.is_private(second)
