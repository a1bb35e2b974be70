"""The arena: seats rotate, results add up and resume; a match can be looked back at."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

import ludotheque
from ludotheque.search import analysis
from ludotheque.search.arena import Contest, Played, contest, known, play, verdict


def small(seats: int = 2, players: tuple[str, ...] = ("random", "greedy"), games: int = 6) -> Contest:
    return Contest(ludotheque.game("tricolore").rules, seats, players, games, 1, (("quiet", 6),))


def test_seats_rotate() -> None:
    assert [small().seating(number) for number in range(3)] == [(0, 1), (1, 0), (0, 1)]
    assert [small(3).seating(number) for number in range(3)] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    three = small(3, ("random", "greedy", "1"))
    assert sorted(three.seating(1)) == [0, 1, 2]


def test_a_game_of_a_number_is_always_the_same() -> None:
    assert play(small(), 3) == play(small(), 3)


def test_shares_add_up_to_one() -> None:
    for each in contest(small(3, games=3), jobs=1):
        assert sum(each.shares) == pytest.approx(1)


def test_a_contest_resumes_where_it_was_left(tmp_path: Path) -> None:
    kept = tmp_path / "games.jsonl"
    first = list(contest(small(games=2), kept, jobs=1))
    lines = kept.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["number"] for line in lines] == [0, 1]
    kept.write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = list(contest(small(games=4), kept, jobs=1))
    assert again[:2] == first
    assert {each.number for each in again} == {0, 1, 2, 3}
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 4


def test_verdicts() -> None:
    wanted = small(games=400)
    all_won = [Played(number, (0.0, 1.0), 10) for number in range(400)]
    found = verdict(wanted, all_won)
    assert found.share == 1
    assert found.times_fair == 2
    half = [Played(number, (number % 2, 1 - number % 2), 10) for number in range(400)]
    found = verdict(wanted, half)
    assert found.share == 0.5
    assert found.elo[0] == pytest.approx(0)
    assert -60 < found.elo[1] < -20
    assert 20 < found.elo[2] < 60
    assert 0.04 < found.margin < 0.06


def test_names_of_players() -> None:
    assert all(known(name) for name in ("1", "5", "800n", "0.5s", "random", "greedy"))
    assert not any(known(name) for name in ("strong", "", "n"))


def test_a_match_is_looked_back_at_move_by_move() -> None:
    match = ludotheque.game("hepta").match(seed=1, legs=1)
    for cell in ("a1", "a2", "a3", "a4", "a5", "a6", "a7"):
        match.play(0, cell)
    match.play(1, "I")
    for _ in range(4):
        seat = match.to_act[0]
        match.play(seat, match.moves(seat)[0])
    steps = list(analysis.walk(match, analysis.thorough(300)))
    assert [step.move for step in steps] == [text for actor, text in match.events if actor != "luck"]
    assert all(len(step.hopes) == 2 and abs(sum(step.hopes) - 1) < 1e-6 for step in steps)
    assert all(step.cost >= 0 for step in steps)
    assert json.loads(json.dumps([asdict(step) for step in steps]))[0]["move"] == "a1"
    for step in analysis.turning_points(steps):
        assert step.kind
        assert step.better != step.move
