"""Sites for tests, closed when the test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import services
from scale.sites import Site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    made: list[Site] = []

    def build(**environment: str) -> Site:
        made.append(Site(tmp_path / f"{len(made)}", **environment))
        return made[-1]

    yield build
    for each in made:
        each.close()


@pytest.fixture
def backends() -> Iterator[tuple[services.Postgres, services.Redis]]:
    if services.missing():
        pytest.skip(f"needs Debian's {', '.join(services.missing())}")
    postgres, redis = services.Postgres(durable=False), services.Redis()
    postgres.start()
    redis.start()
    yield postgres, redis
    redis.close()
    postgres.close()
