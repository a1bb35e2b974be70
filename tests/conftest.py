"""What all tests share."""

import atexit
import os
import sys

import pytest
from hypothesis import HealthCheck, settings

import services

SERVICES = "LUDOTHEQUE_TEST_SERVICES"


def _start_services() -> None:
    """A PostgreSQL and a Redis for each process of the tests, before any other conftest asks for the settings."""
    postgres, redis = services.Postgres(durable=False), services.Redis()
    for service in (postgres, redis):
        atexit.register(service.close)
        service.start()
    os.environ |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}


if "--services" in sys.argv:
    os.environ[SERVICES] = "1"  # processes that share the tests out hand it on
if SERVICES in os.environ and ("PYTEST_XDIST_WORKER" in os.environ or "-n" not in sys.argv):
    _start_services()

settings.register_profile("tests", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tests")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")
    parser.addoption("--services", action="store_true", help="let the site use a real PostgreSQL and a real Redis")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        skip = pytest.mark.skip(reason="takes minutes: run with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
