"""How long it takes until one can begin: importing the library, the whole shelf, the command.

scripts/benchmark startup [--write docs/benchmarks/startup.md]
"""

import argparse
import statistics
import subprocess
import sys
import time
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
        wanted.write.write_text(page, encoding="utf-8")


def report() -> str:
    found = {name: median(program) for name, program in PROGRAMS.items()}
    bare = next(iter(found.values()))
    lines = [
        "# Until one can begin",
        "",
        f"Written by `scripts/benchmark startup`: whole processes, median of {RUNS} runs.",
        "",
        "| | seconds | without Python's own |",
        "|---|--:|--:|",
        *(f"| {name} | {seconds:.2f} | {seconds - bare:.2f} |" for name, seconds in found.items()),
    ]
    return "\n".join(lines) + "\n"


def median(program: list[str]) -> float:
    return statistics.median(timed(program) for _ in range(RUNS))


def timed(program: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *program], check=True, capture_output=True)  # noqa: S603
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
