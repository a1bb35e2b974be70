"""Pegs: which cards fit round the pegs, and what they show and cover."""

from collections.abc import Iterator

from ludotheque.board.bits import Bits, count
from ludotheque.board.punched import FIRST, HOLES, PLACES, RECTANGLES
from ludotheque.games.pegs import DONE, DROP_0, LAY_0, OPEN, WAYS, State, cards, play
from ludotheque.search.reasons import Decision, Reason


def reasons(decision: Decision) -> Iterator[Reason]:
    state, role, move = decision.state, decision.role, decision.move
    assert move is not None
    if move < LAY_0:
        yield from _peg(state, role, move)
    elif move < DROP_0:
        yield from _lay(state, role, move - LAY_0)
    elif move < DONE:
        yield from _drop(state, role, move - DROP_0 + 1)
    elif state.phase == OPEN:
        yield _fitting(state, role)
    elif _best(state, role)[0] <= 0:
        yield Reason("no-gain", 40)


def _peg(state: State, role: int, move: int) -> Iterator[Reason]:
    after = play(state, role, move)
    if state.phase == OPEN:
        yield _fitting(after, role)
        return
    (before, _), (gain, card) = _best(state, role), _best(after, role)
    if gain > max(before, 0):
        yield Reason("prepares", 40 + gain, (("card", card), ("number", gain)))
    fitting = _fits(after.pegs, role, cards(after.rows[role]))
    yield Reason("fits", 10, (("number", len(fitting)),))


def _lay(state: State, role: int, place: int) -> Iterator[Reason]:
    mine, theirs = (state.white, state.blue) if role else (state.blue, state.white)
    covered = count(RECTANGLES[place] & theirs)
    number = count(RECTANGLES[place] & ~mine)
    if number:
        yield Reason("gains", 40 + number, (("number", number),))
    if covered:
        yield Reason("covers", 40 + covered, (("seat:other", 1 - role), ("number", covered)))
    if not number:
        yield Reason("uses-deck", 15, (("number", count(state.deck)),))


def _drop(state: State, role: int, card: int) -> Iterator[Reason]:
    fitting = {each: len(_fits(state.pegs, role, [each])) for each in cards(state.rows[role])}
    if not fitting[card]:
        yield Reason("no-place", 40, (("card", card),))
    elif fitting[card] == min(fitting.values()):
        yield Reason("fewest", 30, (("card", card), ("number", fitting[card])))
    else:
        yield Reason("places", 10, (("card", card), ("number", fitting[card])))
    if _best(state, role)[0] <= 0:
        yield Reason("no-gain", 35)


def _fitting(state: State, role: int) -> Reason:
    """For how many layings of all cards the pegs are right, on either side."""
    deck = list(range(1, len(FIRST)))
    mine, theirs = len(_fits(state.pegs, role, deck)), len(_fits(state.pegs, 1 - role, deck))
    return Reason("suits", 20, (("seat:other", 1 - role), ("mine", mine), ("theirs", theirs)))


def _best(state: State, role: int) -> tuple[int, int]:
    """By how much a card laid now can change the lead, and which card; 0 and no card if none fits."""
    mine, theirs = (state.white, state.blue) if role else (state.blue, state.white)
    return max(
        (
            (count(RECTANGLES[place] & ~mine) + count(RECTANGLES[place] & theirs), PLACES[place].card)
            for place in _fits(state.pegs, role, cards(state.rows[role]))
        ),
        default=(0, 0),
    )


def _fits(pegs: Bits, role: int, wanted: list[int]) -> list[int]:
    """The places where these cards fit."""
    return [
        place
        for card in wanted
        for place in range(FIRST[card - 1], FIRST[card])
        if pegs & RECTANGLES[place] == HOLES[role * WAYS + place]
    ]
