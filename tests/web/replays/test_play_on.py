"""Playing on from a position of a finished match: for every game, from anywhere, and its record is sound."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from django.test import Client

import ludotheque
from ludotheque.luck import Luck
from ludotheque.match import Match
from ludotheque.search.analysis import JudgedMove, Swing, by_rules, outcome, swings, turning_points
from ludotheque.web.models import Event, Replay, Seat, Table
from ludotheque.web.pages import replay
from ludotheque.web.refusals import Refused
from ludotheque.web.replays import analysis
from ludotheque.web.replays.finished import find
from ludotheque.web.table import actions, cache, rematch
from ludotheque.web.table.transaction import locked
from variants import Variant, everything
from web.people import browser, seated

every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


@pytest.fixture(autouse=True)
def _nobody_thinks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(analysis, "begin", lambda _found: None)
    monkeypatch.setattr("ludotheque.web.table.transaction.listeners", [])
    yield
    Replay.objects.all().delete()


def finished(variant: Variant, seed: int = 1) -> Match:
    match, random = variant.match(seed), Random(seed)
    for _ in range(60):
        if match.over:
            return match
        seat = random.choice(match.to_act)
        match.play(seat, random.choice(match.moves(seat)))
    match.resign(0)
    return match


def played_to_the_end(table: Table) -> None:
    """Everybody does anything, a few moves; then one gives up."""
    random = Random(2)
    with locked(table.id) as change:
        played = change.match_copy()
        for _ in range(40):
            if played.over:
                break
            seat = random.choice(played.to_act)
            played.play(seat, random.choice(played.moves(seat)))
        change.add_played(played)
        if not played.over:
            change.add(Event.Kind.RESIGN, 0)


@every_variant
def test_a_table_begins_where_the_match_was(variant: Variant) -> None:
    match = finished(variant)
    random = Random(3)
    for step in {0, rematch.last_open_step(match), random.randrange(match.length)}:
        seat = random.randrange(match.seats)
        table = rematch.play_on(match, step, "ada", seat, "1")
        begun = cache.state_of(Table.objects.get(pk=table.id))
        assert begun.match is not None
        events = begun.match.events
        assert begun.entered <= step
        assert events[: begun.entered] == match.events[: begun.entered]
        assert all(actor == "luck" for actor, _ in events[begun.entered :])
        assert not begun.match.chosen, "what was sealed is chosen anew"
        assert begun.entered == step or match.before(match.length - step).chosen
        assert begun.match.luck is not None
        assert begun.match.luck.seed == table.seed
        kinds = [each.kind for each in table.seats.all()]
        assert kinds.count(Seat.Kind.PERSON) == 1
        assert kinds[seat] == Seat.Kind.PERSON


@every_variant
def test_the_record_is_sound_and_luck_is_told_as_it_was(variant: Variant) -> None:
    match = finished(variant)
    step = rematch.last_open_step(match) // 2
    table = rematch.play_on(match, step, "ada", 0, "1")
    played_to_the_end(table)
    state = cache.state_of(Table.objects.get(pk=table.id))
    record = Client().get(f"/t/{table.id}/record").text
    again = ludotheque.load(record)
    assert state.match is not None
    assert again.log == state.match.log
    entered = any(actor == "luck" for actor, _ in state.match.log[: state.entered])
    assert (json.loads(record)["luck"] is None) == entered, "a seed promises that it made all draws"
    assert state.own_draws_follow()
    page = Client().get(f"/replay/{table.id}").text
    assert ("This match goes on from another one" in page) == entered


def test_a_forged_draw_is_found() -> None:
    match = finished(Variant(ludotheque.game("pegs"), 2, {}))
    table = rematch.play_on(match, match.length // 2, "ada", 0, "1")
    played_to_the_end(table)
    state = cache.state_of(Table.objects.get(pk=table.id)).copy()
    assert state.match is not None
    drawn = [n for n, (actor, _) in enumerate(state.match.log) if actor == "luck" and n >= state.entered]
    assert drawn
    state.match.luck = Luck("another", table.id)
    assert not state.own_draws_follow()


def test_nobody_plays_on_from_the_end_or_as_nobody() -> None:
    match = finished(Variant(ludotheque.game("tricolore"), 2, {"quiet": 4}))
    assert match.ending is None
    for step, seat, level in ((match.length, 0, "1"), (-1, 0, "1"), (0, 2, "1"), (0, -1, "1"), (0, 0, "9")):
        with pytest.raises(Refused):
            rematch.play_on(match, step, "ada", seat, level)
    with pytest.raises(Refused):
        rematch.play_on(match, 0, "", 0, "1")


def test_the_page_offers_it_without_a_script() -> None:
    table = seated("hepta", 2, legs=1)
    table.play_at_once()
    ada = browser("ada")
    page = ada.get(f"/replay/{table.id}?step=5").text
    assert 'name="step" value="5"' in page
    answer = ada.post(f"/replay/{table.id}/play-on", {"step": "5", "seat": "1", "level": "2"})
    assert answer.status_code == 302
    begun = Table.objects.get(pk=answer["Location"].removeprefix("/t/"))
    match = cache.state_of(begun).match
    assert match is not None
    assert match.events[:5] == table.match.events[:5]
    assert begun.seats.get(number=1).name == "Ada"
    assert ada.post(f"/replay/{table.id}/play-on", {"step": "9999", "seat": "0", "level": "2"}).status_code == 409
    assert ada.get(f"/replay/{table.id}/play-on").status_code == 405


def test_nobody_plays_on_from_a_running_match() -> None:
    table = seated("hundsgemein", 3)
    table.play_at_once(10)
    assert browser("ada").post(f"/replay/{table.id}/play-on", {"step": "5"}).status_code == 404


# Turning points


def judged(number: int, hopes: tuple[float, float], cost: float = 0.0, leg: int = 0) -> JudgedMove:
    return JudgedMove(number, leg, number % 2, "a1", cost, "b2", ("b2",), hopes, False)


def test_the_largest_swings_are_turning_points() -> None:
    moves = [judged(number, (0.5, 0.5)) for number in range(4)]
    moves += [judged(4, (0.9, 0.1)), judged(5, (0.9, 0.1), cost=0.2), judged(6, (0.85, 0.15))]
    assert [each.number for each in turning_points(moves)] == [3, 5]
    swing = swings(moves)[3]
    assert (swing.before, swing.after) in ((0.5, 0.9), (0.5, 0.1))


def test_the_last_move_can_be_the_largest_swing() -> None:
    moves = [judged(0, (0.45, 0.55)), judged(1, (0.5, 0.5)), judged(2, (0.4, 0.6))]
    assert turning_points(moves) == []
    assert turning_points(moves, (1.0, 0.0)) == moves[2:]
    assert swings(moves, (1.0, 0.0))[2] == Swing(0, 0.4, 1.0)
    assert swings(moves, (0.0, 0.0))[2] == Swing(1, 0.6, 0.0), "both can lose"
    assert turning_points([replace(moves[2], proven=True)], (0.0, 1.0)) == [], "no news"


def test_who_gives_up_makes_no_swing_of_the_last_move() -> None:
    match = ludotheque.game("hepta").match(seed=1, legs=1)
    assert by_rules(match) == outcome(match) == ()
    match.resign(0)
    assert outcome(match) == (0.0, 1.0)
    assert by_rules(match) == ()


def test_the_page_tells_of_the_last_move() -> None:
    table = seated("pizza", 3)
    table.play_at_once(400)
    found = find(table.id)
    assert found is not None
    assert found.state.ending is None
    winner = next(iter(found.match.winners), None)
    hopes = tuple(0.1 if seat == winner else 0.45 for seat in range(3))
    numbers = [number for number, (actor, _) in enumerate(found.match.events) if isinstance(actor, int)]
    analysis._keep(
        found.replay,
        [JudgedMove(number, 0, 0, "cut 1", 0.0, None, (), hopes, False) for number in numbers],
        whole=True,
    )
    page = Client(headers={"accept-language": "en"}).get(f"/replay/{table.id}").text
    assert f'data-turn="{numbers[-1] + 1}"' in page
    assert page.count("data-turn=") == 1


def test_the_end_of_a_leg_is_no_swing() -> None:
    moves = [judged(0, (0.9, 0.1)), judged(1, (0.1, 0.9), leg=1)]
    assert turning_points(moves) == []


@pytest.mark.parametrize("box", [box for box in ludotheque.games() if max(box.seats) > 1], ids=lambda box: box.key)
def test_a_turning_point_draws_both_moves(box: ludotheque.Box, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move of a game, beside another that was possible; what has no place on the board is drawn, too."""
    monkeypatch.setattr(replay, "turning_points", lambda steps, _ended: steps)
    table = seated(box.key, max(box.seats))
    table.play_at_once(40)
    table.give_up()
    found = find(table.id)
    assert found is not None
    again, steps = Match(box.rules, found.match.seats, None, found.match.options), []
    for number, (actor, text) in enumerate(found.match.events):
        if isinstance(actor, int):
            others = [other for other in again.moves(actor) if other != text]
            best = others[0] if others else text
            hopes = (0.5,) * again.seats
            steps.append(JudgedMove(number, again.leg, actor, text, 0.3, best, (best,), hopes, False))
        again.enter((actor, text))
    analysis._keep(found.replay, steps, whole=True)
    for step in steps[:: max(1, len(steps) // 8)]:
        drawn = Client().get(f"/replay/{table.id}/turn/{step.number + 1}?lang=fr")
        assert drawn.status_code == 200
        assert drawn.text.count('class="ghost compared played"') == 1
        assert drawn.text.count('class="ghost compared better"') == (step.best != step.move)
        assert drawn.text.endswith("</g></svg>")
        assert (
            drawn.text
            in Client(headers={"accept-language": "fr"}).get(f"/replay/{table.id}?turn={step.number + 1}").text
        )
    assert Client().get(f"/replay/{table.id}/turn/9999").status_code == 404


def test_replays_of_hundsgemein_show_owners() -> None:
    table = seated("hundsgemein", 2)
    table.play_at_once(12)
    known = re.compile(r"<title>[a-g]\d: flea [A-D], ")
    hidden = browser("ada").get(f"/t/{table.id}").text
    placed = sum(mask.bit_count() for mask in table.match.state.fleas)  # type: ignore[attr-defined]
    assert placed > 2
    assert not known.search(hidden)
    actions.resign(table.id, "ada", 0)
    shown = Client().get(f"/replay/{table.id}/at/{table.match.length}").text
    assert len(known.findall(shown)) == placed
