"""The status page for staff: checks, counts, latencies."""

import platform
from collections.abc import Iterable
from itertools import pairwise

import django
from django.contrib.admin.views.decorators import staff_member_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from prometheus_client.core import Metric
from prometheus_client.samples import Sample

from ludotheque import words
from ludotheque.web.guard import blocks
from ludotheque.web.models import Block
from ludotheque.web.monitor import metrics, space, usage
from ludotheque.web.pages.health import checks
from ludotheque.web.words import language

MEGABYTE = 1_000_000
MAX_VISITORS = 12  # the command lists more
VISITOR_COLUMNS = ("requests", "refused", "work", "connections", "megabytes", "tables")
BLOCK_COLUMNS = ("until", "reason")
PERCENTILES = (0.5, 0.95, 0.99)
COUNTS = {
    "moves": "ludotheque_moves",
    "connections": "ludotheque_connections",
    "queue": "ludotheque_queue_length",
    "limited": "ludotheque_limited",
    "errors": "ludotheque_errors",
}
TIMES = ("request", "deed", "push", "thinking")


@never_cache
@staff_member_required
def status(request: HttpRequest) -> HttpResponse:
    found = {metric.name: metric for metric in metrics.registry().collect()}
    report = usage.report()
    tables = [(sample.labels["status"], f"{sample.value:.0f}") for sample in found["ludotheque_tables"].samples]
    context = {
        "words": words.site(language())["web"]["status"],  # type: ignore[index, call-overload]  # a table of tables
        "checks": [(_say("check", name), good) for name, good in checks().items()],
        "tables": [(_say("table", name), number) for name, number in tables],
        "counts": [(_say("count", name), _sum(found, metric)) for name, metric in COUNTS.items()],
        "times": [(_say("time", name), *_percentiles(found, f"ludotheque_{name}_seconds")) for name in TIMES],
        "disk": [(share.name, _megabytes(share.bytes)) for share in space.folders()],
        "memory": [(share.name, _megabytes(share.bytes)) for share in space.processes(report.processes)],
        "visitors": [_visitor(label, used) for label, used in report.visitors[:MAX_VISITORS]],
        "columns": [_column(name) for name in VISITOR_COLUMNS],
        "blocks": [_block(each) for each in blocks.current()],
        "block_columns": [_column(name) for name in BLOCK_COLUMNS],
        "lines": {name: _line(f"{name}-line") for name in ("visitors", "blocks")},
        "versions": f"Python {platform.python_version()} · Django {django.get_version()}",
    }
    return render(request, "web/status.html", context)


def _visitor(label: str, used: usage.Usage) -> list[str]:
    work, megabytes = round(used.work_ms), _megabytes(used.bytes)
    return [label, *map(str, (used.requests, used.refused, work, used.connections, megabytes, used.tables))]


def _megabytes(number: int) -> str:
    return f"{number / MEGABYTE:.1f}"


def _block(found: Block) -> list[str]:
    """Addresses are on no page: who is shut out by address is told by the command alone."""
    who = found.label or _line("an-address")
    return [who, f"{found.until:%Y-%m-%d %H:%M} UTC", found.reason]


def _column(name: str) -> str:
    return words.say(None, language(), "cli", "keeper", "columns", name)


def _line(name: str) -> str:
    return words.say(None, language(), "web", "status", name)


def _say(table: str, name: str) -> str:
    return words.say(None, language(), "web", "status", table, name)


def _sum(found: dict[str, Metric], name: str) -> str:
    samples = found[name].samples if name in found else []
    return f"{sum(sample.value for sample in samples if not sample.name.endswith('_created')):.0f}"


def _percentiles(found: dict[str, Metric], name: str) -> tuple[str, list[str]]:
    """How many there were, and the latency at each percentile."""
    steps = _buckets(found[name].samples if name in found else [])
    number = steps[-1][1] if steps else 0
    return f"{number:.0f}", [_latency(steps, share * number) for share in PERCENTILES]


def _buckets(samples: Iterable[Sample]) -> list[tuple[float, float]]:
    """The cumulative histogram over all labels."""
    sums: dict[float, float] = {}
    for sample in samples:
        if sample.name.endswith("_bucket"):
            limit = float(sample.labels["le"])
            sums[limit] = sums.get(limit, 0) + sample.value
    return sorted(sums.items())


def _latency(steps: list[tuple[float, float]], number: float) -> str:
    """The latency within which so many were done, interpolated within its bucket."""
    for (low, before), (high, upto) in pairwise([(0.0, 0.0), *steps]):
        if upto >= number > before:
            exact = low + (high - low) * (number - before) / (upto - before) if high != float("inf") else low
            return f"{exact * 1000:.0f} ms" if exact >= 0.01 else f"{exact * 1000:.1f} ms"
    return "–"
