"""Our duels as OpenSpiel games: `register()` once, then `pyspiel.load_game("ludotheque_hepta")` and so on.

A game is one leg. Actions are our move numbers; luck is a chance node; seats that choose in secret meet in a
simultaneous node. Where several may act openly (objections in Hundsgemein) they are asked in turn and have one more
action, to wait. Parameters are `seats` and the options of the game.

The returns are what each seat got of the win, times the number of seats, less one, so that they add up to zero where
somebody wins or all draw. Games that are meant as legs of a series return the lead in points.
"""

from collections.abc import Sequence

from ludotheque.extras import extra
from ludotheque.game import LUCK, AnyGame, moves
from ludotheque.options import Number, Option, Value

with extra("openspiel"):
    import numpy as np
    import pyspiel

MAX_GAME_MOVES = 10_000
MAX_POINTS = 100.0  # of a leg


def register(game: AnyGame) -> str:
    """Make a game known to OpenSpiel; the name to load it by."""
    name = f"ludotheque_{game.stem}"
    if name not in pyspiel.registered_names():
        # A class and not a partial: OpenSpiel drops it after Python has ended, which only a class survives.
        pyspiel.register_game(_game_type(game, name), type(name, (SpielGame,), {"rules": game, "name": name}))
    return name


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours with its number of seats and its options settled."""

    rules: AnyGame
    name: str

    def __init__(self, params: dict[str, Value] | None = None) -> None:
        given, game = dict(params or {}), self.rules
        self.seats = int(given.get("seats", game.seats[0]))  # type: ignore[arg-type]
        self.options = {
            option.name: option.check(_value(option, given.get(option.name))) for option in _options(game)
        }
        info = pyspiel.GameInfo(
            num_distinct_actions=len(game.texts) + 1,
            max_chance_outcomes=len(game.texts),
            num_players=self.seats,
            min_utility=-MAX_POINTS if _series(game) else -1.0,
            max_utility=MAX_POINTS if _series(game) else float(self.seats),
            utility_sum=None,
            max_game_length=MAX_GAME_MOVES,
        )
        super().__init__(_game_type(game, self.name), info, given)

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> "Observer":
        return Observer(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A position."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules, self.seats = game.rules, game.seats
        self.wait = len(game.rules.texts)
        self.state: tuple[object, ...] = game.rules.start(game.seats, **game.options)
        self.waiting = 0  # seats that chose to wait, as a set

    def current_player(self) -> int:
        acting = self.rules.to_act(self.state)
        if acting == 0:
            return int(pyspiel.PlayerId.TERMINAL)
        if acting >> LUCK & 1:
            return int(pyspiel.PlayerId.CHANCE)
        if self.rules.sealed(self.state) and acting & (acting - 1):
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self._asked()

    def _asked(self) -> int:
        """The first of those to act that is not waiting."""
        left = self.rules.to_act(self.state) & ~self.waiting
        return (left & -left).bit_length() - 1

    def _legal_actions(self, player: int) -> list[int]:
        if player < 0:
            return moves(self.rules, self.state, LUCK)
        found = moves(self.rules, self.state, player)
        left = self.rules.to_act(self.state) & ~self.waiting
        may_wait = not self.rules.sealed(self.state) and left & (left - 1)
        return [*sorted(found), self.wait] if may_wait else sorted(found)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        found = moves(self.rules, self.state, LUCK)
        weights = [self.rules.weight(self.state, move) for move in found]
        return [(move, weight / sum(weights)) for move, weight in zip(found, weights, strict=True)]

    def _apply_action(self, action: int) -> None:
        if action == self.wait:
            self.waiting |= 1 << self._asked()
            return
        actor = LUCK if self.rules.to_act(self.state) >> LUCK & 1 else self._asked()
        self.state = self.rules.play(self.state, actor, action)
        self.waiting = 0

    def _apply_actions(self, actions: Sequence[int]) -> None:
        acting = self.rules.to_act(self.state)
        for seat, action in enumerate(actions):
            if acting >> seat & 1:
                self.state = self.rules.play(self.state, seat, action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return "wait" if action == self.wait else self.rules.texts[action]

    def is_terminal(self) -> bool:
        return self.rules.to_act(self.state) == 0

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.seats
        if _series(self.rules):
            first, second = self.rules.scores(self.state)
            return [float(first - second), float(second - first)]
        won = self.rules.winners(self.state) & ((1 << self.seats) - 1)
        share = self.seats / max(won.bit_count(), 1)
        return [share * (won >> seat & 1) - 1 for seat in range(self.seats)]

    def __str__(self) -> str:
        return f"{self.rules.describe(self.state)} {self.rules.to_act(self.state)} {self.waiting}"


class Observer:
    """What a seat sees, as text."""

    def __init__(self, _kind: object, params: object) -> None:
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, object] = {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Observations have no tensor."""

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state.rules.describe(state.rules.view(state.state, player)))


def _game_type(game: AnyGame, name: str) -> pyspiel.GameType:
    start = game.start(game.seats[0], **{option.name: option.default for option in _options(game)})
    kinds = pyspiel.GameType
    lucky = any("roll" in text or "draw" in text or "flip" in text for text in game.texts)
    return kinds(
        short_name=name,
        long_name=f"Ludothèque {game.key}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if game.has_sealed else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if lucky else kinds.ChanceMode.DETERMINISTIC,
        information=(
            kinds.Information.PERFECT_INFORMATION
            if game.view(start, 0) == start and not game.has_sealed
            else kinds.Information.IMPERFECT_INFORMATION
        ),
        utility=kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.seats),
        min_num_players=min(game.seats),
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={
            "seats": game.seats[0],
            **{option.name: option.default for option in _options(game)},
        },
    )


def _series(game: AnyGame) -> bool:
    return any(option.name == "legs" for option in game.options)


def _options(game: AnyGame) -> list[Option]:
    return [option for option in game.options if option.name != "legs"]


def _value(option: Option, given: object) -> object:
    if given is None:
        return option.default
    return int(given) if isinstance(option, Number) and isinstance(given, int | float) else given
