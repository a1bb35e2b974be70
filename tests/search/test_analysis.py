"""Analysis: every move is judged, and a blunder is marked where it was made."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from itertools import pairwise
from random import Random

import pytest

import ludotheque
from ludotheque.match import Match
from ludotheque.options import Value
from ludotheque.search import analysis, levels
from ludotheque.search.analysis import LEAST_COST, MARGIN, Evaluation, JudgedMove, Judgement, compared
from ludotheque.search.heuristics import hundsgemein
from search.brute_force import value
from variants import Variant

SHORT = {"legs": 2, "rounds": 3, "quiet": 60}
SIMULATIONS = 120
DUELS = [(box.key, seats) for box in ludotheque.games() for seats in box.seats if seats > 1]
every_duel = pytest.mark.parametrize(("key", "seats"), DUELS)
ANALYSE = """
import json, sys
from dataclasses import asdict
import ludotheque
from ludotheque.search import analysis
for line in sys.stdin:
    steps = analysis.walk(ludotheque.load(line), analysis.local_judge(int(sys.argv[1])))
    print(json.dumps([asdict(step) for step in steps]))
"""


def late(seed: int) -> Match:
    """A leg of Hepta with little room left."""
    match, random = ludotheque.game("hepta").match(seed=seed, legs=1), Random(seed)
    while not match.over and len(match.game.describe(match.state)["blockers"]) + 3 * _laid(match) < 31:  # type: ignore[arg-type]
        seat = match.to_act[0]
        match.play(seat, random.choice(match.moves(seat)))
    return match


def _laid(match: Match) -> int:
    return sum(match.game.scores(match.state))


def by_value(match: Match) -> dict[str, int]:
    """What each move leads to, for the seat that makes it."""
    game, seat = match.game, int(match.to_act[0])
    sign = 1 if match.role(seat) == 0 else -1
    texts = match.moves(seat)
    return {
        text: sign * value(game, game.play(match.state, match.role(seat), game.texts.index(text))) for text in texts
    }


def thrown_away() -> tuple[Match, int]:
    """A match in which one move turns a win into a loss and all later ones are best; the number of that move."""
    for seed in range(200):
        match = late(seed)
        if match.over:
            continue
        found = by_value(match)
        if max(found.values()) > 0 > min(found.values()):
            number = len(match.events)
            match.play(match.to_act[0], min(found, key=lambda text: found[text]))
            while not match.over:
                found = by_value(match)
                match.play(match.to_act[0], max(found, key=lambda text: found[text]))
            return match, number
    raise AssertionError("no such match")


def test_a_win_thrown_away_is_called_a_blunder_and_nothing_after_it() -> None:
    match, number = thrown_away()
    steps = {step.number: step for step in analysis.walk(match, analysis.local_judge(2000))}
    blunder = steps[number]
    assert blunder.kind == "blunder"
    assert blunder.proven
    assert blunder in analysis.turning_points(list(steps.values()))
    assert blunder.better is not None
    assert blunder.better != blunder.move
    assert blunder.hopes[blunder.seat] > 0.5 > steps[number + 1].hopes[blunder.seat]
    assert [step.kind for step in steps.values() if step.number > number] == [None] * (len(steps) - number - 1)


def test_every_move_is_looked_at_and_hopes_add_up() -> None:
    match = ludotheque.game("hepta").match(seed=1, legs=1)
    for cell in ("a1", "a2", "a3", "a4", "a5", "a6", "a7"):
        match.play(0, cell)
    match.play(1, "I")
    steps = list(analysis.walk(match, analysis.local_judge(100)))
    assert [step.move for step in steps] == [text for actor, text in match.events if actor != "luck"]
    assert all(len(step.hopes) == 2 and abs(sum(step.hopes) - 1) < 1e-6 for step in steps)
    assert all(step.cost >= 0 for step in steps)
    assert json.loads(json.dumps([asdict(step) for step in steps]))[0]["move"] == "a1"


# The law: what a move is said to have cost is what the next evaluation says


def careless(key: str, seats: int) -> Match:
    """A short match in which all move at random, so that there is much to blame."""
    box, random = ludotheque.game(key), Random(1)
    options: dict[str, Value] = {option.name: SHORT[option.name] for option in box.options if option.name in SHORT}
    match = Variant(box, seats, options).match(seed=1)
    while not match.over:
        seat = random.choice(match.to_act)
        match.play(seat, random.choice(match.moves(seat)))
    return match


@cache
def judged(key: str, seats: int) -> list[JudgedMove]:
    return list(analysis.walk(careless(key, seats), analysis.local_judge(SIMULATIONS)))


@every_duel
def test_the_claimed_cost_and_the_next_evaluation_agree(key: str, seats: int) -> None:
    steps = judged(key, seats)
    flagged = [step for step in steps if step.kind]
    assert flagged
    for step in flagged:
        assert abs(step.cost - (step.hopes[step.seat] - step.after[step.seat])) <= MARGIN + 1e-9
        assert step.best != step.move
    assert all(step.cost == 0 or step.cost >= LEAST_COST for step in steps), "less than a slip is not worth a claim"


@every_duel
def test_the_evaluation_after_a_move_is_the_one_before_the_next(key: str, seats: int) -> None:
    """To the last digit, if nothing comes in between and all know the same."""
    box, steps = ludotheque.game(key), judged(key, seats)
    direct = [
        (step, each) for step, each in pairwise(steps) if (each.number, each.leg) == (step.number + 1, step.leg)
    ]
    if box.rules.is_open:
        assert direct
        assert all(step.after == each.hopes for step, each in direct)


def test_the_same_record_gives_the_same_analysis_in_another_process() -> None:
    records = "\n".join(careless(*duel).save().replace("\n", " ") for duel in DUELS)
    again = subprocess.run(  # noqa: S603
        [sys.executable, "-c", ANALYSE, str(SIMULATIONS)], input=records, capture_output=True, text=True, check=True
    )
    here = [json.dumps([asdict(step) for step in judged(*duel)]) for duel in DUELS]
    assert again.stdout.splitlines() == here


def test_it_goes_on_as_if_it_had_not_been_interrupted() -> None:
    match, steps = careless("tfortwo", 2), judged("tfortwo", 2)
    half = steps[len(steps) // 2].number
    rest = list(analysis.walk(match, analysis.local_judge(SIMULATIONS), half))
    assert rest == [step for step in steps if step.number >= half]


def test_costs_are_exact_where_the_game_is_solved() -> None:
    """The end of T. for Two, where only points count: the best move loses nothing, each other what it is worse."""
    steps = [step for step in analysis.walk(careless("tfortwo", 2), analysis.local_judge(6000)) if step.proven]
    assert any(step.kind for step in steps)
    for step in steps:
        if step.kind or step.best == step.move:
            assert step.cost == pytest.approx(step.drop)


def test_all_seats_choose_in_secret_from_the_same_hopes() -> None:
    """And a choice is judged by what it promised, so by the same evaluation for whoever chooses last."""
    rounds: dict[tuple[float, ...], int] = {}
    for step in judged("pizza", 3):
        if step.move.startswith("cut "):
            rounds[step.hopes] = rounds.get(step.hopes, 0) + 1
            assert step.after
    assert set(rounds.values()) == {3}


def test_without_memory_of_what_was_hidden_the_judge_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(hundsgemein, "recall")
    match = careless("hundsgemein", 2)
    late = [number for number, (actor, _) in enumerate(match.events) if actor != "luck"][-6]
    steps = list(analysis.walk(match, analysis.local_judge(SIMULATIONS), late))
    assert steps == list(analysis.walk(match, analysis.local_judge(SIMULATIONS), late))
    for step in steps:
        assert sum(step.hopes) == pytest.approx(1)
        assert sum(step.after) == pytest.approx(1)
        assert not step.kind or abs(step.cost - step.drop) <= MARGIN + 1e-9


def verdict(before: float, made: float, best: float) -> Judgement:
    """The judgement of a move b by what the first of two can expect before it, after it, and after the move a."""
    after: Mapping[str, float] = {"a": best, "b": made}
    return compared(
        0,
        "b",
        Evaluation((before, 1 - before), line=("a", "c")),
        lambda move: Evaluation((after[move], 1 - after[move])),
    )


def test_a_cost_is_what_both_comparisons_say() -> None:
    assert verdict(0.7, 0.4, 0.7).cost == pytest.approx(0.3)
    assert verdict(0.7, 0.4, 0.9).cost == pytest.approx(0.3), "the next evaluation fell by no more"
    assert verdict(0.7, 0.4, 0.67).cost == pytest.approx(0.27), "the best move promises no more"
    assert verdict(0.7, 0.68, 0.9).cost == 0
    assert verdict(0.7, 0.4, 0.44).cost == 0, "the best move would have been hardly better"
    assert not verdict(0.7, 0.4, 0.44).unsure


def test_nothing_is_claimed_of_a_position_that_was_overrated() -> None:
    found = verdict(0.9, 0.4, 0.6)
    assert (found.cost, found.unsure) == (0, True)


def test_a_long_match_gets_less_effort_for_each_move_but_the_same_each_time() -> None:
    match = careless("tricolore", 2)
    usual = levels.evaluation_simulations(match.game, 2)
    assert analysis.simulations_for(ludotheque.game("tricolore").match(2)) == usual
    assert analysis.simulations_for(match) < usual
    assert analysis.simulations_for(match) == analysis.simulations_for(ludotheque.load(match.save()))
