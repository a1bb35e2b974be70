"""Puzzles and computer players: whoever asks for many waits behind those who ask for one."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psutil

from attack.catalogue import under_attack
from attack.client import ATTACKER, get, request
from attack.held_player import TICKETS
from attack.requests import FIRST_PUZZLE
from crowd.site import Site as Visit
from scale.sites import Site
from waiting import TIMEOUT_S, until

SOMEBODY = "127.0.0.7"
PUZZLE = "/puzzles/hepta-solo/5/{}"
MAX_JOBS_BEFORE = 5  # that were made before somebody else's one, which waits for those that run and may meet a few
MANY_TABLES = 40


def stored(site: Site, query: str, *values: str) -> int:
    """A number from what the site has stored."""
    file = Path(site.environment["LUDOTHEQUE_DATA"]) / "ludotheque.sqlite3"
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as database:
        found: int = database.execute(query, values).fetchone()[0]
    database.close()
    return found


def puzzles_of_attacker(site: Site, before: int = 0) -> int:
    """All that are made, or those that were made before this one of somebody else."""
    begin, until_then = f"hepta-solo:5#{FIRST_PUZZLE // 10_000}%", f"hepta-solo:5#{before}"
    query = """SELECT count(*) FROM web_puzzle WHERE seed LIKE ?
        AND rowid<coalesce((SELECT rowid FROM web_puzzle WHERE seed=?), 1e18)"""
    return stored(site, query, begin, until_then)


@contextmanager
def nothing_made(site: Site) -> Iterator[None]:
    """The processes that compute for the site stand still meanwhile; what is asked for waits."""
    workers = psutil.Process(site.servers[site.port].pid).children(recursive=True)
    computing = [process for process in workers if "multiprocessing.spawn" in " ".join(process.cmdline())]
    assert computing
    for process in computing:
        process.suspend()
    try:
        yield
    finally:
        for process in computing:
            process.resume()


def get_made(site: Site, number: int) -> None:
    """Ask for a puzzle as a page does, until it is there."""
    path = PUZZLE.format(number)
    until(lambda: get(site.port, path, SOMEBODY) == 200, "the puzzle is not made")


def test_a_puzzle_does_not_wait_for_all_those_of_somebody_else(new_site: Callable[..., Site]) -> None:
    site = new_site(LUDOTHEQUE_LIMITS="puzzle=0/0")  # it is the queue that is tried, and no limit hides it
    get_made(site, 1)  # the process that makes puzzles has started
    with under_attack("puzzles", site.port, TIMEOUT_S):
        until(lambda: puzzles_of_attacker(site) >= 5, "there is no attack")
        for number in (10, 20, 30, 40):  # the one after each is made ahead
            with nothing_made(site):
                before = puzzles_of_attacker(site)
                assert get(site.port, PUZZLE.format(number), SOMEBODY) == 202
            get_made(site, number)
            assert puzzles_of_attacker(site, before=number) - before <= MAX_JOBS_BEFORE


def test_who_asks_for_too_many_puzzles_is_told_when_to_come_back(new_site: Callable[..., Site]) -> None:
    site = new_site(LUDOTHEQUE_LIMITS="puzzle=0/0")
    refusals, numbers = list[bytes](), count(2 * FIRST_PUZZLE)

    def is_refused() -> bool:
        status, answer = request(site.port, f"GET {PUZZLE.format(next(numbers))}", address=ATTACKER)
        refusals.extend([answer] if status == 503 else [])
        return status == 503

    with under_attack("puzzles", site.port, TIMEOUT_S):
        until(is_refused, "nothing is refused")
        get_made(site, 1)
    assert b"retry-after: " in refusals[0].lower()


def moves(site: Site, table: str = "%") -> int:
    """Moves at this table, or at all tables."""
    return stored(site, "SELECT count(*) FROM web_event WHERE kind='move' AND table_id LIKE ?", table)


def let_one_play(site: Site, tickets: Path) -> None:
    """Whoever is first in line; until that move is stored."""
    before = moves(site)
    (tickets / f"{before}").touch()
    until(lambda: moves(site) > before, "nobody thinks")


def test_a_computer_player_does_not_wait_for_many_others(new_site: Callable[..., Site], tmp_path: Path) -> None:
    tickets = tmp_path / "tickets"
    tickets.mkdir()
    thinker = {"LUDOTHEQUE_THINKER": "attack.held_player:think", "LUDOTHEQUE_THINKERS": "1", "LUDOTHEQUE_PACE": "0"}
    site = new_site(**thinker, **{TICKETS: str(tickets)})
    attacker, somebody = Visit(site.port, address=ATTACKER), Visit(site.port, address=SOMEBODY)
    for _ in range(MANY_TABLES):
        attacker.open_against_computer()
    table = somebody.open_against_computer()
    assert moves(site) == 0, "all of them wait"
    while not moves(site, table):
        assert moves(site) < MANY_TABLES / 2, "it waits for the others"
        let_one_play(site, tickets)
