"""PettingZoo's own tests, and what we promise beyond them."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import api_test, parallel_api_test, seed_test

import ludotheque
from ludotheque import Box, IllegalMove
from ludotheque.env.aec import AecEnv
from ludotheque.env.parallel import ParallelEnv

TITLES = [(box, seats) for box in ludotheque.games() for seats in box.seats]
CYCLES = 60

every_title = pytest.mark.parametrize(("box", "seats"), TITLES, ids=lambda part: getattr(part, "key", str(part)))
# PettingZoo recommends dictionaries with masks, and forgives them to its own games by name; masks of agents that are
# not to act have nothing in them.
forgiving = [
    pytest.mark.filterwarnings(f"ignore:{text}:UserWarning")
    for text in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be",
        "Action mask numpy array is all zeros",
    )
]


def forgiven(test: Callable[..., None]) -> Callable[..., None]:
    for mark in forgiving:
        test = mark(test)
    return test


@every_title
@forgiven
def test_pettingzoos_test_of_turns(box: Box, seats: int) -> None:
    api_test(AecEnv(box.rules, seats), num_cycles=CYCLES)


@every_title
def test_pettingzoos_test_of_parallel_steps(box: Box, seats: int) -> None:
    parallel_api_test(ParallelEnv(box.rules, seats), num_cycles=CYCLES)


@every_title
def test_pettingzoos_test_of_seeds(box: Box, seats: int) -> None:
    seed_test(lambda: AecEnv(box.rules, seats), num_cycles=CYCLES)


@forgiven
def test_objections_pass_too() -> None:
    rules = ludotheque.game("hundsgemein").rules
    api_test(AecEnv(rules, 3, referee="table"), num_cycles=CYCLES)
    parallel_api_test(ParallelEnv(rules, 3, referee="table"), num_cycles=2 * CYCLES)


def choose(mask: NDArray[np.int8], random: Random) -> int:
    return int(random.choice(np.flatnonzero(mask).tolist()))


@every_title
def test_turns_to_the_end(box: Box, seats: int) -> None:
    """A whole match: rewards come at the end, and are those of its result."""
    if seats == 1:
        pytest.skip("a solitaire at random does not end")
    env, random = AecEnv(box.rules, seats), Random(1)
    env.reset(seed=4)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, over, _, _ = env.last()
        totals[agent] += float(reward)
        assert observation is not None
        env.step(None if over else choose(observation["action_mask"], random))
    assert env.match.over
    assert [totals[agent] for agent in env.possible_agents] == env.observer.rewards(env.match)


def test_sealed_choices_are_one_step() -> None:
    """All three cut at once; in turn, nobody sees what the others chose."""
    random = Random(1)
    env = ParallelEnv(ludotheque.game("pizza").rules, 3)
    seen, _ = env.reset(seed=1)
    acted = []
    for _ in range(4):
        acting = [agent for agent in env.agents if not seen[agent]["action_mask"][env.observer.wait]]
        acted.append(len(acting))
        seen, *_ = env.step({agent: choose(seen[agent]["action_mask"], random) for agent in env.agents})
    assert acted == [1, 1, 1, 3]
    assert env.match.length == 6
    turns = [AecEnv(ludotheque.game("pizza").rules, 3) for _ in range(2)]
    for each in turns:
        each.reset(seed=1)
        for _ in range(3):
            each.step(int(np.argmax(each.observe(each.agent_selection)["action_mask"])))
    cuts = np.flatnonzero(turns[0].observe("seat_0")["action_mask"])
    for each, cut in zip(turns, cuts[:2].tolist(), strict=True):
        each.step(cut)
    assert turns[0].agent_selection == "seat_1"
    for agent in ("seat_1", "seat_2"):
        first, second = (each.observe(agent)["observation"] for each in turns)
        assert np.array_equal(first, second)
    first, second = (each.observe("seat_0")["observation"] for each in turns)
    assert not np.array_equal(first, second)


def test_only_one_of_several_who_may_act_openly_does() -> None:
    """An objection comes before the next seat's move, which is asked for anew."""
    env = ParallelEnv(ludotheque.game("hundsgemein").rules, 3, referee="table")
    seen, _ = env.reset(seed=1)
    wait = env.observer.wait
    seen, *_ = env.step({agent: int(np.argmax(seen[agent]["action_mask"])) for agent in env.agents})
    assert seen["seat_0"]["action_mask"].nonzero()[0].tolist() == [wait]
    assert seen["seat_2"]["action_mask"].sum() == 2
    before = env.match.length
    actions = {agent: int(np.argmax(seen[agent]["action_mask"])) for agent in env.agents}
    seen, *_ = env.step(actions)
    assert env.match.events[before:] == [(2, "object")]
    env.step({**actions, "seat_2": wait})
    assert env.match.events[before + 1][0] == 1


@pytest.mark.parametrize("action", [264, 265, 266, -1, "d4", 1.5, None])
def test_what_is_illegal_is_refused_and_changes_nothing(action: object) -> None:
    turns, together = AecEnv(ludotheque.game("hepta").rules), ParallelEnv(ludotheque.game("hepta").rules)
    turns.reset(seed=1)
    together.reset(seed=1)
    with pytest.raises(IllegalMove):
        turns.step(action)  # type: ignore[arg-type]
    with pytest.raises(IllegalMove):
        together.step({"seat_0": action, "seat_1": 265})  # type: ignore[dict-item]
    with pytest.raises(IllegalMove, match="turn"):
        together.step({"seat_0": 0, "seat_1": 0})
    assert turns.match.length == together.match.length == 0
