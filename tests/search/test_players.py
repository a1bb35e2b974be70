"""Computer players: legal, repeatable, stoppable, and knowing only what their seat has witnessed."""

from itertools import count
from random import Random

import pytest

import ludotheque
from ludotheque.game import LUCK
from ludotheque.match import Match
from ludotheque.search.players import PlayerMemory, think, think_for
from variants import Variant, duels, share

TICK_S = 0.01  # by which a clock goes on whenever somebody looks at it
every_duel = pytest.mark.parametrize("variant", duels(), ids=str)


def act(match: Match, seat: int, **how: object) -> str:
    """Let a seat think and play; a seat that passes lets the others go on."""
    thought = think_for(match, seat, **how)
    if thought.move is not None:
        match.play(seat, thought.move)
    return thought.move or ""


def check_legality(variant: Variant, positions: int) -> None:
    """Players of all levels in so many positions of random games propose legal moves, or pass.

    The strong ones get few simulations: what they propose is as legal or illegal as with many.
    """
    random, seen = Random(str(variant)), 0
    while seen < positions:
        match, memories = variant.match(random.getrandbits(30)), [PlayerMemory() for _ in range(4)]
        while not match.over and seen < positions:
            for seat in match.to_act:
                assert isinstance(seat, int)
                level = random.randint(1, 5)
                how = {"simulations": random.choice((2, 20, 60))} if level > 2 else {"level": level}
                move = think_for(match, seat, seed=seen, memory=memories[seat] if level == 5 else None, **how).move
                assert move in match.moves(seat) or (move is None and len(match.to_act) > 1)
                seen += 1
            seat = random.choice(match.to_act)
            match.play(seat, random.choice(match.moves(seat)))


@every_duel
def test_every_level_proposes_legal_moves(variant: Variant) -> None:
    check_legality(variant, share(variant, 1000))


@pytest.mark.slow
@every_duel
def test_every_level_proposes_legal_moves_in_ten_thousand_positions_a_game(variant: Variant) -> None:
    check_legality(variant, share(variant, 10_000) + 1)


@every_duel
def test_every_level_plays_on(variant: Variant) -> None:
    """The next moves of a game in which all seats are played by one level."""
    for level in (1, 3, 5):
        match, memories = variant.match(level), [PlayerMemory() for _ in range(4)]
        for _ in range(4):
            seats = [seat for seat in match.to_act if isinstance(seat, int)]
            how = {"simulations": 60} if level > 3 else {"level": level}
            assert match.over or any(act(match, seat, seed=level, memory=memories[seat], **how) for seat in seats)


@every_duel
def test_the_same_seed_and_simulations_give_the_same_thought(variant: Variant) -> None:
    match = variant.match(3)
    seat = next(seat for seat in match.to_act if isinstance(seat, int))
    thoughts = [think_for(match, seat, simulations=300, seed=5) for _ in range(2)]
    assert thoughts[0].move == thoughts[1].move
    assert thoughts[0].candidates == thoughts[1].candidates
    assert thoughts[0].expected == thoughts[1].expected
    assert thoughts[0].simulations == thoughts[1].simulations


def test_thinking_stops_when_told_and_in_time() -> None:
    match = ludotheque.game("tricolore").match(2)
    asked = count(1)
    thought = think_for(match, 0, seconds=1e6, cancel=lambda: next(asked) >= 3)
    assert thought.move in match.moves(0)
    parts: list[float] = []
    ticks = count()
    thought = think_for(match, 0, seconds=0.3, progress=parts.append, clock=lambda: next(ticks) * TICK_S)
    assert parts == sorted(parts)
    assert parts[-1] == 1
    assert 0.3 <= thought.seconds < 3, "it looks at the clock often"


@pytest.mark.parametrize("seats", [2, 3])
def test_a_sealed_choice_is_made_without_seeing_those_of_others(seats: int) -> None:
    """Whatever the others have chosen already, the thought is the same."""
    match = ludotheque.game("pizza").match(seats, seed=2)
    while match.view(0)["position"]["phase"] != "cut":  # type: ignore[call-overload, index]
        seat = match.to_act[0]
        match.play(seat, match.moves(seat)[0])
    alone = think_for(match, 0, simulations=2000, seed=1)
    thoughts = []
    for cut in ("cut 1", "cut 6"):
        other = ludotheque.load(match.save())
        other.play(1, cut)
        assert all(move != other.game.texts.index(cut) for _, move in other.witnessed(0)[-1:])
        thoughts.append(think_for(other, 0, simulations=2000, seed=1))
    assert thoughts[0].candidates == thoughts[1].candidates == alone.candidates


def test_what_is_witnessed_is_all_there_is_but_sealed_choices() -> None:
    match = ludotheque.game("hundsgemein").match(3, seed=4)
    random = Random(1)
    for _ in range(12):
        seat = match.to_act[0]
        match.play(seat, random.choice(match.moves(seat)))
    placed = [(actor, text) for actor, text in match.events if actor != "luck"]
    texts = match.game.texts
    for seat in range(3):
        seen = [(actor, texts[move]) for actor, move in match.witnessed(seat) if actor != LUCK]
        assert seen == placed
    assert len(match.shown(0)) < len(match.events)


def test_the_strongest_remembers_owners_and_the_easy_ones_mix_them_up() -> None:
    from ludotheque.games.hundsgemein.state import State
    from ludotheque.search.heuristics.hundsgemein import recall

    match = ludotheque.game("hundsgemein").match(2, seed=4)
    random = Random(1)
    for _ in range(24):
        seat = match.to_act[0]
        match.play(seat, random.choice([move for move in match.moves(seat) if "@" in move]))
    view, truth = match.seen(0), match.state
    assert isinstance(view, State)
    assert isinstance(truth, State)
    assert view.owners != truth.owners
    assert recall(view, match.witnessed(0), 0, random, 1.0) == truth
    vague = recall(view, match.witnessed(0), 0, random, 0.0)
    assert vague.owners != truth.owners
    assert vague.fleas == truth.fleas
    assert ludotheque.game("hundsgemein").rules.view(vague, 0) == view


def test_at_the_table_the_strongest_objects_and_else_passes() -> None:
    match = ludotheque.game("hundsgemein").match(3, seed=1, referee="table")
    kind = match.view(0)["position"]["open"][0][0]  # type: ignore[call-overload, index]
    match.play(0, f"{kind}@d4")
    assert think_for(match, 1, level=5).move == "object"
    assert think_for(match, 2, level=5).move == "object"
    easy = {think_for(match, 2, level=1, seed=seed).move for seed in range(40)}
    assert easy == {"object", None}
    match.play(1, "object")
    assert match.to_act == (1,)
    match.play(1, match.moves(1)[0])
    assert think_for(match, 0, level=5).move is None
    assert think_for(match, 2, simulations=50).move in match.moves(2)


def test_who_has_nothing_to_decide_is_told_so() -> None:
    match = ludotheque.game("hepta").match()
    with pytest.raises(ValueError, match="nothing to decide"):
        think(match.game, match.state, (), 1, level=1)
    with pytest.raises(ValueError, match="a level is one of"):
        think(match.game, match.state, (), 0, level=6)
