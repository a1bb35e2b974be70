"""Pizza Theory: cuts are chosen together, as if nobody had chosen yet."""

from ludotheque.games.pizza import CUT, State
from ludotheque.search.heuristics import Manner

MANNER = Manner(points=0.05, scale=16.0)


def unseal(seen: State) -> State:
    """The position before anyone cut: with two players the third knife is known, the others never are."""
    if seen.phase != CUT:
        return seen
    third = seen.cuts[2] if seen.seats == 2 else 0
    return seen._replace(cuts=(0, 0, third))
