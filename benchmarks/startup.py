"""How long it takes until one can begin: importing the library, the whole shelf, the command, the computer players.

scripts/benchmark startup [--write docs/benchmarks/startup.md]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

RUNS = 15
PROGRAMS = {
    "python, doing nothing": ["-c", "pass"],
    "`import ludotheque`": ["-c", "import ludotheque"],
    "… and every game of the shelf": ["-c", "import ludotheque; ludotheque.games()"],
    "… and a first match": ["-c", "import ludotheque; ludotheque.game('pizza').match(seats=3).moves(0)"],
    "`ludotheque games`": ["-m", "ludotheque.cli", "games"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    page = report()
    print(page)
    if wanted.write:
        before = wanted.write.read_text(encoding="utf-8") if wanted.write.exists() else ""
        _, mark, rest = before.partition("\n## ")  # what `scripts/benchmark fresh` has written
        wanted.write.write_text(page + mark + rest, encoding="utf-8")


def report() -> str:
    found = {name: median(program) for name, program in PROGRAMS.items()}
    bare = next(iter(found.values()))
    lines = [
        "# Start-up time",
        "",
        f"Written by `scripts/benchmark startup`: whole processes, median of {RUNS} runs.",
        "",
        "| | seconds | less Python itself |",
        "|---|--:|--:|",
        *(f"| {name} | {seconds:.2f} | {seconds - bare:.2f} |" for name, seconds in found.items()),
        "",
        compiling(),
    ]
    return "\n".join(lines) + "\n"


def compiling() -> str:
    """All computer players from nothing, once, as after a change of the rules."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as empty:
        seconds = timed(["-m", "ludotheque.cli", "prepare"], os.environ | {"LUDOTHEQUE_CACHE": empty})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (
        f"Compiling the computer players of all games from scratch (`ludotheque prepare`) takes {seconds:.0f} s on "
        f"{os.cpu_count()} cores, {busy:.0f} seconds of CPU time."
    )


def median(program: list[str]) -> float:
    return statistics.median(timed(program) for _ in range(RUNS))


def timed(program: list[str], environment: Mapping[str, str] | None = None) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *program], check=True, capture_output=True, env=environment)  # noqa: S603
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
