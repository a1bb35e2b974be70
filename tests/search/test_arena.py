"""The arena: seats rotate, results add up and resume, here or on a cluster."""

import json
from pathlib import Path

import pytest
import ray
from distributed import Client

import ludotheque
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


def test_games_that_are_done_are_left_out() -> None:
    assert {each.number for each in contest(small(games=4), jobs=1, done={0, 2})} == {1, 3}


def test_on_a_dask_cluster_it_is_the_same() -> None:
    here = sorted(contest(small(games=4), jobs=1), key=lambda each: each.number)
    with Client(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None):  # type: ignore[no-untyped-call]
        there = list(contest(small(games=4), backend="dask"))
    assert sorted(there, key=lambda each: each.number) == here


@pytest.mark.slow
def test_on_a_ray_cluster_it_is_the_same() -> None:
    here = sorted(contest(small(games=4), jobs=1), key=lambda each: each.number)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        there = list(contest(small(games=4), jobs=1, backend="ray"))
    finally:
        ray.shutdown()
    assert sorted(there, key=lambda each: each.number) == here
