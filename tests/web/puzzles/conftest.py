"""What the tests of puzzles share: a database with some that need not be made."""

from collections.abc import Iterator

import pytest

from ludotheque.web.models import Attempt, Booklet, Puzzle
from web.puzzles.solver import HEPTA, TETRODS


@pytest.fixture(autouse=True)
def made() -> Iterator[None]:
    """Puzzles that need not be made."""
    Puzzle.objects.create(seed="tetrods:4#20261115", description=TETRODS)
    Puzzle.objects.create(seed="hepta-solo:1#7", description=HEPTA)
    yield
    Puzzle.objects.all().delete()
    Attempt.objects.all().delete()
    Booklet.objects.all().delete()
