"""What is hidden in Hundsgemein: whose the fleas on the board are, and what is in the stocks."""

from collections.abc import Iterator
from random import Random
from typing import TypeAlias

from ludotheque.board.bits import cells
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.state import (
    DROP_0,
    EACH,
    HIDDEN,
    PLAY,
    STOCK,
    WAIT,
    State,
    joined,
    open_counts,
    pile,
    room,
    secret,
)

Card: TypeAlias = tuple[int, int]  # a flea's seat and type
Want: TypeAlias = tuple[int, frozenset[Card]]  # a cell, or NOBODY for a place in a stock, and what may lie there


def forgets(state: State, move: int) -> bool:
    """With hidden owners no earlier placement is listed: the order of turns would give its owner away."""
    return bool(state.options & HIDDEN) and move < DROP_0


def view(state: State, _seat: int) -> State:
    """To everyone the same: of the fleas on the board only the last one's owner, of the stocks only their sizes."""
    if not secret(state):
        return state
    last = 0 if state.last == NOBODY else 1 << state.last
    seats, options, fleas, owners, opened, _, piles, dogs, phase, turn, due, cell, objectors = state
    first, second, third, fourth = owners
    shown = (first & last, second & last, third & last, fourth & last)
    return State(seats, options, fleas, shown, opened, 0, piles, dogs, phase, turn, due, cell, objectors)


def guess(seen: State, _seat: int, random: Random) -> State:
    """Unknown fleas at random, as many of each seat and type as there may be, the end neither missed nor early."""
    if not secret(seen):
        return seen
    cards, wants = _unseen(seen), _wants(seen)
    random.shuffle(cards)
    random.shuffle(wants)
    for way in _ways(seen, wants):
        holders = _matched(way, cards)
        if holders is not None:
            return _completed(seen, [(way[want][0], cards[card]) for card, want in holders.items()])
    raise ValueError("no state lies behind this view")


def _unseen(seen: State) -> list[Card]:
    """The fleas that are neither open nor the last one placed."""
    cards = []
    for seat in range(seen.seats):
        for kind in range(4):
            placed = seen.last != NOBODY and (seen.fleas[kind] & seen.owners[seat]) >> seen.last & 1
            number = EACH[seen.seats] - (open_counts(seen, seat) >> 2 * kind & 0b11) - placed
            cards += [(seat, kind)] * number
    return cards


def _wants(seen: State) -> list[Want]:
    """What is to be dealt: owners of the fleas on the board, and the stocks; when all wait, types without room."""
    seats = range(seen.seats)
    wants = [
        (cell, frozenset((seat, kind) for seat in seats))
        for kind in range(4)
        for cell in cells(seen.fleas[kind])
        if cell != seen.last
    ]
    kinds = [kind for kind in range(4) if seen.phase != WAIT or not room(seen, kind)]
    for seat in seats:
        wants += [(NOBODY, frozenset((seat, kind) for kind in kinds))] * pile(seen, seat)
    return wants


def _ways(seen: State, wants: list[Want]) -> Iterator[list[Want]]:
    """While the game goes on some flea must have room: if none in sight has, then one in a stock, any of them."""
    roomy = frozenset((seat, kind) for seat in range(seen.seats) for kind in range(4) if room(seen, kind))
    if seen.phase != PLAY or any(open_counts(seen, seat) >> 2 * kind & 0b11 for seat, kind in roomy):
        yield wants
        return
    for number, (cell, may) in enumerate(wants):
        if cell == NOBODY:
            yield [*wants[:number], (cell, may & roomy), *wants[number + 1 :]]


def _matched(wants: list[Want], cards: list[Card]) -> dict[int, int] | None:
    """A bipartite matching by augmenting paths: the want that each card dealt fills; None if one stays unfilled."""
    holders: dict[int, int] = {}

    def fill(want: int, tried: set[int]) -> bool:
        fitting = [number for number, card in enumerate(cards) if card in wants[want][1]]
        for number in sorted(fitting, key=holders.__contains__):  # those not dealt yet first
            if number not in tried:
                tried.add(number)
                if number not in holders or fill(holders[number], tried):
                    holders[number] = want
                    return True
        return False

    return holders if all(fill(want, set()) for want in range(len(wants))) else None


def _completed(seen: State, dealt: list[tuple[int, Card]]) -> State:
    owners, stock = seen.owners, 0
    for cell, (seat, kind) in dealt:
        if cell == NOBODY:
            stock += 1 << STOCK * seat + 3 * kind
        else:
            owners = joined(owners, seat, 1 << cell)
    return seen._replace(owners=owners, stock=stock)
