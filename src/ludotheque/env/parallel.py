"""A match as an environment of PettingZoo in which all seats act at once.

    env = ParallelEnv(ludotheque.game("pizza").rules, seats=3)
    observations, _ = env.reset(seed=7)

A seat that has nothing to do waits: the last action, and then its only one. Those who choose in secret do so in one
step. Where several may act openly only one of them does in a step: first of those who need not act and do not wait,
by their roles, else the seat that must; the others are asked anew.
"""

from random import Random
from typing import Any, ClassVar, TypeAlias

from ludotheque.env.aec import action_space, agents, in_words, new_match, observation_space
from ludotheque.env.layout import Writer
from ludotheque.env.observer import Observation, Observer
from ludotheque.extras import extra
from ludotheque.game import AnyGame
from ludotheque.match import Match

with extra("learn"):
    import pettingzoo
    from gymnasium import spaces

Infos: TypeAlias = dict[str, dict[str, object]]


class ParallelEnv(pettingzoo.ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo has no types
    """One match after another, of any game on the shelf."""

    metadata: ClassVar[dict[str, Any]] = {"name": "ludotheque", "render_modes": ["ansi"]}

    def __init__(
        self,
        game: AnyGame,
        seats: int | None = None,
        *,
        rewards: str = "win",
        layout: Writer | None = None,
        **options: object,
    ) -> None:
        self.match = Match(game, seats, None, options)
        self.observer = Observer(self.match, rewards, layout)
        self.possible_agents = agents(self.match)
        self.observation_spaces = {agent: observation_space(self.observer) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(self.observer) for agent in self.possible_agents}
        self._random = Random()

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[int]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """A new match; without a seed it has luck of its own. A game's options are settled before."""
        del options
        if seed is not None:
            self._random = Random(seed)
        self.match = new_match(self.match, self._random)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """One action of each seat. If any is illegal, `IllegalMove` is raised and nothing has changed."""
        chosen = {
            seat: self.observer.check(self.match, seat, actions.get(agent), self._actions(seat))
            for seat, agent in enumerate(self.possible_agents)
        }
        for seat in self._in_effect(chosen):
            self.match.play(seat, self.match.game.texts[chosen[seat]])
        live, over = self.agents, self.match.over
        rewards = dict(zip(live, self.observer.rewards(self.match), strict=True))
        self.agents = [] if over else live
        ended, cut = dict.fromkeys(live, over), dict.fromkeys(live, False)
        return self._observations(), rewards, ended, cut, {agent: {} for agent in live}

    def render(self) -> str:
        """The position in words, as a spectator may know it."""
        return in_words(self.match)

    def close(self) -> None:
        """There is nothing to give back."""

    def _in_effect(self, chosen: dict[int, int]) -> list[int]:
        """The seats whose moves are played."""
        acting = [seat for seat in chosen if chosen[seat] != self.observer.wait]
        if self.match.game.sealed(self.match.state):
            return acting
        waiting = {seat for seat in chosen if seat not in acting}
        return [self.observer.next_seat(self.match, waiting)]

    def _actions(self, seat: int) -> list[int]:
        return self.observer.actions(self.match, seat) or [self.observer.wait]

    def _observations(self) -> dict[str, Observation]:
        return {
            agent: self.observer.observe(self.match, seat, self._actions(seat))
            for seat, agent in enumerate(self.possible_agents)
        }
