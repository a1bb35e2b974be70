"""The log: one line of JSON an event, without secrets. Routes, not addresses; no cookies, no names."""

import json
import logging
import re
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from ludotheque.web.monitor import metrics

log = logging.getLogger("ludotheque.web")
SECRET_PATHS = re.compile(r"(/(?:seat|t|live)/)[^\s/?#'\"]+")  # of seats and tables: who knows one may come in


class JsonFormatter(logging.Formatter):
    """Log records as lines of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": _redacted(record.getMessage()),
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["error"] = _redacted(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def _redacted(text: str) -> str:
    return SECRET_PATHS.sub(r"\1…", text)


class ErrorCountHandler(logging.Handler):
    """Counts logged errors as a metric."""

    def emit(self, record: logging.LogRecord) -> None:
        metrics.ERRORS.labels(record.name).inc()


class RequestLogMiddleware:
    """Writes one line for each request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        route = request.resolver_match.route if request.resolver_match else "(nothing)"
        took = time.perf_counter() - began
        metrics.REQUESTS.labels(request.method, route, response.status_code).observe(took)
        facts = {
            "method": request.method,
            "route": route,  # a seat's secret is in the address, never in the route
            "status": response.status_code,
            "milliseconds": round(took * 1000, 1),
        }
        log.info("request", extra={"facts": facts})
        return response
