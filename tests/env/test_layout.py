"""Observations hold all that a seat may know, nothing else, and in the order that the reference says."""

from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

import ludotheque
from ludotheque import Match
from ludotheque.env.layout import Draft, layout_of
from ludotheque.env.observer import Observer
from observations import PAGE, page
from variants import Variant, duels

FOR_PICTURES = {"tfortwo": {"upwards", "rightwards"}}  # fields that change nothing that is still to come

every_duel = pytest.mark.parametrize("variant", duels(), ids=str)


def on_the_way(variant: Variant, seed: int, events: int) -> Match:
    """A match after some random moves."""
    match, random = variant.match(seed), Random(seed)
    for _ in range(events):
        if match.over:
            break
        seat = random.choice(match.to_act)
        match.play(seat, random.choice(match.moves(seat)))
    return match


def behind(match: Match, seat: int, random: Random) -> Match:
    """A match of which the seat knows the same."""
    other = match.copy()
    role = match.role(seat)
    state = match.game.guess(match.game.view(match.state, role), role, random)
    other._snapshots[-1] = other._snapshots[-1]._replace(state=state)
    return other


def seen(observer: Observer, match: Match, seat: int) -> NDArray[np.float32]:
    return observer.observe(match, seat, [])["observation"]


@every_duel
def test_what_a_seat_may_not_know_changes_nothing(variant: Variant) -> None:
    """Non-interference: whatever lies behind a view, its seat observes the same and may do the same."""
    observer, random, hidden = Observer(variant.match(by_hand=True)), Random(str(variant)), 0
    for seed in range(6):
        match = on_the_way(variant, seed, 7 * seed + 3)
        for seat in range(variant.seats):
            other = behind(match, seat, random)
            hidden += other.state != match.state
            assert np.array_equal(seen(observer, match, seat), seen(observer, other, seat))
            assert observer.actions(match, seat) == observer.actions(other, seat)
    if variant.box.key == "hundsgemein" and variant.options["owners"] == "hidden":
        assert hidden, "there was something to hide"


@every_duel
def test_what_a_seat_may_know_is_observed(variant: Variant) -> None:
    """Different views look different."""
    observer = Observer(variant.match(by_hand=True))
    views: dict[bytes, tuple[object, ...]] = {}
    for seed in range(12):
        match = on_the_way(variant, seed, 3 * seed)
        if match.over:
            continue
        view = match.seen(0)
        left_out = dict.fromkeys(FOR_PICTURES.get(variant.box.key, ()), 0)
        known = (match.leg, match.scores, view._replace(**left_out))  # type: ignore[attr-defined]
        looks = seen(observer, match, 0).tobytes()
        assert views.setdefault(looks, known) == known
    assert len(views) > 1


def test_boards_come_first_and_own_things_before_others() -> None:
    """Pizza Theory: each colour's toppings on the hexagon, from one's own on; who acts; which role one has."""
    variant = next(each for each in duels() if str(each) == "pizza-3-rounds=60")
    match, observer = variant.match(), Observer(variant.match(by_hand=True))
    match.play(0, "d7")
    assert observer.layout.boards == (3, 7, 7)
    first, second = (seen(observer, match, seat) for seat in (0, 1))
    mine = first[: 3 * 49].reshape(3, 7, 7)
    theirs = second[: 3 * 49].reshape(3, 7, 7)
    assert mine[0].sum() == 3
    assert mine[1].sum() == mine[2].sum() == 2
    assert np.array_equal(np.roll(theirs, 1, axis=0), mine)
    parts = {part.name: slice(part.first, part.first + part.size) for part in observer.layout.parts}
    assert first[parts["role"]].tolist() == [1, 0, 0]
    assert second[parts["role"]].tolist() == [0, 1, 0]
    assert first[parts["to act"]].tolist() == [0, 1, 0]
    assert second[parts["to act"]].tolist() == [1, 0, 0]
    assert first[parts["points"]] == pytest.approx([3 / 16, 2 / 16, 2 / 16])


def test_hepta_by_hand() -> None:
    match = ludotheque.game("hepta").match(legs=1)
    for cell in ("a1", "b2", "c3", "d4", "e5", "f6", "g7"):
        match.play(0, cell)
    match.play(1, "I")
    match.play(1, "a2-a3-a4")
    observer = Observer(match)
    boards = seen(observer, match, 0)[: 3 * 49].reshape(observer.layout.boards)
    assert np.array_equal(boards[0], np.eye(7))
    assert boards[1].nonzero()[1].tolist() == [1, 2, 3]
    assert not boards[2].any()
    parts = {part.name: slice(part.first, part.first + part.size) for part in observer.layout.parts}
    assert seen(observer, match, 0)[parts["eyes_left"]] == pytest.approx([6 / 7])
    assert seen(observer, match, 0)[parts["eyes_seat"]].tolist() == [0, 1]
    assert seen(observer, match, 1)[parts["eyes_seat"]].tolist() == [1, 0]


def test_a_game_without_a_layout_is_observed_bit_by_bit() -> None:
    match = ludotheque.game("hepta-solo").match()
    layout = layout_of(match.game, match.state, 1, match.options)
    assert layout.boards == (0, 0, 0)
    observer = Observer(match)
    before = seen(observer, match, 0)
    match.play(0, match.moves(0)[0])
    assert not np.array_equal(before, seen(observer, match, 0))


def test_layouts_can_be_brought() -> None:
    def turn_only(draft: Draft, _options: object) -> None:
        draft.seat("turn")

    match = ludotheque.game("hepta").match(legs=1)
    observer = Observer(match, layout=turn_only)
    assert [part.name for part in observer.layout.parts] == ["role", "to act", "turn"]
    assert seen(observer, match, 1).tolist() == [0, 1, 0, 1, 0, 1]


def test_the_reference_is_up_to_date() -> None:
    """After a change of a layout: `python tests/observations.py`."""
    assert PAGE.read_text(encoding="utf-8") == page()
