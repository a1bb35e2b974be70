"""What an author says no match exceeds: `bounds` and `may_wait` of the contract, in random matches."""

from dataclasses import replace
from random import Random

import pytest

import ludotheque
from ludotheque.game import LUCK, LUCK_ACTS, NOBODY, AnyGame, Bounds, moves
from variants import Variant, everything

RANDOM_MATCHES = 3
MAX_EVENTS = 300  # of a match that may go on for ever

every_variant = pytest.mark.parametrize("variant", everything(), ids=str)


def check(game: AnyGame, start: tuple[object, ...], seats: int, random: Random) -> None:
    """One random match keeps to the bounds of its start."""
    bounds, state, played, drawn = game.bounds(start), start, 0, 0
    while (acting := game.to_act(state)) and played + drawn < MAX_EVENTS:
        check_state(game, bounds, state, seats)
        actor = random.choice([actor for actor in range(LUCK + 1) if acting >> actor & 1])
        state = game.play(state, actor, random.choice(moves(game, state, actor)))
        drawn += actor == LUCK
        played += actor != LUCK
    check_state(game, bounds, state, seats)
    assert bounds.moves is None or played <= bounds.moves
    assert bounds.draws is None or drawn <= bounds.draws
    assert acting or bounds.all_may_lose or game.winners(state)


def check_state(game: AnyGame, bounds: Bounds, state: tuple[object, ...], seats: int) -> None:
    acting = game.to_act(state)
    assert bounds.draws != 0 or not acting & LUCK_ACTS
    assert bounds.points is None or max(game.scores(state)) <= bounds.points
    assert bounds.secrets or game.sealed(state) or all(game.view(state, s) == state for s in range(NOBODY, seats))
    assert not acting or acting & ~game.may_wait(state), "somebody has to act"


@every_variant
def test_random_matches_keep_to_the_bounds(variant: Variant) -> None:
    for seed in range(RANDOM_MATCHES):
        check(variant.box.rules, variant.start(), variant.seats, Random(seed))


@every_variant
def test_our_games_say_what_a_learner_has_to_know(variant: Variant) -> None:
    bounds = variant.box.rules.bounds(variant.start())
    assert bounds.draws is not None
    assert bounds.points is not None
    assert (bounds.moves is None) == (variant.seats == 1), "only what is laid in a puzzle may be taken back for ever"


def test_bounds_that_are_not_kept_are_found() -> None:
    hepta, pegs = ludotheque.game("hepta").rules, ludotheque.game("pegs").rules
    hundsgemein = ludotheque.game("hundsgemein").rules
    for game, wrong in (
        (hepta, {"moves": 10}),
        (hepta, {"points": 1}),
        (pegs, {"draws": 3}),
        (pegs, {"draws": 0}),
        (hundsgemein, {"secrets": False}),
        (replace(hepta, winners=lambda _state: 0), {"all_may_lose": False}),
    ):
        options = {option.name: option.default for option in game.options if option.name != "legs"}
        start = game.start(2, **options)
        with pytest.raises(AssertionError):
            check(saying(game, game.bounds(start)._replace(**wrong)), start, 2, Random(1))


def saying(game: AnyGame, bounds: Bounds) -> AnyGame:
    return replace(game, bounds=lambda _start: bounds)


def test_who_need_not_act_in_hundsgemein() -> None:
    match = ludotheque.game("hundsgemein").match(seats=3, seed=1, referee="table")
    match.play(0, next(text for text in match.moves(0) if "@" in text))
    assert match.to_act == (1, 2)
    assert match.game.may_wait(match.state) == 1 << 2
