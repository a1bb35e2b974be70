"""Hundsgemein: who is ahead in which street, as far as the seat saw the fleas placed, and where fleas still fit."""

from collections.abc import Iterator

from ludotheque.board.bits import count
from ludotheque.board.square import NAMES
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.scoring import taker
from ludotheque.games.hundsgemein.state import (
    CENTRE,
    DOG,
    DROP_0,
    KIND_OF,
    KINDS,
    LINES,
    OBJECT,
    PAIR_0,
    PAIRS,
    SPOT,
    STREETS,
    VALUES,
    State,
    dog,
    joined,
    kind_at,
    room,
)
from ludotheque.search.heuristics.hundsgemein import against_rules
from ludotheque.search.reasons import Decision, Reason


def reasons(decision: Decision) -> Iterator[Reason]:
    state, role, move = decision.state, decision.role, decision.move
    if move is None or move >= OBJECT:
        yield from _talk(decision.view, move)
    elif move < DROP_0:
        yield from _place(state, role, move)
    else:
        yield from _drop(state, move)


def _talk(seen: State, move: int | None) -> Iterator[Reason]:
    """To object, or rather not."""
    if seen.last == NOBODY:
        return
    last = (("type", KINDS[kind_at(seen.fleas, seen.last)]), ("cell", NAMES[seen.last]))
    if not against_rules(seen):
        yield Reason("by-rules", 50, last)
    elif move == OBJECT:
        yield Reason("in-centre" if seen.last == CENTRE else "touches", 80, last)


def _place(state: State, role: int, move: int) -> Iterator[Reason]:
    after = state._replace(
        fleas=joined(state.fleas, KIND_OF[move], SPOT[move]), owners=joined(state.owners, role, SPOT[move])
    )
    passing = [street for street in range(len(STREETS)) if (LINES[2 * street] | LINES[2 * street + 1]) & SPOT[move]]
    before, now = ({street: taker(each, street) for street in passing} for each in (state, after))
    won = [street for street in passing if before[street] != role and now[street] == role]
    kept = [street for street in passing if before[street] == now[street] == role]
    if won:
        yield Reason("ahead", 40 + _worth(state, won), _named(state, won))
    for other in range(state.seats):
        lost = [street for street in passing if other not in (role, now[street]) and before[street] == other]
        even = [street for street in lost if now[street] == NOBODY]
        if even:
            yield Reason("evens", 40 + _worth(state, even), (("seat:other", other), *_named(state, even)))
    if kept:
        yield Reason("holds-on", 25 + _worth(state, kept), _named(state, kept))
    yield Reason("worth", 10, (("number", _worth(state, passing)),))


def _drop(state: State, move: int) -> Iterator[Reason]:
    kinds = (move - DROP_0,) if move < PAIR_0 else PAIRS[move - PAIR_0]
    places = [count(room(state, kind)) for kind in dict.fromkeys(kinds)]
    names = ("types", ", ".join(KINDS[kind] for kind in dict.fromkeys(kinds)))
    if not any(places):
        yield Reason("no-place", 50, (names,))
    else:
        yield Reason("places", 15, (names, ("number", sum(places))))


def _named(state: State, streets: list[int]) -> tuple[tuple[str, str | int], ...]:
    told = ", ".join(f"{STREETS[street]} ({dog(state, street)})" for street in streets)
    return ("streets", told), ("number", _worth(state, streets))


def _worth(state: State, streets: list[int]) -> int:
    return sum(VALUES[state.dogs >> DOG * street & 0b111] for street in streets)
