"""Long counts about puzzles: how many there are, how many can be solved, whether grades mean something.

The study of a kind of puzzle is the function `study` in the module of its stem; `grades` is about all kinds.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ludotheque.puzzles.kinds import kinds

if TYPE_CHECKING:
    from ludotheque.puzzles.studies.study import Study

GRADES = "grades"


def names() -> tuple[str, ...]:
    """The names of all studies; none is imported."""
    return (*(kind.key for kind in kinds() if find_spec(f"{__name__}.{kind.stem}")), GRADES)


def find(name: str, *, every: bool = False) -> "Study":
    """The study of this name. `every` asks for all there is where a sample is the rule."""
    found: Study = import_module(f"{__name__}.{name.replace('-', '_')}").study(every=every)
    return found
