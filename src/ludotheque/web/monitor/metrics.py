"""Figures for whoever keeps the house, in the form Prometheus reads.

Every process of this machine, those that serve and those that think, writes its own into a folder that they share;
whoever is asked adds them up. What the database and the queue know is asked of them then.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings

FOLDER = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(settings.DATA / "metrics")))
FOLDER.mkdir(parents=True, exist_ok=True)  # it must be there before the next line

from prometheus_client import (  # noqa: E402
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric  # noqa: E402
from prometheus_client.multiprocess import MultiProcessCollector  # noqa: E402

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60)

REQUESTS = Histogram(
    "ludotheque_request_seconds", "Time to answer a request", ("method", "route", "status"), buckets=QUICK
)
COMMANDS = Histogram(
    "ludotheque_deed_seconds", "Time from a deed to its commit, or its refusal", ("do", "went"), buckets=QUICK
)
PUSHES = Histogram(
    "ludotheque_push_seconds", "Time from hearing of a change to having sent it to a page", buckets=QUICK
)
THINKING = Histogram("ludotheque_thinking_seconds", "Time to think, waiting included", ("what",), buckets=SLOW)
MOVES = Counter("ludotheque_moves", "Moves stored", ("who",))
LIMITED = Counter("ludotheque_limited", "Turned away for coming too often", ("entrance",))
ERRORS = Counter("ludotheque_errors", "Errors in the log", ("logger",))
CONNECTIONS = Gauge("ludotheque_connections", "WebSockets open", multiprocess_mode="livesum")
QUEUE = "ludotheque_queue_length", "Asked for and not yet thought about"
WAITING = Gauge(*QUEUE, ("line",), multiprocess_mode="livesum")  # without Redis: in the processes themselves


class House:
    """What is not counted but there: tables, and what waits to be thought about."""

    def collect(self) -> Iterator[Metric]:
        from django.db.models import Count  # noqa: PLC0415 - the log needs this module before there are models

        from ludotheque.web.jobs import pool  # noqa: PLC0415
        from ludotheque.web.models import Table  # noqa: PLC0415

        tables = GaugeMetricFamily("ludotheque_tables", "Tables by status", labels=["status"])
        found = dict(Table.objects.values_list("status").annotate(Count("pk")))
        for status in Table.Status.values:
            tables.add_metric([status], found.get(status, 0))
        yield tables
        if pool.scaled():
            queue = GaugeMetricFamily(*QUEUE, labels=["line"])
            for line in pool.LINES:
                queue.add_metric([line.name], line.waiting())
            yield queue


class Processes:
    """What the processes of this machine have counted."""

    def collect(self) -> Iterator[Metric]:
        forget_the_dead()
        found: Iterator[Metric] = MultiProcessCollector(None, str(FOLDER)).collect()  # type: ignore[no-untyped-call]
        yield from found


def registry() -> CollectorRegistry:
    """All figures, of all processes."""
    made = CollectorRegistry()
    made.register(Processes())
    made.register(House())
    return made


def publish(port: int, host: str) -> int:
    """Let Prometheus read the figures of this machine where there is no server; the port, which may be any (0)."""
    made = CollectorRegistry()
    made.register(Processes())
    server, _ = start_http_server(port, host, made)
    return int(server.server_port)


def page() -> bytes:
    return generate_latest(registry())


def forget_the_dead(*, everything: bool = False) -> None:
    """What processes that are gone have open is open no more; `everything` of theirs is forgotten at a start."""
    for file in FOLDER.glob("*.db" if everything else "gauge_live*.db"):
        if not _lives(int(file.stem.rpartition("_")[2])):
            file.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True
