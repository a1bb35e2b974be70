"""Sites with their default settings, for tests that attack them from one address while others play."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scale.sites import Site


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """`new_site(LUDOTHEQUE_PACE="0", …)`: a site that is open, with its default limits."""
    made: list[Site] = []

    def build(**environment: str) -> Site:
        made.append(Site(tmp_path / f"{len(made)}", **{"LUDOTHEQUE_LIMITS": "", **environment}))
        made[-1].open()
        return made[-1]

    yield build
    for each in made:
        each.close()
