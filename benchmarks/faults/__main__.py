"""Faults of the machine: `scripts/benchmark faults`.

    scripts/benchmark faults [--write] [--only disk-full clock …] [--short]

Bots play as pages do (`benchmarks/killing`), sending a move again under the same id until it is answered, while
something happens to the machine. A move that was answered with "ok" counts as acknowledged.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import faults
import services
from faults import crash_points, report
from faults.catalogue import FAULTS
from faults.crash_points import Found
from faults.play import MAX_BACK_S, Outcome, run

PAGE = Path(__file__).parent.parent.parent / "docs/benchmarks/faults.md"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = ["crash-points", *FAULTS]
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--short", action="store_true", help="as the tests do it")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks/faults.md")
    parser.add_argument("--alone", choices=FAULTS, help=argparse.SUPPRESS)
    parser.add_argument(
        "--max-back", type=float, default=MAX_BACK_S, help="seconds until moves must be accepted again"
    )
    asked = parser.parse_args()
    if asked.alone:
        fault = FAULTS[asked.alone]
        size = replace(fault.short if asked.short else fault.long, max_back_s=asked.max_back)
        print(json.dumps(asdict(run(asked.alone, fault, size))))
        return 0
    points = _crash_points() if "crash-points" in asked.only else {}
    outcomes = [
        in_a_process(name, short=asked.short, max_back_s=asked.max_back) for name in asked.only if name in FAULTS
    ]
    text = report.page(points, outcomes, short=asked.short)
    print(text)
    if asked.write:
        PAGE.write_text(text, encoding="utf-8")
    return 0 if _all_good(points, outcomes) else 1


def _all_good(points: dict[str, Found], outcomes: list[Outcome | str]) -> bool:
    whole = not any(found.wrong for found in points.values())
    return whole and all(isinstance(outcome, Outcome) and outcome.good for outcome in outcomes)


def _crash_points() -> dict[str, Found]:
    found = {"SQLite": crash_points.in_a_process("")}
    if not services.missing():
        postgres = services.Postgres(durable=False)
        try:
            postgres.start()
            found["PostgreSQL"] = crash_points.in_a_process(postgres.url)
        finally:
            postgres.close()
    return found


def in_a_process(name: str, *, short: bool, max_back_s: float = MAX_BACK_S) -> Outcome | str:
    """What came of a fault, or why it cannot be brought about here."""
    if lacking := FAULTS[name].lacking():
        return f"{name}: {lacking}"
    words = ["--alone", name, "--max-back", f"{max_back_s}", *(["--short"] if short else [])]
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "faults", *words], env=faults.environment(), check=True, stdout=subprocess.PIPE
    )
    outcome = Outcome(**json.loads(done.stdout.splitlines()[-1]))
    print(outcome, file=sys.stderr, flush=True)
    return outcome


if __name__ == "__main__":
    sys.exit(main())
