"""What a look at a long record costs the site: `scripts/benchmark looks [--write] [--before ../older-checkout]`.

The longest record that the site accepts is brought; then one person looks at it, the same person again, and 20 at
once. Seconds are those from the request to the whole answer and those of a core that the site used; MB is how much
more memory its process had for itself at the worst moment.
"""

import argparse
import os
import platform
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

import services
from attack.client import get
from attack.records import bring_longest
from crowd.servers import HERE, Checkout
from services import Running

PAGE = Path(__file__).parent.parent / "docs/benchmarks/looks.md"
AT_ONCE = 20
SAMPLE_EVERY_S = 0.005


@dataclass
class Cost:
    """What something cost."""

    seconds: float = 0.0
    core_s: float = 0.0
    grown_mb: float = 0.0
    unanswered: int = 0

    def __str__(self) -> str:
        lost = f", {self.unanswered} unanswered" if self.unanswered else ""
        return f"{self.seconds:.2f} s{lost} | {self.core_s:.2f} s | {self.grown_mb:.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="a checkout of an older version")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/looks.md")
    wanted = parser.parse_args()
    versions = {"before": Checkout.at(wanted.before)} if wanted.before else {}
    versions["now"] = HERE
    page = written({version: measured(checkout) for version, checkout in versions.items()})
    print(page)
    if wanted.write:
        PAGE.write_text(page, encoding="utf-8")


def measured(checkout: Checkout) -> dict[str, Cost]:
    """What looks cost a version of the site."""
    port = services.free_port()
    with tempfile.TemporaryDirectory(prefix="ludotheque-looks-", ignore_cleanup_errors=True) as folder:
        site = checkout.serve(Path(folder), port, {"LUDOTHEQUE_LIMITS": "off"})
        site.start()
        try:
            services.wait_for(port)
            get(port, "/about")
            return _costs(site, port, bring_longest(port))
        finally:
            site.kill()


def _costs(site: Running, port: int, address: str) -> dict[str, Cost]:
    found = {}
    for name, paths in {
        "first look": [address],
        "another": [address],
        "one position": [f"{address}/at/9"],
        f"{AT_ONCE} looks at once": [address] * AT_ONCE,
        f"{AT_ONCE} positions at once": [f"{address}/at/{step}" for step in range(AT_ONCE)],
    }.items():
        with _watched(site) as found[name], ThreadPoolExecutor(len(paths)) as people:
            answers = list(people.map(lambda path: get(port, path), paths))
        found[name].unanswered = len(answers) - answers.count(200)
    return found


@contextmanager
def _watched(site: Running) -> Iterator[Cost]:
    """What the site's processes need meanwhile."""
    assert site.process is not None
    family = [psutil.Process(site.process.pid)]
    family += family[0].children(recursive=True)
    cost, over, before = Cost(), threading.Event(), _bytes(family)
    most = [before]

    def watch() -> None:
        while not over.wait(SAMPLE_EVERY_S):
            most[0] = max(most[0], _bytes(family))

    watcher = threading.Thread(target=watch)
    watcher.start()
    since, core = time.monotonic(), _core_seconds(family)
    try:
        yield cost
    finally:
        cost.seconds, cost.core_s = time.monotonic() - since, _core_seconds(family) - core
        over.set()
        watcher.join()
        cost.grown_mb = (most[0] - before) / 1e6


def _bytes(family: list[psutil.Process]) -> int:
    return sum(int(process.memory_full_info().uss) for process in family)


def _core_seconds(family: list[psutil.Process]) -> float:
    return float(sum(sum(process.cpu_times()[:2]) for process in family))


def written(found: dict[str, dict[str, Cost]]) -> str:
    head = " | ".join(f"{version}: took | of a core | MB" for version in found)
    names = next(iter(found.values()))
    rows = [f"| {name} | {' | '.join(str(costs[name]) for costs in found.values())} |" for name in names]
    again = " --before …" if "before" in found else ""
    return f"""# Looks at a long record

The longest record that the site accepts, looked at by one person, by the same person again, and by {AT_ONCE} at once;
the replay's page, and the picture of one of its positions. *Took* is the time from the request to the last answer,
*of a core* what the site computed meanwhile, MB how much more memory its process had for itself at the worst moment.
One process with SQLite ({os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}).

| | {head} |
|---|{"---|" * 3 * len(found)}
{chr(10).join(rows)}

Written by `scripts/benchmark looks --write{again}`.
"""


if __name__ == "__main__":
    main()
