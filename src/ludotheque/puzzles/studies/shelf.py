"""Which studies there are."""

from ludotheque.puzzles.studies import grades, hepta_solo, pegs_solo, tetrods
from ludotheque.puzzles.studies.study import Study


def study(name: str, *, every: bool = False) -> Study:
    """The study of this name; `every` matters to Hepta alone."""
    if name == "hepta-solo":
        return hepta_solo.study(every=every)
    return {"pegs-solo": pegs_solo.study, "tetrods": tetrods.study, "grades": grades.study}[name]()
