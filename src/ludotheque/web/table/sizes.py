"""How many bytes something takes, so that caches can be bounded by them."""

from collections.abc import Iterable
from sys import getsizeof

LARGEST_SHARED_INT = 256  # Python has one object for each of the numbers up to it


def deep_size(*roots: object) -> int:
    """The bytes of these and of all that is in them: in tuples, lists, sets and dicts; not in other objects.

    What occurs several times is counted once.
    """
    seen: set[int] = set()
    total, waiting = 0, list(roots)
    while waiting:
        found = waiting.pop()
        if id(found) in seen or _is_shared(found):
            continue
        seen.add(id(found))
        total += getsizeof(found)
        waiting.extend(_contents(found))
    return total


def _is_shared(found: object) -> bool:
    """Whether Python has one object of this value for all, as for most numbers in states of games."""
    return found is None or (isinstance(found, int) and found <= LARGEST_SHARED_INT)


def _contents(found: object) -> Iterable[object]:
    if isinstance(found, dict):
        return (*found, *found.values())
    return found if isinstance(found, tuple | list | set | frozenset) else ()
