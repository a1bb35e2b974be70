"""Requests that make the site work: while one address sends as many as it can, all others play on."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import services
from attack import lookers
from attack.catalogue import ATTACKS, OVERLOADS, under_attack
from attack.client import get
from attack.others import others
from killing.acknowledged import lost, stored_in_sqlite
from metronome import metronome
from scale.sites import Site
from waiting import TIMEOUT_S, until

MOVES, PAGES = 100, 10  # of others meanwhile: some seconds
FELT_S = 2.0  # on a machine that is free; the benchmark has the figure


@pytest.mark.parametrize("attack", OVERLOADS)
def test_others_play_on_and_nothing_is_lost(new_site: Callable[..., Site], attack: str) -> None:
    site = new_site()
    with (
        metronome() as machine,
        others(site.port, forgiving=True, move_timeout_s=TIMEOUT_S) as felt,
        under_attack(attack, site.port, TIMEOUT_S),
    ):
        felt.forget()
        reader = felt.lookers[0]
        until(lambda: len(felt.moves_s) >= MOVES and len(reader.took_s) >= PAGES, "others cannot play on")
    assert site.servers[site.port].poll() is None
    assert get(site.port, "/health", lookers.READER) == 200
    assert felt.stopped == 0, felt.mistakes
    assert felt.slowest_move_s < machine.bound_s(FELT_S)
    assert felt.slowest_look_s < machine.bound_s(FELT_S)
    assert len(felt.acknowledged) >= MOVES
    stored = stored_in_sqlite(Path(site.environment["LUDOTHEQUE_DATA"]) / "ludotheque.sqlite3")
    assert lost(felt.acknowledged, stored) == 0


def test_every_attack_has_a_test() -> None:
    root = Path(services.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "tests/adversary"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [name for name in ATTACKS if f"[{name}]" not in done.stdout] == []


def test_an_acknowledged_move_that_is_not_stored_counts_as_lost(new_site: Callable[..., Site]) -> None:
    site = new_site()
    with others(site.port, 1) as felt:
        until(lambda: len(felt.moves_s) >= 2, "nobody plays")
    stored = stored_in_sqlite(Path(site.environment["LUDOTHEQUE_DATA"]) / "ludotheque.sqlite3")
    assert len(felt.acknowledged) >= 2
    assert lost(felt.acknowledged, stored) == 0
    del stored[felt.acknowledged[0]]
    assert lost(felt.acknowledged, stored) == 1
