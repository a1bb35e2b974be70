"""Metrics for Prometheus.

Every process of this machine, servers and workers alike, writes its own into a folder they share; whichever is asked
for `/metrics` adds them up. What the database and the queue know is read when it is asked for. The folder is in
memory, not among the data: figures are worth nothing when the disk is full, and must not be what fills it.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from django.conf import settings

from ludotheque.private_folder import IN_MEMORY, private_folder, temporary

OLD_FOLDER: Path = settings.DATA / "metrics"  # of earlier versions


def _folder() -> Path:
    """The keeper's, or one of this user and this site; without any, figures find no room and wait in memory."""
    if wanted := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        with suppress(OSError):
            Path(wanted).mkdir(parents=True, exist_ok=True)
        return Path(wanted)
    name = f"ludotheque-{hashlib.sha256(str(settings.DATA).encode()).hexdigest()[:12]}"
    return private_folder(name, IN_MEMORY, temporary()) or OLD_FOLDER


FOLDER = _folder()
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(FOLDER)  # prometheus_client reads it on import

from ludotheque.web.monitor import preallocated  # noqa: E402

preallocated.install()

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

FAST_BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
SLOW_BUCKETS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60)

REQUESTS = Histogram(
    "ludotheque_request_seconds", "Time to answer a request", ("method", "route", "status"), buckets=FAST_BUCKETS_S
)
COMMANDS = Histogram(
    "ludotheque_deed_seconds",
    "Time from a command to its commit, or its refusal",
    ("do", "went"),
    buckets=FAST_BUCKETS_S,
)
PUSHES = Histogram(
    "ludotheque_push_seconds", "Time from the notice of a change to having sent it to a page", buckets=FAST_BUCKETS_S
)
THINKING = Histogram(
    "ludotheque_thinking_seconds", "Time of a computation, waiting included", ("what",), buckets=SLOW_BUCKETS_S
)
MOVES = Counter("ludotheque_moves", "Moves stored", ("who",))
LIMITED = Counter("ludotheque_limited", "Refused by a rate limit", ("entrance",))
ERRORS = Counter("ludotheque_errors", "Errors in the log", ("logger",))
CONNECTIONS = Gauge("ludotheque_connections", "WebSockets open", multiprocess_mode="livesum")
QUEUE_LENGTH = "ludotheque_queue_length", "Jobs that have not begun"
WAITING = Gauge(*QUEUE_LENGTH, ("line",), multiprocess_mode="livesum")  # without Redis: in the processes themselves


class Collector(Protocol):
    """Metrics that are read when they are asked for."""

    def collect(self) -> Iterator[Metric]: ...


class Tables:
    """How many tables there are."""

    def collect(self) -> Iterator[Metric]:
        from django.db.models import Count  # noqa: PLC0415 - logging needs this module before there are models

        from ludotheque.web.models import Table  # noqa: PLC0415

        tables = GaugeMetricFamily("ludotheque_tables", "Tables by status", labels=["status"])
        found = dict(Table.objects.values_list("status").annotate(Count("pk")))
        for status in Table.Status.values:
            tables.add_metric([status], found.get(status, 0))
        yield tables


SITE_COLLECTORS: list[Collector] = [Tables()]
"""What all machines share, told by every server; other modules append theirs."""


class Processes:
    """What the processes of this machine have counted."""

    def collect(self) -> Iterator[Metric]:
        if not FOLDER.is_dir():
            return
        drop_dead_processes()
        found: Iterator[Metric] = MultiProcessCollector(None, str(FOLDER)).collect()  # type: ignore[no-untyped-call]
        yield from found


def registry() -> CollectorRegistry:
    """All metrics, of all processes."""
    made = CollectorRegistry()
    for collector in (Processes(), *SITE_COLLECTORS):
        made.register(collector)
    return made


def publish(port: int, host: str) -> int:
    """Serve the metrics of this machine's processes where there is no web server; returns the port (0 takes any)."""
    made = CollectorRegistry()
    made.register(Processes())
    server, _ = start_http_server(port, host, made)
    return int(server.server_port)


def page() -> bytes:
    return generate_latest(registry())


def drop_dead_processes(*, everything: bool = False) -> None:
    """Delete the gauges of processes that have ended; at a start `everything` of theirs, counters included."""
    for file in FOLDER.glob("*.db" if everything else "gauge_live*.db"):
        if not _is_alive(int(file.stem.rpartition("_")[2])):
            with suppress(OSError):  # figures stop nothing
                file.unlink(missing_ok=True)


def drop_old_folder() -> None:
    """Delete the figures that earlier versions kept among the data."""
    if OLD_FOLDER not in (FOLDER, *FOLDER.parents):
        with suppress(OSError):
            shutil.rmtree(OLD_FOLDER)


def _is_alive(process: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
    return True
