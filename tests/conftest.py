"""What all tests share."""

import os

import pytest
from hypothesis import HealthCheck, settings

import services

settings.register_profile("house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")
    parser.addoption("--services", action="store_true", help="let the house use a real PostgreSQL and a real Redis")


def pytest_configure(config: pytest.Config) -> None:
    """A PostgreSQL and a Redis for each process of the tests, before anything asks for the settings."""
    shares_out = config.getoption("numprocesses", None) and not hasattr(config, "workerinput")
    if not config.getoption("--services") or shares_out:
        return
    postgres, redis = services.Postgres(durable=False), services.Redis()
    for service in (postgres, redis):
        config.add_cleanup(service.close)
        service.start()
    os.environ |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        skip = pytest.mark.skip(reason="takes minutes: run with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
