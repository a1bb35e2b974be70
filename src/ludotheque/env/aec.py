"""A match as an environment of PettingZoo in which seats act in turn (AEC).

    env = AecEnv(ludotheque.game("pizza").rules, seats=3)
    env.reset(seed=7)

Agents are `seat_0` and so on. An observation is a dictionary with `observation` and `action_mask`, in the layout of a
batch. Those who choose in secret are asked in turn, and none sees what the others chose.
"""

import json
from random import Random
from typing import Any, ClassVar

import numpy as np

from ludotheque.env.layout import Writer
from ludotheque.env.observer import Observation, Observer
from ludotheque.extras import extra
from ludotheque.game import AnyGame
from ludotheque.luck import Luck
from ludotheque.match import Match

with extra("learn"):
    from gymnasium import spaces
    from pettingzoo import AECEnv


class AecEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One match after another, of any game on the shelf."""

    metadata: ClassVar[dict[str, Any]] = {"name": "ludotheque", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: AnyGame,
        seats: int | None = None,
        *,
        rewards: str = "win",
        layout: Writer | None = None,
        **options: object,
    ) -> None:
        super().__init__()
        self.match = Match(game, seats, None, options)
        self.observer = Observer(self.match, rewards, layout)
        self.possible_agents = agents(self.match)
        self.observation_spaces = {agent: observation_space(self.observer) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.observer) for agent in self.possible_agents}
        self._random = Random()
        self._waiting: set[int] = set()

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[int]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """A new match; without a seed it has luck of its own. A game's options are settled before."""
        del options
        if seed is not None:
            self._random = Random(seed)
        self.match = new_match(self.match, self._random)
        self._waiting = set()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._asked()

    def observe(self, agent: str) -> Observation:
        """What an agent sees; all others than the one that is asked may do nothing."""
        seat = self.possible_agents.index(agent)
        asked = not self.match.over and agent == self.agent_selection
        return self.observer.observe(self.match, seat, self.observer.actions(self.match, seat) if asked else [])

    def step(self, action: int | None) -> None:
        """The action of `agent_selection`; an illegal one raises `IllegalMove` and changes nothing."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._play(self.possible_agents.index(agent), action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, self.observer.rewards(self.match), strict=True))
        self.terminations = dict.fromkeys(self.agents, self.match.over)
        if not self.match.over:
            self.agent_selection = self._asked()
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str:
        """The position in words, as a spectator may know it."""
        return in_words(self.match)

    def close(self) -> None:
        """There is nothing to give back."""

    def _play(self, seat: int, given: object) -> None:
        action = self.observer.check(self.match, seat, given, self.observer.actions(self.match, seat))
        if action == self.observer.wait:
            self._waiting.add(seat)
            return
        self.match.play(seat, self.match.game.texts[action])
        self._waiting = set()

    def _asked(self) -> str:
        return self.possible_agents[self.observer.next_seat(self.match, self._waiting)]


def agents(match: Match) -> list[str]:
    """The names of the seats."""
    return [f"seat_{seat}" for seat in range(match.seats)]


def new_match(before: Match, random: Random) -> Match:
    """Another match of the same game, seats and options."""
    return Match(before.game, before.seats, Luck(f"{random.getrandbits(256):064x}"), before.options)


def in_words(match: Match) -> str:
    """The position as a spectator may know it, as JSON."""
    return json.dumps(match.game.describe(match.seen(None)))


def observation_space(observer: Observer) -> spaces.Space[Any]:
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (observer.layout.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (observer.wait + 1,), np.int8),
        }
    )


def action_space(observer: Observer) -> spaces.Space[Any]:
    return spaces.Discrete(observer.wait + 1)
