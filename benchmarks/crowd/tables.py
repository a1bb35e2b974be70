"""Tables that nobody is at, with matches that were played before: python -m crowd.tables COUNT.

It runs with the version of the site that is measured, in its data folder, and prints a table's id and the cookie of
the person at its first seat, a line for each.
"""

import sys
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludotheque.match import Match

PLAYED_SHARE = 2 / 3  # of a match
MAX_EVENTS = 400


def main(count: int) -> None:
    from ludotheque.web.server import serve  # noqa: PLC0415 - the models need the settings

    serve.configure_django()
    import ludotheque  # noqa: PLC0415
    from ludotheque.web.table import transaction  # noqa: PLC0415

    transaction.listeners.clear()  # this process neither thinks nor tells others
    keys = [box.key for box in ludotheque.games() if max(box.seats) > 1]
    for number in range(count):
        print(*_set(keys[number % len(keys)], number))


def _set(key: str, number: int) -> tuple[str, str]:
    """A table two thirds into a match of random moves."""
    try:
        from ludotheque.web.table import seating  # noqa: PLC0415
    except ImportError:  # an older checkout, to compare with
        from ludotheque.web.table import actions as seating  # type: ignore[no-redef]  # noqa: PLC0415
    from ludotheque.web.table.transaction import locked  # noqa: PLC0415
    from ludotheque.web.visitors import COOKIE, sign  # noqa: PLC0415

    person = f"person {number}"
    table = seating.open_table(key, 2, {})
    seating.sit(table.id, person, 0, f"Ada {number}")
    seating.sit(table.id, f"{person} b", 1, f"Bob {number}")
    with locked(table.id) as change:
        played, random = change.match_copy(), Random(number)
        length = PLAYED_SHARE * _length(played, random)
        while not played.over and played.length < length:
            actor = random.choice(played.to_act)
            played.play(actor, random.choice(played.moves(actor)))
        change.add_played(played)
    return table.id, f"{COOKIE}={sign(person)}"


def _length(match: "Match", random: Random) -> int:
    """How many events such a match may have from beginning to end."""
    whole = match.copy()
    while not whole.over and whole.length < MAX_EVENTS:
        actor = random.choice(whole.to_act)
        whole.play(actor, random.choice(whole.moves(actor)))
    return whole.length


if __name__ == "__main__":
    main(int(sys.argv[1]))
