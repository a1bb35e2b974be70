"""Analysis: every move is judged, and a blunder is marked where it was made."""

import json
from dataclasses import asdict
from random import Random

import ludotheque
from ludotheque.match import Match
from ludotheque.search import analysis
from search.brute_force import value


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
