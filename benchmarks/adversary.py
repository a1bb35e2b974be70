"""What others feel while one address attacks a site with its default settings: `scripts/benchmark adversary`.

    scripts/benchmark adversary [--write] [--only pings records] [--seconds 20] [--before ../older-checkout]

For each attack (`benchmarks/attack`) a site is started: one process, SQLite, default settings, a data folder of its
own. What computer players need is compiled before, and the site has come to rest. Two people play at each of 100
tables, a move a second at every table, each table from an address of its own; from three more addresses somebody
reads a page five times a second, wants one new puzzle after the other, and sits down against one computer player
after the other. Then the attack begins, from one more address, in a process of its own. In the end every move that
was acknowledged must be in the database. Bots, attacker and site share this machine.

`--before` does the same to an older checkout, with its own dependencies. The exit status is 1 if, now, 1 of 100 moves
takes longer than 250 ms, something acknowledged is lost, or the site dies or does not answer in the end.
"""

import argparse
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
import psutil

import services
from attack import lookers
from attack.catalogue import ATTACKS, under_attack
from attack.client import get
from attack.others import Felt, others
from crowd.servers import HERE, Checkout
from killing.acknowledged import lost, stored_in_sqlite
from services import Running

PAGE = Path(__file__).parent.parent / "docs/benchmarks/adversary.md"
TABLES, MOVE_EVERY_S = 100, 1.0
ATTACK_S = 20.0
QUIET_S, MAX_QUIET_S = 5.0, 120.0  # of playing before the attack, until all have been answered once
MAX_P99_MS = 250
REST_S, MAX_BUSY_SHARE, MAX_START_S = 3.0, 0.05, 1200.0  # a site at rest uses less of a core for so long
NOTHING = "nothing"
BLOCK_BYTES = 512  # of which `stat` tells the number
Told = TypeVar("Told")


@dataclass(frozen=True)
class Suffered:
    """What came of one attack on one version."""

    p99_ms: float
    slowest_move_ms: float
    page_ms: float
    puzzle_ms: float
    turn_ms: float
    refused: int
    stopped: int
    lost: int
    memory_mb: float
    data_mb: float
    lives: bool

    def wrong(self, attack: str) -> list[str]:
        """What must not be, in sentences."""
        sentences = []
        if not self.p99_ms <= MAX_P99_MS:
            sentences.append(f"1 of 100 moves took {_seconds(self.p99_ms)} or more, not {MAX_P99_MS} ms")
        if self.lost:
            sentences.append(f"{self.lost} acknowledged moves are not in the database")
        if not self.lives:
            sentences.append("the site died, or does not answer any more")
        return [f"{_spaced(attack)}: {sentence}." for sentence in sentences]


COLUMNS: dict[str, Callable[[Suffered], str]] = {
    "move, p99": lambda found: _seconds(found.p99_ms) + ("" if found.lives else " **died**"),
    "slowest move": lambda found: _seconds(found.slowest_move_ms),
    "slowest page": lambda found: _seconds(found.page_ms),
    "slowest puzzle": lambda found: _seconds(found.puzzle_ms),
    "slowest turn": lambda found: _seconds(found.turn_ms),
    "refused": lambda found: str(found.refused),
    "pairs stopped": lambda found: str(found.stopped),
    "moves lost": lambda found: str(found.lost),
    "memory, MB": lambda found: f"{found.memory_mb:+.0f}",
    "data, MB": lambda found: f"{found.data_mb:+.0f}",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[NOTHING, *ATTACKS], default=[NOTHING, *ATTACKS])
    parser.add_argument("--seconds", type=float, default=ATTACK_S, help="of each attack")
    parser.add_argument("--before", type=Path, help="a checkout of an older version")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/adversary.md")
    wanted = parser.parse_args()
    versions = {"before": Checkout.at(wanted.before)} if wanted.before else {}
    versions["now"] = HERE
    rows: dict[str, dict[str, Suffered]] = {name: {} for name in wanted.only}
    with ExitStack() as stack:
        folders = {version: stack.enter_context(warmed_up(checkout)) for version, checkout in versions.items()}
        for name, found in rows.items():
            for version, checkout in versions.items():
                found[version] = suffer(name, checkout, folders[version], wanted.seconds)
                told = (f"{column} {value(found[version])}" for column, value in COLUMNS.items())
                print(f"{name} ({version}): {', '.join(told)}", file=sys.stderr, flush=True)
    page = written(rows, list(versions), wanted.seconds)
    print(page)
    if wanted.write:
        PAGE.write_text(page, encoding="utf-8")
    wrong = [sentence for name, found in rows.items() for sentence in found["now"].wrong(name)]
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return 1 if wrong else 0


# The site


@contextmanager
def warmed_up(checkout: Checkout) -> Iterator[Path]:
    """The data folder of a site that has compiled its computer players and made its first puzzles."""
    with tempfile.TemporaryDirectory(prefix="ludotheque-adversary-", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        with _started(checkout, data) as (site, _):
            site.stop()
        yield data


@contextmanager
def _started(checkout: Checkout, data: Path) -> Iterator[tuple[Running, int]]:
    """A site with its default settings, at rest, and its port."""
    port = services.free_port()
    site = checkout.serve_by_default(data, port, data.with_suffix(".log"))
    site.start()
    try:
        services.wait_for(port)
        _wait_for_rest(site)
        yield site, port
    finally:
        site.kill()


def _wait_for_rest(site: Running) -> None:
    """Until nothing is compiled or made ahead."""
    deadline = time.monotonic() + MAX_START_S
    while time.monotonic() < deadline:
        if _is_at_rest(site):
            return
    raise TimeoutError(f"the site is still busy after {MAX_START_S:.0f} s")


def _is_at_rest(site: Running) -> bool:
    """Whether its processes need nearly nothing of a core for some seconds, and none of them waits for one."""
    before, until = _cpu_s(site), time.monotonic() + REST_S
    while time.monotonic() < until:
        time.sleep(REST_S / 20)
        if psutil.STATUS_RUNNING in _each(site, psutil.Process.status):
            return False
    return 0 <= _cpu_s(site) - before < MAX_BUSY_SHARE * REST_S  # less than none: one of its processes has ended


def _cpu_s(site: Running) -> float:
    return float(sum(times.user + times.system for times in _each(site, psutil.Process.cpu_times)))


def _each(site: Running, ask: Callable[[psutil.Process], Told]) -> list[Told]:
    """What all processes of a site tell; one may end meanwhile."""
    found = list[Told]()
    for process in _processes(site):
        with suppress(psutil.NoSuchProcess):
            found.append(ask(process))
    return found


def _processes(site: Running) -> list[psutil.Process]:
    if site.process is None or not site.alive:
        return []
    head = psutil.Process(site.process.pid)
    return [head, *head.children(recursive=True)]


def _memory(site: Running) -> int:
    """Bytes that its processes have for themselves."""
    return sum(int(found.uss) for found in _each(site, psutil.Process.memory_full_info))


def _size(data: Path) -> int:
    """Bytes that the files of a folder take on the disk."""
    taken = 0
    for file in data.rglob("*"):
        with suppress(FileNotFoundError):  # it may be a temporary one
            taken += file.stat().st_blocks * BLOCK_BYTES
    return taken


# An attack


def suffer(attack: str, checkout: Checkout, warm: Path, seconds: float) -> Suffered:
    """Start a site, let people play there, and attack it."""
    with tempfile.TemporaryDirectory(prefix="ludotheque-adversary-", ignore_cleanup_errors=True) as folder:
        data = Path(folder) / "data"
        shutil.copytree(warm, data)
        with _started(checkout, data) as (site, port):
            felt, grown = _attacked(attack, site, port, data, seconds)
            lives = site.alive and get(port, "/health", lookers.READER) == 200
            site.kill()
        return _suffered(felt, lost(felt.acknowledged, stored_in_sqlite(data / "ludotheque.sqlite3")), grown, lives)


def _attacked(attack: str, site: Running, port: int, data: Path, seconds: float) -> tuple[Felt, tuple[int, int]]:
    """What others felt, and by how many bytes memory and data have grown."""
    wishes = (lookers.puzzle, lookers.computers_turn)
    with others(port, TABLES, move_every_s=MOVE_EVERY_S, wishes=wishes, forgiving=True) as felt:
        _wait_for_answers(felt)
        felt.forget()
        before = _memory(site), _size(data)
        with nullcontext() if attack == NOTHING else under_attack(attack, port, seconds):
            time.sleep(seconds)
        grown = _memory(site) - before[0], _size(data) - before[1]
    return felt, grown


def _wait_for_answers(felt: Felt) -> None:
    """Until everybody has been answered once: what is loaded once is loaded."""
    since = time.monotonic()
    time.sleep(QUIET_S)
    while not (felt.moves_s and all(looker.took_s for looker in felt.lookers)):
        if time.monotonic() - since > MAX_QUIET_S:
            raise TimeoutError(f"not all are answered, with nobody attacking: {felt.mistakes[:3]}")
        time.sleep(0.1)


def _suffered(felt: Felt, moves_lost: int, grown: tuple[int, int], lives: bool) -> Suffered:
    page, puzzle, turn = (1000 * looker.slowest_s for looker in felt.lookers)
    return Suffered(
        p99_ms=1000 * float(np.quantile(felt.moves_s or [np.inf], 0.99)),
        slowest_move_ms=1000 * felt.slowest_move_s,
        page_ms=page,
        puzzle_ms=puzzle,
        turn_ms=turn,
        refused=sum(looker.refused + len(looker.failures) for looker in felt.lookers),
        stopped=felt.stopped,
        lost=moves_lost,
        memory_mb=grown[0] / 1e6,
        data_mb=grown[1] / 1e6,
        lives=lives,
    )


# The page


def _seconds(milliseconds: float) -> str:
    if not np.isfinite(milliseconds):
        return "never"
    return f"{milliseconds:.0f} ms" if milliseconds < 10_000 else f"{milliseconds / 1000:.0f} s"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def written(rows: dict[str, dict[str, Suffered]], versions: list[str], seconds: float) -> str:
    tables = "\n\n".join(_table(rows, version, titled=len(versions) > 1) for version in versions)
    told = "\n".join(f"- **{_spaced(name)}**: {_told(name)}" for name in rows if name != NOTHING)
    again = " --before …" if "before" in versions else ""
    python = f"Python {platform.python_version()}"
    return f"""# One address against the site

Two people play at each of {TABLES} tables, a move a second at every table, while one other address attacks for
{seconds:.0f} seconds. The site is one process with SQLite and its default settings, started anew for each attack,
with its computer players compiled. Bots and attacker share the machine with it ({os.cpu_count()} cores,
{platform.system()}, {python}).

- **move**: from the click to the opponent’s screen; p99: 99 of 100 took no longer. {MAX_P99_MS} ms are the limit.
  **died**: the process ended, or did not answer within 10 s after the attack.
- **slowest page**, **puzzle**, **turn**: from three other addresses somebody reads a page five times a second, wants
  one new puzzle after the other, and sits down against one computer player after the other, who moves first (after
  a pause of 0.6 s at least). What was never answered counts as long as it was waited for.
- **refused**: how often one of these three got 429, 503 or no answer.
- **pairs stopped**: tables at which a move was not on both screens within 10 s, or not in order.
- **moves lost**: acknowledged moves that are not in the database afterwards. The limit is 0.
- **memory**, **data**: by how much the memory of the site’s processes and its data folder grew meanwhile. The
  {TABLES} tables have a part in it, which the row “{NOTHING}” shows.

{tables}

{told}

Written by `scripts/benchmark adversary --write{again}`. `tests/adversary` runs the same attacks for seconds.
"""


def _table(rows: dict[str, dict[str, Suffered]], version: str, *, titled: bool) -> str:
    lines = [
        f"| {_spaced(name)} | {' | '.join(value(found[version]) for value in COLUMNS.values())} |"
        for name, found in rows.items()
    ]
    title = [f"## {version.capitalize()}", ""] if titled else []
    return "\n".join([*title, f"| attack | {' | '.join(COLUMNS)} |", "|---|" + "---|" * len(COLUMNS), *lines])


def _told(name: str) -> str:
    """What an attack says of itself."""
    text = " ".join((ATTACKS[name].__doc__ or "").split())
    return text[0].lower() + text[1:]


if __name__ == "__main__":
    sys.exit(main())
