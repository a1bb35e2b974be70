"""What became of the sites, as a page."""

import os
import platform
from collections.abc import Callable

from faults.catalogue import FAULTS
from faults.crash_points import Found
from faults.play import Outcome

ROWS: list[tuple[str, Callable[[Outcome], object]]] = [
    ("times", lambda seen: seen.times),
    ("tables", lambda seen: seen.tables),
    ("… played to their end", lambda seen: seen.tables - seen.unfinished),
    ("seconds", lambda seen: round(seen.seconds)),
    ("acknowledged moves", lambda seen: f"{seen.acknowledged:,}"),
    ("**acknowledged moves lost**", lambda seen: f"**{seen.lost}**"),
    ("**moves counted twice**", lambda seen: f"**{seen.doubled}**"),
    ("**processes that died of it**", lambda seen: f"**{seen.died}**"),
    ("gaps, records that do not verify, refused moves that were stored", lambda seen: seen.wrong),
    ("screens that showed what was not stored, or came out of order", lambda seen: seen.untrue),
    ("seconds until a move was accepted again", lambda seen: _range(seen.back_s)),
    ("seconds until a computer player moved again", lambda seen: _range(seen.computer_back_s)),
    ("`/health`, asked 20 times a second, p99", lambda seen: f"{1000 * seen.health_p99_s:.0f} ms"),
]


def page(points: dict[str, Found], outcomes: list[Outcome | str], *, short: bool) -> str:
    parts = ["# Faults of the machine", _INTRODUCTION.strip(), *([_crash_points(points)] if points else [])]
    parts += [outcome if isinstance(outcome, str) else _section(outcome, short=short) for outcome in outcomes]
    parts.append(
        f"Measured by `scripts/benchmark faults --write` on {platform.system()} with Python "
        f"{platform.python_version()}, {os.cpu_count()} cores shared with the bots, and with whatever else ran "
        f"(load average {os.getloadavg()[2]:.0f})."
    )
    return "\n\n".join(parts) + "\n"


def _crash_points(points: dict[str, Found]) -> str:
    names = list(next(iter(points.values())).points)
    rows = [
        f"| {name} | {' | '.join(str(found.points.get(name, '')) for found in points.values())} |" for name in names
    ]
    totals = " | ".join(f"**{sum(found.points.values())}**" for found in points.values())
    wrong = " | ".join(f"**{len(found.wrong)}**" for found in points.values())
    head = [f"| points of a command | {' | '.join(points)} |", f"|---|{'--:|' * len(points)}"]
    table = "\n".join(
        [*head, *rows, f"| **all, each died at once** | {totals} |", f"| **wrong afterwards** | {wrong} |"]
    )
    return f"## Crash points\n\n{_ABOUT_POINTS.strip()}\n\n{table}"


def _section(seen: Outcome, *, short: bool) -> str:
    fault = FAULTS[seen.fault]
    size = fault.short if short else fault.long
    more = [(what, f"{number:g}" if number == int(number) else f"{number:.1f}") for what, number in seen.more.items()]
    rows = [f"| {name} | {value} |" for name, value in [*((name, row(seen)) for name, row in ROWS), *more]]
    told = " ".join((fault.disturb.__doc__ or "").split()).format(hold=f"{size.hold_s:g}")
    return f"## {fault.title}\n\n{told}\n\n" + "\n".join(["| | |", "|---|--:|", *rows])


def _range(seconds: list[float]) -> str:
    """The middle, and the longest."""
    if not seconds:
        return "–"
    return f"{sorted(seconds)[len(seconds) // 2]:.1f}, at most {max(seconds):.1f}"


_INTRODUCTION = """
Bots play as pages do, over WebSockets or by plain requests, against each other and against computer players, while
something happens to the machine. They send a move again under the same id until it is answered. A move that was
answered with “ok” counts as acknowledged: in the end it must be in the database exactly once. What is killed at
random is on [a page of its own](crash.md).
"""

_ABOUT_POINTS = """
A process executes a command and kills itself (SIGKILL) at a point: before a statement, a commit, or a file of the
data that it writes, renames or deletes. This is repeated for every point of every command; after one is before the
next. Each time another process looks at what is stored: the command must be there as a whole or not at all. Then it
is sent again, as a page does, and must be there once. (Opening a table and playing on from a replay have no id: sent
again, they open another table; and a new key is another every time.)
"""
