"""Pizza Theory: what all possible cuts come to."""

from collections.abc import Iterator
from itertools import product

from ludotheque.board.bits import count
from ludotheque.games.pizza import CUT_0, CUTS, STOCK, THIRD, THIRD_0, State, play, settle, slices
from ludotheque.search.reasons import Decision, Reason

Toppings = tuple[int, int, int]


def reasons(decision: Decision) -> Iterator[Reason]:
    state, role, move = decision.state, decision.role, decision.move
    assert move is not None
    if CUT_0 <= move < THIRD_0:
        yield from _cut(state, role, move - CUT_0 + 1)
    else:
        after = play(state, role, move)
        yield _odds("odds", role, after.toppings, _outcomes(after.toppings, state.round, _choices(state)))


def _cut(state: State, role: int, cut: int) -> Iterator[Reason]:
    by_cut = [_outcomes(state.toppings, state.round, _choices(state, role, each)) for each in range(1, CUTS + 1)]
    before, ends = count(state.toppings[role]), by_cut[cut - 1]
    worst = [min(count(end[role]) for end in each) - before for each in by_cut]
    least = worst[cut - 1]
    if least > 0:
        yield Reason("at-least", 80, (("number", least),))
    elif least == 0:
        yield Reason("no-loss", 60)
    elif least > max(worst[: cut - 1] + worst[cut:]):
        yield Reason("least-loss", 40, (("number", -least),))
    won = sum(_wins(state, role, end) for end in ends)
    if won:
        yield Reason("wins-often", 85, (("number", won), ("all", len(ends))))
    lost = [sum(any(_full(end, other) for other in range(3) if other != role) for end in each) for each in by_cut]
    if not lost[cut - 1] and any(lost):
        yield Reason("guards", 75, (("number", sum(map(bool, lost))),))
    yield _odds("cut-odds", role, state.toppings, ends)


def _odds(name: str, role: int, before: Toppings, ends: list[Toppings]) -> Reason:
    had = count(before[role])
    gain, loss = (sum((count(end[role]) - had) * sign > 0 for end in ends) for sign in (1, -1))
    return Reason(name, 20, (("gain", gain), ("loss", loss), ("all", len(ends))))


def _choices(state: State, role: int | None = None, cut: int = 0) -> list[tuple[int, int, int]]:
    """All combinations of cuts that are possible; one seat's cut may be given, and the third colour's is seen."""
    free = range(1, CUTS + 1)
    each = [range(state.cuts[seat], state.cuts[seat] + 1) if state.cuts[seat] else free for seat in range(THIRD + 1)]
    if role is not None:
        each[role] = range(cut, cut + 1)
    return list(product(each[0], each[1], each[2]))


def _outcomes(toppings: Toppings, number: int, choices: list[tuple[int, int, int]]) -> list[Toppings]:
    return [settle(toppings, slices(cuts, number)) for cuts in choices]


def _wins(state: State, role: int, end: Toppings) -> bool:
    return _full(end, role) and not (state.seats == THIRD and _full(end, THIRD))


def _full(end: Toppings, colour: int) -> bool:
    return count(end[colour]) >= STOCK
