"""What became of the sites, as a page."""

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field

from killing.sites import SITES


@dataclass
class Report:
    """What became of one site."""

    site: str
    tables: int = 0
    with_computer: int = 0
    kills: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    acknowledged: int = 0
    refused: int = 0
    resent: int = 0
    doubled: int = 0
    missed: int = 0
    longest_silence: float = 0.0
    events: int = 0
    lost: int = 0
    counted_twice: int = 0
    refused_but_there: int = 0
    gaps: int = 0
    wrong_records: int = 0
    unfinished: int = 0
    stuck: int = 0

    @property
    def good(self) -> bool:
        wrong = (
            self.lost,
            self.counted_twice,
            self.refused_but_there,
            self.gaps,
            self.wrong_records,
            self.unfinished,
        )
        return not any(wrong)


ROWS: list[tuple[str, Callable[[Report], object]]] = [
    ("tables played to their end", lambda report: f"{report.tables - report.unfinished} of {report.tables}"),
    ("… of them against the computer", lambda report: report.with_computer),
    ("minutes", lambda report: f"{report.seconds / 60:.1f}"),
    ("kills", lambda report: sum(report.kills.values())),
    ("… of what", lambda report: ", ".join(f"{name} {number}" for name, number in sorted(report.kills.items()))),
    ("acknowledged moves", lambda report: f"{report.acknowledged:,}"),
    ("events stored, computer players’ and luck’s too", lambda report: f"{report.events:,}"),
    ("moves sent again because no answer came", lambda report: f"{report.resent:,}"),
    ("moves sent twice at once, on purpose", lambda report: f"{report.doubled:,}"),
    ("**acknowledged moves lost**", lambda report: f"**{report.lost}**"),
    ("**moves counted twice**", lambda report: f"**{report.counted_twice}**"),
    ("refused moves that were stored all the same", lambda report: report.refused_but_there),
    ("tables with a gap in their numbers", lambda report: report.gaps),
    ("records that do not replay and verify", lambda report: report.wrong_records),
    ("tables at which nothing happened after the last kill, of those not over by then", lambda report: report.stuck),
    (
        "changes a WebSocket had not told of within 12 s, or 4 s after one’s own move",
        lambda report: report.missed,
    ),
    ("longest time without any acknowledged move, seconds", lambda report: f"{report.longest_silence:.1f}"),
]


def page(reports: list[Report], what: str, words: str) -> str:
    head = "| | " + " | ".join(SITES[report.site] for report in reports) + " |"
    rows = [f"| {name} | " + " | ".join(str(value(report)) for report in reports) + " |" for name, value in ROWS]
    measured = (
        f"Measured by `scripts/benchmark crash {words}` on {platform.system()} with Python "
        f"{platform.python_version()}, {os.cpu_count()} cores shared with the bots."
    )
    return "\n".join(
        [
            "# Killed at random",
            "",
            what,
            "",
            head,
            "|---|" + "---|" * len(reports),
            *rows,
            "",
            measured,
            "",
        ]
    )
