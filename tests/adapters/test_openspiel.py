"""OpenSpiel's own tests of our games, and OpenSpiel's players at our tables."""

from random import Random

import pyspiel
import pytest

import ludotheque
from ludotheque import Box
from ludotheque.adapters.openspiel import register

DUELS = [box for box in ludotheque.games() if max(box.seats) > 1]
TABLES = [(box, seats) for box in DUELS for seats in box.seats]


@pytest.mark.parametrize(("box", "seats"), TABLES, ids=lambda part: getattr(part, "key", str(part)))
def test_openspiels_own_tests(box: Box, seats: int) -> None:
    game = pyspiel.load_game(register(box.rules), {"seats": seats})
    assert game.num_players() == seats
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)


@pytest.mark.parametrize(("box", "seats"), TABLES, ids=lambda part: getattr(part, "key", str(part)))
def test_openspiels_conventions(box: Box, seats: int) -> None:
    """What its own test of the interface asks of every game; that test comes with its sources only."""
    state, random = pyspiel.load_game(register(box.rules), {"seats": seats}).new_initial_state(), Random(1)
    players = range(seats)
    for nobody in (-1, seats):
        with pytest.raises(pyspiel.SpielError):
            state.observation_string(nobody)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(random.choice(state.chance_outcomes())[0])
        elif state.is_simultaneous_node():
            state.apply_actions([random.choice(state.legal_actions(player)) for player in players])
        else:
            assert all(not state.legal_actions(other) for other in players if other != state.current_player())
            assert all(state.observation_string(player) for player in players)
            state.apply_action(random.choice(state.legal_actions()))
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.get_type() == pyspiel.StateType.TERMINAL
    assert state.legal_actions() == []
    assert all(state.legal_actions(player) == [] for player in players)


def test_the_same_moves_lead_to_the_same_position() -> None:
    for box, seats in TABLES:
        state = pyspiel.load_game(register(box.rules), {"seats": seats}).new_initial_state()
        match, random = box.match(seats, luck=None), Random(1)
        for _ in range(40):
            if match.over or match.leg:
                break
            actor = match.to_act[0]
            text = random.choice(match.moves(actor))
            if state.is_simultaneous_node():
                texts = [random.choice(match.moves(seat)) for seat in range(seats)]
                state.apply_actions([box.rules.texts.index(each) for each in texts])
                for seat, each in enumerate(texts):
                    match.play(seat, each)
            else:
                state.apply_action(box.rules.texts.index(text))
                match.play(actor, text)
            if not match.leg:
                assert state.state == match.state


def test_objections_are_asked_for_in_turn() -> None:
    game = pyspiel.load_game(register(ludotheque.game("hundsgemein").rules), {"seats": 3, "referee": "table"})
    pyspiel.random_sim_test(game, num_sims=2, serialize=False, verbose=False)


def test_luck_and_returns() -> None:
    game = pyspiel.load_game(register(ludotheque.game("pizza").rules), {"seats": 2, "rounds": 2})
    state, random = game.new_initial_state(), Random(2)
    seen = set()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(part for _, part in outcomes) == pytest.approx(1)
            state.apply_action(outcomes[0][0])
            seen.add("luck")
        elif state.is_simultaneous_node():
            state.apply_actions([random.choice(state.legal_actions(seat)) for seat in range(2)])
            seen.add("together")
        else:
            state.apply_action(random.choice(state.legal_actions()))
    assert seen == {"luck", "together"}
    assert state.returns() == [0.0, 0.0]
