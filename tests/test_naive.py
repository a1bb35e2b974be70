"""The fast rules and the naive ones agree at every step of thousands of random games, all seats and options."""

from importlib import import_module
from random import Random
from typing import cast

import pytest

from ludotheque.game import LUCK, AnyGame, moves
from naive import Naive, Who
from variants import Variant, duels, share

GAMES = 1000  # of each game, over all its variants


@pytest.mark.parametrize("variant", duels(), ids=str)
def test_fast_and_naive_rules_agree(variant: Variant) -> None:
    game, random = variant.box.rules, Random(str(variant))
    options = {name: value for name, value in variant.options.items() if name != "legs"}
    for _ in range(share(variant, GAMES)):
        naive: Naive = import_module(f"naive.{game.stem}").Naive(variant.seats, **options)
        state = variant.start()
        while game.to_act(state):
            assert _actors(game, state) == naive.to_act()
            who = random.choice(sorted(naive.to_act(), key=str))
            actor = LUCK if who == "luck" else who
            found = moves(game, state, actor)
            texts = {game.texts[move] for move in found}
            assert texts == naive.moves(who)
            if who == "luck":
                assert {game.texts[move]: game.weight(state, move) for move in found} == naive.weights()
            move = random.choice(found)
            state = game.play(state, actor, move)
            naive.play(who, game.texts[move])
        assert naive.to_act() == set()
        assert game.scores(state)[: variant.seats] == naive.scores()
        won = game.winners(state)
        assert {seat for seat in range(variant.seats) if won >> seat & 1} == naive.winners()


def _actors(game: AnyGame, state: tuple[object, ...]) -> set[Who]:
    acting = game.to_act(state)
    seats = cast("set[Who]", {seat for seat in range(LUCK) if acting >> seat & 1})
    return seats | {"luck"} if acting >> LUCK & 1 else seats
