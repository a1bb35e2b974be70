"""OpenSpiel's own tests of our games, its algorithms on them, and its players at our tables."""

import pickle
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import cast

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
    minimax,
    outcome_sampling_mccfr,
    random_agent,
)

import ludotheque
from ludotheque import BadOption, Box
from ludotheque.adapters.openspiel import SpielGame, SpielState, register
from ludotheque.game import AnyGame
from variants import Variant, everything

EXAMPLES = Path(__file__).parents[2] / "examples"
BOXES = ludotheque.games()
DUELS = [box for box in BOXES if max(box.seats) > 1]
TABLES = [(box, seats) for box in BOXES for seats in box.seats]
CUT_SHORT = 40  # decisions in a puzzle, which would go on for ever
SOLUTION = (  # of Hepta's problem
    "a1-b1-b2 a3-a4-a5 a6-b6-c6 a7-b7-c7 b3-c3-d3 b4-c4-c5 c2-d1-d2 "
    "d5-d6-d7 e1-f1-g1 e2-e3-e4 e5-e6-f5 f2-g2-g3 f4-g4-g5 f6-f7-g7"
)

every_table = pytest.mark.parametrize(("box", "seats"), TABLES, ids=lambda part: getattr(part, "key", str(part)))
every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


def load(key: str, **parameters: bool | int | str) -> SpielGame:
    return cast("SpielGame", pyspiel.load_game(register(ludotheque.game(key)), parameters))


def loaded(variant: Variant) -> SpielGame:
    """A variant as OpenSpiel knows it, all its options as parameters; puzzles cut short."""
    options = {
        name: "-".join(value) if isinstance(value, tuple) else value
        for name, value in variant.options.items()
        if name != "legs"
    }
    cut = {"max_game_length": CUT_SHORT} if variant.seats == 1 else {}
    return load(variant.box.key, seats=variant.seats, **options, **cut)


def walk(state: SpielState, random: Random) -> Iterator[SpielState]:
    """A random game from here: every state of it, the same object each time."""
    yield state
    while not state.is_terminal():
        step(state, random)
        yield state


def step(state: SpielState, random: Random) -> None:
    """Anything that may happen next."""
    if state.is_chance_node():
        state.apply_action(random.choice(state.chance_outcomes())[0])
    elif state.is_simultaneous_node():
        players = range(state.num_players())
        state.apply_actions([random.choice(state.legal_actions(player) or [0]) for player in players])
    else:
        state.apply_action(random.choice(state.legal_actions()))


def endgame(key: str, seats: int, moves: int, seed: int = 1, **options: bool | int | str) -> SpielGame:
    """A random game up to so many events before its end, as a game of its own."""
    *_, end = walk(load(key, seats=seats, **options).new_initial_state(), Random(seed))
    texts = [end.leg.text(move) for _, move in end.here.events()[:-moves]]
    return load(key, seats=seats, after=";".join(texts), **options)


# Registered


def test_every_game_on_the_shelf_is_registered() -> None:
    names = register()
    assert names == [f"ludotheque_{box.rules.stem}" for box in BOXES]
    assert names == register()
    assert set(names) <= set(pyspiel.registered_names())


def test_a_name_is_not_given_twice() -> None:
    register()
    with pytest.raises(ValueError, match="ludotheque_hepta is another game"):
        register(replace(ludotheque.game("hepta").rules))


@every_variant
def test_what_is_declared(variant: Variant) -> None:
    """Against what random games do, and what the rules are known to be."""
    game, key = loaded(variant), variant.box.key
    kind, seen = game.get_type(), {"chance": False, "together": False}
    for _ in range(3):
        for state in walk(game.new_initial_state(), Random(1)):
            seen["chance"] |= state.is_chance_node()
            seen["together"] |= state.is_simultaneous_node()
        assert len(state.full_history()) <= game.max_history_length()
        assert state.here.decisions <= game.max_game_length()
        assert all(game.min_utility() <= payoff <= game.max_utility() for payoff in state.returns())
        if game.utility_sum() is not None:
            assert sum(state.returns()) == pytest.approx(game.utility_sum())
    assert (kind.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC) == seen["chance"]
    assert (kind.dynamics == kind.Dynamics.SIMULTANEOUS) == seen["together"] == (key == "pizza")
    secrets = key == "hundsgemein" and variant.options["owners"] == "hidden"
    assert (kind.information == kind.Information.IMPERFECT_INFORMATION) == secrets
    all_may_lose = key == "pizza" and variant.seats == 2
    assert (kind.utility == kind.Utility.ZERO_SUM) == (variant.seats > 1 and not all_may_lose)


def test_what_is_registered_holds_for_all_seats() -> None:
    """Pizza Theory has luck, and may be lost by all, with two seats but not with three."""
    register()
    (kind,) = [kind for kind in pyspiel.registered_games() if kind.short_name == "ludotheque_pizza"]
    assert kind.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.utility == kind.Utility.GENERAL_SUM
    assert (kind.min_num_players, kind.max_num_players) == (2, 3)


def test_bad_parameters_are_refused() -> None:
    for parameters in ({"seats": 4}, {"players": 5}, {"after": "a1;a1"}, {"after": "z9"}):
        with pytest.raises(BadOption):
            load("hepta", **parameters)
    with pytest.raises(BadOption):
        load("pizza", rounds=0)
    with pytest.raises(BadOption, match="only some have chosen"):
        load("pizza", seats=3, after="a1;d7;g4;cut 1")


def test_seats_are_players_as_well() -> None:
    assert load("tricolore", players=2).num_players() == load("tricolore", seats=2).num_players() == 2


# OpenSpiel's tests


@every_variant
def test_openspiels_own_tests(variant: Variant) -> None:
    game = loaded(variant)
    assert game.num_players() == variant.seats
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@every_table
def test_states_are_stored_and_copied(box: Box, seats: int) -> None:
    game = load(box.key, seats=seats, max_game_length=CUT_SHORT)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    for state in walk(game.new_initial_state(), Random(2)):
        if len(state.full_history()) > CUT_SHORT // 2:
            break
    text = pyspiel.serialize_game_and_state(game, state)
    assert len(text) < 30_000, "the rules are not stored with each state"
    again_game, again = pyspiel.deserialize_game_and_state(text)
    assert str(again_game) == str(game)
    for other in (again, state.clone(), pickle.loads(pickle.dumps(state))):  # noqa: S301 - our own
        assert str(other) == str(state)
        assert other.history() == state.history()
        assert [other.information_state_string(p) for p in range(seats)] == [
            state.information_state_string(p) for p in range(seats)
        ]
        for one in walk(other, Random(3)):
            assert one.is_terminal() or one.is_simultaneous_node() or len(one.legal_actions()) > 0


@every_table
def test_openspiels_conventions(box: Box, seats: int) -> None:
    """What its own test of the interface asks of every game; that test comes with its sources only."""
    state, players = load(box.key, seats=seats, max_game_length=CUT_SHORT).new_initial_state(), range(seats)
    for nobody in (-1, seats):
        with pytest.raises(pyspiel.SpielError):
            state.observation_string(nobody)
    for _ in walk(state, Random(1)):
        if state.is_player_node():
            assert all(not state.legal_actions(other) for other in players if other != state.current_player())
            assert all(state.observation_string(player) for player in players)
    assert state.current_player() == pyspiel.PlayerId.TERMINAL
    assert state.get_type() == pyspiel.StateType.TERMINAL
    assert state.legal_actions() == []
    assert all(state.legal_actions(player) == [] for player in players)


@every_table
def test_actions_have_names_and_back(box: Box, seats: int) -> None:
    for state in walk(load(box.key, seats=seats, max_game_length=5).new_initial_state(), Random(1)):
        if state.is_player_node():
            player = state.current_player()
            for action in state.legal_actions()[:5]:
                assert state.string_to_action(player, state.action_to_string(player, action)) == action


@pytest.mark.parametrize("box", BOXES, ids=lambda box: box.key)
def test_playthroughs(box: Box) -> None:
    name = str(load(box.key, seats=min(box.seats), max_game_length=6))
    lines = generate_playthrough.playthrough_lines(name, seed=1)
    assert lines == generate_playthrough.playthrough_lines(name, seed=1)
    assert "IsTerminal() = True" in lines
    assert any(line.startswith('InformationStateString(0) = "0: ') for line in lines)


# The same game as ours


@every_table
def test_the_same_moves_lead_to_the_same_position(box: Box, seats: int) -> None:
    state, match, random = load(box.key, seats=seats).new_initial_state(), box.match(seats, luck=None), Random(1)
    numbers = box.rules.numbers
    for _ in range(40):
        if match.over or match.leg:
            break
        actor = match.to_act[0]
        if state.is_simultaneous_node():
            texts = [random.choice(match.moves(seat)) for seat in range(seats)]
            state.apply_actions([numbers[text] for text in texts])
            for seat, text in enumerate(texts):
                match.play(seat, text)
        else:
            text = random.choice(match.moves(actor))
            state.apply_action(numbers[text])
            match.play(actor, text)
        if not match.leg:
            assert state.here.state == match.state
            assert all(state.leg.witnessed(state.here, seat) == list(match.witnessed(seat)) for seat in range(seats))


def test_a_match_of_ours_as_a_state() -> None:
    match = ludotheque.game("pegs").match(seed=4)
    for _ in range(30):
        match.play(match.to_act[0], match.moves(match.to_act[0])[0])
    state = load("pegs").state_of(match)
    assert state.here.state == match.state
    assert [match.game.texts[action] for action in state.legal_actions()] == match.moves(match.to_act[0])


def test_moves_before_the_start() -> None:
    game = load("hepta", after="a1; b2; c3; d4; e5; f6; g7; L")
    state = game.new_initial_state()
    assert state.current_player() == 1
    assert state.information_state_string(0) == "0: 0 a1; 0 b2; 0 c3; 0 d4; 0 e5; 0 f6; 0 g7; 1 L"
    assert pyspiel.load_game(str(game)).new_initial_state().legal_actions() == state.legal_actions()


def test_luck_is_as_likely_as_in_the_rules() -> None:
    """Three of each of the four dogs are left at the start; of Zorros two once one is dealt."""
    state = load("hundsgemein").new_initial_state()
    assert [part for _, part in state.chance_outcomes()] == [0.25] * 4
    state.apply_action(state.chance_outcomes()[-1][0])
    assert [part for _, part in state.chance_outcomes()] == pytest.approx([3 / 11] * 3 + [2 / 11])


# Who is asked, and who may wait


def test_objectors_are_asked_first_and_need_not_object() -> None:
    state = load("hundsgemein", seats=3, referee="table").new_initial_state()
    while not any("@" in state.action_to_string(action) for action in state.legal_actions()):
        state.apply_action(state.legal_actions()[0])
    state.apply_action(next(action for action in state.legal_actions() if "@" in state.action_to_string(action)))
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 2, "seat 1 plays, and is asked last"
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["object", "wait"]
    state.apply_action(state.legal_actions()[-1])
    assert state.current_player() == 1
    assert "wait" not in [state.action_to_string(action) for action in state.legal_actions()]
    assert state.information_state_string(1).endswith("2 wait")


# What was witnessed


def amid_choices() -> tuple[SpielState, SpielState]:
    """Pizza Theory for three after the first has chosen its cut, and after all have."""
    before = load("pizza", seats=3, after="a1;d7;g4").new_initial_state()
    after = before.clone()
    after.apply_actions([before.legal_actions(seat)[seat] for seat in range(3)])
    amid = before.clone()
    amid.here = after.here.line()[-3]
    return amid, after


def test_choices_in_secret_are_witnessed_when_all_have_chosen() -> None:
    amid, after = amid_choices()
    assert "0 cut 1" in amid.information_state_string(0)
    assert "cut" not in amid.information_state_string(1)
    assert len(amid.leg.witnessed(amid.here, 1)) == 3
    assert all("0 cut 1; 1 cut 2; 2 cut 3" in after.information_state_string(seat) for seat in range(3))
    assert len(after.leg.witnessed(after.here, 1)) == 6


def test_a_guess_has_the_same_information_and_other_secrets() -> None:
    amid, _ = amid_choices()
    random = Random(1)
    guesses = [amid.resample_from_infostate(1, random.random) for _ in range(30)]
    assert {str(guess.leg.rules.describe(guess.here.state)["cuts"])[1] for guess in guesses} == set("123456")
    for guess in guesses:
        assert guess.information_state_string(1) == amid.information_state_string(1)
        assert guess.information_state_tensor(1) == amid.information_state_tensor(1)
        assert "cut 1" not in guess.information_state_string(0), "what was guessed was not witnessed"
        assert guess.observation_string(1) == amid.observation_string(1)


def test_who_remembers_everything_knows_everything_in_hundsgemein() -> None:
    """All fleas come up openly: only who forgets does not know whose they are."""
    *states, _ = (state.clone() for state in walk(load("hundsgemein").new_initial_state(), Random(1)))
    for state in states[-20::5]:
        assert str(state.resample_from_infostate(0, Random(1).random)) == str(state)
        guess = state.resample_from_observation(0, Random(1).random)
        assert guess.observation_string(0) == state.observation_string(0)
        assert guess.here.state != state.here.state


@every_table
def test_information_states_are_never_forgotten(box: Box, seats: int) -> None:
    """Perfect recall: from what a seat knows follows what it knew before, its own moves included."""
    *states, _ = (
        s.clone() for s in walk(load(box.key, seats=seats, max_game_length=30).new_initial_state(), Random(5))
    )
    for before, after in pairwise(states):
        for seat in range(seats):
            assert after.information_state_string(seat).startswith(before.information_state_string(seat))
            assert after.information_state_string(seat) != before.information_state_string(seat)


@every_table
def test_tensors_differ_where_strings_do(box: Box, seats: int) -> None:
    game, seen = load(box.key, seats=seats, max_game_length=30), dict[tuple[float, ...], str]()
    for seed in range(3):
        for state in walk(game.new_initial_state(), Random(seed)):
            for seat in range(seats):
                tensor = tuple(state.information_state_tensor(seat))
                assert seen.setdefault(tensor, state.information_state_string(seat)) == (
                    state.information_state_string(seat)
                )
    assert len(set(seen.values())) == len(seen) > 30


def test_what_nobody_may_see_is_in_no_observation() -> None:
    """Hundsgemein's owners: other owners, same observation, in words and in numbers."""
    for number, state in enumerate(walk(load("hundsgemein", seats=3).new_initial_state(), Random(4))):
        if number < 40 or number % 5 or state.is_terminal():
            continue
        other = state.resample_from_observation(1, Random(number).random)
        assert other.here.state != state.here.state
        assert other.observation_string(1) == state.observation_string(1)
        assert other.observation_tensor(1) == state.observation_tensor(1)


def test_kinds_of_observers() -> None:
    amid, _ = amid_choices()
    game = amid.get_game()

    def told(player: int, **kind: object) -> str:
        kind = {"perfect_recall": False, **kind}
        return str(game.make_py_observer(pyspiel.IIGObservationType(**kind)).string_from(amid, player))

    private = pyspiel.PrivateInfoType
    assert '"cuts": [1, null, null]' in told(0)
    assert '"cuts": [null, null, null]' in told(0, private_info=private.NONE)
    assert told(0, public_info=False) == '{"cuts": [1, null, null]}'
    assert told(1, public_info=False) == "{}"
    assert '"cuts": [1, null, null]' in told(1, private_info=private.ALL_PLAYERS)
    assert "0 cut 1" in told(1, private_info=private.ALL_PLAYERS, perfect_recall=True)
    assert "cut" not in told(0, private_info=private.NONE, perfect_recall=True)
    assert game.make_py_observer(pyspiel.IIGObservationType(public_info=False, perfect_recall=True)) is None


# What it is worth


def test_returns_of_a_leg_are_the_lead() -> None:
    *_, end = walk(load("tfortwo").new_initial_state(), Random(1))
    (points, _), returns = end.leg.rules.scores(end.here.state), end.returns()
    assert points > 0
    assert returns == [points, -points]


def test_returns_of_winners() -> None:
    """One who wins alone, and two who share."""
    for quiet, seed, returns in ((120, 1, [-1.0, -1.0, 2.0]), (60, 12, [-1.0, 0.5, 0.5])):
        *_, end = walk(load("tricolore", seats=3, quiet=quiet).new_initial_state(), Random(seed))
        assert sorted(end.returns()) == returns


def test_a_game_that_is_cut_short_has_no_winner() -> None:
    *_, end = walk(load("tricolore", seats=3, max_game_length=4).new_initial_state(), Random(1))
    assert end.here.decisions == 4
    assert end.returns() == [0.0, 0.0, 0.0]


def test_all_may_lose() -> None:
    """Two lose Pizza Theory to the third colour, now and then."""
    game = load("pizza", seats=2)
    ends = [list(walk(game.new_initial_state(), Random(seed)))[-1].returns() for seed in range(40)]
    assert [-1.0, -1.0] in ends
    assert max(map(max, ends)) == 1.0


def test_a_puzzle_pays_for_its_solution() -> None:
    texts = SOLUTION.split()
    state = load("hepta-solo", after=";".join(texts[:-1])).new_initial_state()
    assert state.returns() == [0.0]
    state.apply_action(state.string_to_action(0, texts[-1]))
    assert state.returns() == [1.0]
    *_, end = walk(load("hepta-solo", max_game_length=5).new_initial_state(), Random(1))
    assert end.returns() == [0.0]


# OpenSpiel's algorithms


def searching(game: SpielGame, simulations: int) -> mcts.MCTSBot:
    random = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    return mcts.MCTSBot(game, game.max_utility(), simulations, evaluator, random_state=random)


@pytest.mark.parametrize("key", ["hepta", "pegs", "tfortwo", "tricolore", "hundsgemein", "hepta-solo"])
def test_mcts(key: str) -> None:
    game = load(key, max_game_length=CUT_SHORT)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert searching(game, 5).step(state) in state.legal_actions()


@pytest.mark.parametrize(("key", "moves", "seed"), [("hepta", 3, 3), ("tfortwo", 2, 0)])
def test_mcts_finds_what_minimax_finds(key: str, moves: int, seed: int) -> None:
    game = endgame(key, 2, moves, seed)
    state = game.new_initial_state()
    player = state.current_player()
    value, _ = minimax.alpha_beta_search(game)
    state.apply_action(searching(game, 400).step(state))
    assert minimax.alpha_beta_search(game, state=state, maximizing_player_id=player)[0] == value


def test_information_set_mcts() -> None:
    """For a player that remembers everything, and for one that only looks."""
    game, random = load("hundsgemein", seats=3), Random(1)
    for number, state in enumerate(walk(game.new_initial_state(), random)):
        if number < 40 or not state.is_player_node():
            continue
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = ismcts.ISMCTSBot(game, evaluator, 1.4, 4)
        assert bot.step(state) in state.legal_actions()
        looking = ismcts.ISMCTSBot(
            game, evaluator, 1.4, 4, use_observation_string=True, allow_inconsistent_action_sets=True
        )
        looking.set_resampler(lambda here, player: here.resample_from_observation(player, random.random))
        assert looking.step(state) in state.legal_actions()
        break


@pytest.mark.parametrize(
    "game",
    [
        "hepta",
        "hundsgemein(seats=3,referee=table)",
        "pegs",
        "tfortwo",
        "tricolore(seats=2,quiet=10)",
        "pizza(rounds=2)",
    ],
)
def test_outcome_sampling_mccfr(game: str) -> None:
    register()
    tree = pyspiel.load_game_as_turn_based(f"ludotheque_{game}")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(tree)
    solver.iteration()
    state = tree.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    policies = solver.average_policy().action_probabilities(state)
    assert set(policies) <= set(state.legal_actions())
    assert sum(policies.values()) == pytest.approx(1)


def nash_conv_of(game: pyspiel.Game, iterations: int) -> tuple[float, float]:
    """How far uniform play is from equilibrium, and what counterfactual regret minimisation makes of it."""
    solver = cfr.CFRPlusSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    return uniform, exploitability.nash_conv(game, solver.average_policy())


def test_nash_conv_of_the_end_of_hepta() -> None:
    uniform, found = nash_conv_of(endgame("hepta", 2, 3, seed=3), 20)
    assert uniform == pytest.approx(2)
    assert found == pytest.approx(0, abs=0.1)


def test_nash_conv_of_the_end_of_hundsgemein_with_its_luck() -> None:
    uniform, found = nash_conv_of(endgame("hundsgemein", 2, 7, seed=7), 20)
    assert uniform > 0.5
    assert found == pytest.approx(0, abs=0.05)


def test_nash_conv_of_the_last_cut_of_pizza_theory() -> None:
    """Six cuts against six, chosen in secret; a game that they do not end is cut short."""
    end = endgame("pizza", 2, 2, seed=4)
    after = str(end.get_parameters()["after"])
    game = load("pizza", seats=2, after=after, max_game_length=end.start.decisions + 1)
    uniform, found = nash_conv_of(pyspiel.convert_to_turn_based(game), 100)
    assert uniform > 0.1
    assert found < uniform / 10


def test_a_game_of_another_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its author gives no bounds, so that the more general is declared; the equilibrium is found all the same."""
    monkeypatch.syspath_prepend(EXAMPLES / "nim")
    rules: AnyGame = import_module("nim").GAME

    game = pyspiel.load_game(register(rules), {"matches": 5})
    kind = game.get_type()
    assert kind.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.utility == kind.Utility.GENERAL_SUM
    assert not kind.provides_information_state_tensor
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    uniform, found = nash_conv_of(game, 50)
    assert uniform > 1
    assert found == pytest.approx(0, abs=0.01)


def test_a_game_with_private_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kuhn's poker: a card is witnessed by whom it is dealt to."""
    monkeypatch.syspath_prepend(EXAMPLES / "kuhn")
    rules: AnyGame = import_module("kuhn").GAME
    game = pyspiel.load_game(register(rules))
    state = game.new_initial_state()
    for move in (0, 2, rules.numbers["check"]):
        state.apply_action(move)
    assert state.information_state_string(0).startswith("0: luck deal jack")
    assert "jack" not in state.information_state_string(1)
    assert "king" not in state.information_state_string(0)
    guesses = [state.resample_from_infostate(0, Random(seed).random) for seed in range(10)]
    assert {guess.here.state for guess in guesses} > {state.here.state}
    assert {guess.information_state_string(0) for guess in guesses} == {state.information_state_string(0)}
    assert len({guess.information_state_string(1) for guess in guesses}) == 2
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    uniform, found = nash_conv_of(game, 200)
    assert uniform > 0.3
    assert found < 0.05


@pytest.mark.parametrize("name", ["hepta", "hundsgemein(players=3)", "pizza(seats=2,rounds=3)", "tricolore(quiet=5)"])
def test_rl_environment(name: str) -> None:
    register()
    environment = rl_environment.Environment(pyspiel.load_game(f"ludotheque_{name}"))
    actions = environment.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(seat, actions) for seat in range(environment.num_players)]
    moment = environment.reset()
    assert len(moment.observations["info_state"][0]) == environment.observation_spec()["info_state"][0]
    while not moment.last():
        legal = moment.observations["legal_actions"]
        acting = [agent.step(moment).action if legal[seat] else 0 for seat, agent in enumerate(agents)]
        moment = environment.step(acting if not environment.is_turn_based else [acting[moment.current_player()]])
    assert moment.rewards is not None
    assert len(moment.rewards) == environment.num_players
