"""The opponent model: from moves it infers who is greedy, and who chooses at random."""

from collections.abc import Callable, Sequence
from math import prod
from typing import cast

import pytest

import ludotheque
from ludotheque.game import LUCK
from ludotheque.games import pegs as pegs_rules
from ludotheque.games import pizza as pizza_rules
from ludotheque.games.hundsgemein.state import State
from ludotheque.match import Match
from ludotheque.search.compiled import machine
from ludotheque.search.heuristics import Objective, Values, pegs, pizza
from ludotheque.search.heuristics.hundsgemein import greedy_gain, open_moves
from ludotheque.search.mcts import search
from ludotheque.search.opponent_model import MAX_OBSERVATIONS, STYLE_PRIOR, infer_greed, infer_styles
from ludotheque.search.players import Candidate, think_for
from ludotheque.search.scratch import SearchParams, new_scratch
from ludotheque.search.sealed import RANDOM, RATIONAL
from ludotheque.search.tree import Tree, new_tree
from search.beginnings import play_on

BOX = ludotheque.game("hundsgemein")
OBJECTIVE = Objective(3, 0.05, 16.0, 0.0, 0.0, 1)


def played_by(names: tuple[str, ...], seed: int, moves: int, **options: str) -> Match:
    """The beginning of a game among these players."""
    match = BOX.match(len(names), seed=seed, **options)
    return play_on(match, names, seed, lambda match: sum(actor != "luck" for actor, _ in match.events) < moves)


def believed(match: Match, observer: int = 0) -> tuple[float, ...]:
    return infer_greed(BOX.rules, seen(match, observer), observer)


def seen(match: Match, observer: int) -> list[tuple[State, int, int]]:
    found = open_moves(cast("State", match.seen(observer)), match.witnessed(observer))
    assert found is not None
    return found


@pytest.mark.parametrize("owners", ["hidden", "open"])
def test_the_greedy_are_told_from_others(owners: str) -> None:
    matches = [played_by(("random", "greedy", "300n"), seed, 21, owners=owners) for seed in range(6)]
    mine, greedy, well = (sum(each) / len(matches) for each in list(zip(*map(believed, matches), strict=True))[:3])
    assert mine == 0, "one knows oneself"
    assert greedy > 0.8
    assert well < 0.4


def test_strangers_are_taken_for_greedy() -> None:
    assert infer_greed(BOX.rules, (), 1) == pytest.approx((0.8, 0, 0.8, 0.8))


def test_a_single_opponent_is_not_modelled() -> None:
    match = played_by(("greedy", "greedy"), 4, 10)
    assert open_moves(cast("State", match.seen(0)), match.witnessed(0)) is None


def test_fleas_against_the_rules_tell_nothing() -> None:
    match = BOX.match(3, seed=3, referee="table")
    kind = match.moves(0)[0][0]
    match.play(0, f"{kind}@d4")  # the centre, where none may lie
    match.play(1, "object")
    assert seen(match, 1) == []


def test_in_the_tree_greedy_seats_play_greedily() -> None:
    """In the tree, a seat that is surely greedy makes none but the moves that bring most at once."""
    match = played_by(("random", "random", "random"), 5, 9)
    state, others = cast("State", match.state), (0.0, 1.0, 1.0, 0.0)
    tree, scratch = new_tree(20_000, 400_000), new_scratch(1)
    run, objective = machine(BOX.rules).build(search), Objective(3, 0.2, 15.0, 0.0, 0.0, 1)
    run(tree, scratch, state, 3000, 1 << 40, objective, SearchParams(solve=False, greedy=others))
    mine = list(edges(tree, 0))
    assert min(tree.edges["tries"][mine]) > 0, "oneself tries everything"
    replies = 0
    for edge in mine:
        turned_up, after = tree.edges["child"][edge], BOX.rules.play(state, 0, int(tree.edges["move"][edge]))
        for luck in edges(tree, turned_up) if turned_up else ():
            there = cast("State", BOX.rules.play(after, LUCK, int(tree.edges["move"][luck])))
            reached = int(tree.edges["child"][luck])
            found = list(edges(tree, reached)) if reached else []
            brings = [greedy_gain(there, 1, int(tree.edges["move"][reply])) for reply in found]
            tried = [many for many, reply in zip(brings, found, strict=True) if tree.edges["tries"][reply] > 0]
            assert set(tried) <= {max(brings, default=0)}
            replies += len(tried)
    assert replies > 100


def edges(tree: Tree, node: int) -> range:
    """Those that leave a node."""
    first = int(tree.nodes["first"][node])
    return range(first, first + int(tree.nodes["width"][node]))


def test_in_pegs_too_the_greedy_are_told_from_others() -> None:
    box, likely = ludotheque.game("pegs"), []
    for seed in range(4):
        names = ("greedy", "300n")
        match = play_on(box.match(seed=seed), names, seed, lambda match: len(match.events) < 70)
        found = [
            infer_greed(box.rules, pegs.open_moves(pegs_rules.start(2), match.witnessed(observer)), observer)
            for observer in (0, 1)
        ]
        likely.append((found[1][0], found[0][1]))
    greedy, well = (sum(each) / len(likely) for each in zip(*likely, strict=True))
    assert greedy > 0.8
    assert well < 0.4


def test_what_a_move_of_pegs_brings_is_by_how_much_the_lead_changes() -> None:
    box = ludotheque.game("pegs")
    match = play_on(box.match(seed=2), ("random", "random"), 2, lambda match: len(match.events) < 60)
    seen = 0
    for state, seat, move in pegs.open_moves(pegs_rules.start(2), match.witnessed(0)):
        before, after = (box.rules.scores(each) for each in (state, box.rules.play(state, seat, move)))
        assert pegs.greedy_gain(state, seat, move) == after[seat] - after[1 - seat] - before[seat] + before[1 - seat]
        seen += pegs.greedy_gain(state, seat, move) > 0
    assert seen, "some cards were laid"


def test_the_end_of_pegs_is_played_out_and_who_leads_is_in_a_hurry() -> None:
    full = pegs_rules.start(2)._replace(phase=pegs_rules.PEG)
    few = full._replace(deck=(1 << pegs.LATE_DECK_CARDS - 1) - 1)
    assert pegs.is_quiet(full)
    assert not pegs.is_quiet(few)
    lay = pegs_rules.LAY_0
    ahead, behind = (
        state._replace(phase=pegs_rules.LAY) for state in (few._replace(blue=0b11), few._replace(white=0b11))
    )
    assert pegs.playout_weight(ahead, 0, lay) - pegs.HURRY_WEIGHT == 1 + pegs.gain(ahead, 0, 0) ** 3
    assert pegs.playout_weight(behind, 0, lay) == 1 + pegs.gain(behind, 0, 0) ** 3


def topped(seats: int, toppings: int, choose: Callable[[Sequence[Candidate]], Candidate]) -> Match:
    """The beginning of a game of Pizza Theory: so many toppings, each chosen from what a good player thinks of."""
    match = ludotheque.game("pizza").match(seats, seed=2)
    for _ in range(toppings):
        seat = match.to_act[0]
        assert isinstance(seat, int)
        match.play(seat, choose(think_for(match, seat, simulations=2000).candidates).move)
    return match


def best(options: Sequence[Candidate]) -> Candidate:
    return options[0]


def worst(options: Sequence[Candidate]) -> Candidate:
    return min(options, key=lambda option: option.expected)


def taken_for(match: Match, observer: int) -> Values:
    """The styles that the observer infers."""
    seen, happened = cast("pizza_rules.State", match.seen(observer)), match.witnessed(observer)
    cuts, toppings = pizza.sealed_choices(seen, happened), pizza.moves_before_choices(seen, happened)
    return infer_styles(match.game, cuts, toppings, observer, Objective(match.seats, 0.05, 16.0, 0.0, 0.0, 1))


@pytest.mark.parametrize("seats", [2, 3])
def test_toppings_tell_how_one_will_cut_before_anyone_has(seats: int) -> None:
    well, badly = (taken_for(topped(seats, seats, choose), 0) for choose in (best, worst))
    others = range(1, seats)
    assert all(badly[seat, RANDOM] > 0.8 for seat in others)
    odds = [[likely[seat, RATIONAL] / likely[seat, RANDOM] for seat in others] for likely in (well, badly)]
    assert prod(odds[0]) > 10 * prod(odds[1])
    assert well[0, RATIONAL] == badly[0, RATIONAL] == 1, "one knows oneself"


def test_who_has_added_nothing_yet_is_a_stranger() -> None:
    believed = taken_for(topped(3, 1, worst), 1)
    assert believed[0, RANDOM] > 0.8
    assert believed[2] == pytest.approx(STYLE_PRIOR)


def test_after_some_rounds_toppings_alone_tell_who_thinks() -> None:
    likely = {}
    for name in ("random", "300n"):
        matches = [played_on(name, seed, 4) for seed in range(4)]
        read = [infer_styles(each.game, [], toppings_of(each), 0, OBJECTIVE)[1:3, RANDOM].mean() for each in matches]
        likely[name] = sum(read) / len(read)
    assert likely["random"] > 0.7
    assert likely["300n"] < likely["random"] - 0.25


def test_only_the_latest_moves_count() -> None:
    """So that a long game takes no more time a move."""
    match = played_on("random", 9, 2 * MAX_OBSERVATIONS)
    seen, happened = cast("pizza_rules.State", match.seen(0)), match.witnessed(0)
    cuts, toppings = pizza.sealed_choices(seen, happened), pizza.moves_before_choices(seen, happened)
    assert len(cuts) > MAX_OBSERVATIONS
    lately = [each for each in toppings if each[0].round >= cuts[-MAX_OBSERVATIONS][0].round]
    assert (
        infer_styles(match.game, cuts, toppings, 0, OBJECTIVE)
        == infer_styles(match.game, cuts[-MAX_OBSERVATIONS:], lately, 0, OBJECTIVE)
    ).all()


def played_on(name: str, seed: int, rounds: int) -> Match:
    """So many rounds among three players of this name."""
    match = ludotheque.game("pizza").match(3, seed=seed)
    return play_on(match, [name] * 3, seed, lambda match: cast("pizza_rules.State", match.state).round < rounds)


def toppings_of(match: Match) -> list[tuple[pizza_rules.State, int, int]]:
    return pizza.moves_before_choices(cast("pizza_rules.State", match.seen(0)), match.witnessed(0))


@pytest.mark.parametrize("cut", [False, True])
def test_hints_use_no_opponent_model(cut: bool) -> None:
    """It says what a position promises among good players, however the others seem to play."""
    match = topped(3, 3 if cut else 1, worst)
    seat = match.to_act[0]
    assert isinstance(seat, int)
    hint, player = (think_for(match, seat, simulations=500, model_opponents=models) for models in (False, True))
    assert player.expected[seat] > hint.expected[seat] + 0.1, "careless players make less of it"
    assert sum(hint.expected) == pytest.approx(1)
    assert abs(hint.expected[seat] - 1 / 3) < 0.25
