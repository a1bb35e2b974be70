"""When a site has stopped, its database file alone is everything."""

import shutil
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scale.sites import Site, first_move
from waiting import TIMEOUT_S

MOVES = 3


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_who_copies_the_file_of_a_stopped_site_has_everything(
    site: Callable[..., Site], tmp_path: Path, how: signal.Signals
) -> None:
    made = site(LUDOTHEQUE_THINKER="mover:anything", LUDOTHEQUE_PACE="0")
    process = made.open()
    table, cookie = made.set_computer(0)
    for number in range(MOVES):
        screen = made.screen(table, cookie)
        while not screen["moves"]:
            screen = made.screen(table, cookie)
        made.move(table, cookie, first_move(screen, f"{number}"))
    process.send_signal(how)
    assert process.wait(TIMEOUT_S) in (0, 124)  # 124 is how `timeout` passes it on
    data = Path(made.environment["LUDOTHEQUE_DATA"])
    wal = data / "ludotheque.sqlite3-wal"
    assert not wal.exists() or not wal.stat().st_size
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("ludotheque.sqlite3", "secret-key"):
        shutil.copy(data / name, copy)
    with closing(sqlite3.connect(copy / "ludotheque.sqlite3")) as database:
        stored = database.execute("SELECT count(*), max(client) FROM web_event WHERE client IN ('0', '1', '2')")
        assert stored.fetchone() == (MOVES, f"{MOVES - 1}")
    moved = site(LUDOTHEQUE_DATA=str(copy), LUDOTHEQUE_THINKER="")
    moved.open()
    assert int(str(moved.screen(table, cookie)["version"])) > MOVES
