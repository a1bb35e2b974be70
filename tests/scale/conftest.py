"""Houses for tests, closed when the test is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import services
from scale.houses import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Callable[..., House]]:
    made: list[House] = []

    def build(**environment: str) -> House:
        made.append(House(tmp_path / f"{len(made)}", **environment))
        return made[-1]

    yield build
    for each in made:
        each.close()


@pytest.fixture
def both() -> Iterator[tuple[services.Postgres, services.Redis]]:
    if services.missing():
        pytest.skip(f"there is no {' and no '.join(services.missing())}")
    postgres, redis = services.Postgres(durable=False), services.Redis()
    postgres.start()
    redis.start()
    yield postgres, redis
    redis.close()
    postgres.close()
