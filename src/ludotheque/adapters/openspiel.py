"""Our games as OpenSpiel games: `register()` once, then `pyspiel.load_game("ludotheque_hepta")` and so on.

A game is one leg. Actions are our move numbers; luck is a chance node; seats that choose in secret meet in a
simultaneous node. Where several may act openly (objections in Hundsgemein) they are asked in turn and have one more
action, to wait. What is known beforehand (whether there is luck, whether it is zero-sum, the most moves) comes from
`Game.bounds`; where a game's author says nothing, the more general is declared.

Parameters are `seats` (or `players`, as OpenSpiel's own programs call them), the options of the game, `after`, moves
that were played before the start, with semicolons between them, and `max_game_length`, decisions after which a game
ends without a winner. Puzzles, where one may take back for ever, have a thousand.

The returns are what each seat got of the win, times the number of seats, less one, so that they add up to zero where
somebody wins or all draw. Games that are meant as legs of a series return the lead in points; puzzles 1 if solved.

An information state is all that a seat has witnessed; an observation is its view of now.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias, overload

from ludotheque.adapters.observer import Observer
from ludotheque.adapters.positions import CHANCE, LONGEST, TERMINAL, TOGETHER, Leg, Position
from ludotheque.errors import BadOption
from ludotheque.extras import extra
from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.options import Cells, Number, Option, Value
from ludotheque.shelf import Box, games

with extra("openspiel"):
    import pyspiel

MOST_POINTS = 1000  # in a leg that its author gives no bound

Parameter: TypeAlias = bool | int | str

_registered: dict[str, AnyGame] = {}


@overload
def register() -> list[str]: ...
@overload
def register(game: AnyGame | Box) -> str: ...
def register(game: AnyGame | Box | None = None) -> str | list[str]:
    """Make a game, or every game on the shelf, known to OpenSpiel; the name to load it by."""
    if game is None:
        return [register(box) for box in games()]
    rules = game.rules if isinstance(game, Box) else game
    name = f"ludotheque_{rules.stem}"
    if _registered.setdefault(name, rules) is not rules:
        raise ValueError(f"{name} is another game of that name, registered before")
    if name not in pyspiel.registered_names():
        # A class and not a partial: OpenSpiel drops it after Python has ended, which only a class survives.
        legs = [Leg(rules, seats, _defaults(rules)) for seats in rules.seats]
        pyspiel.register_game(_game_type(name, rules, legs), type(name, (SpielGame,), {"rules": rules, "name": name}))
    return name


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours with its number of seats and its options settled."""

    rules: AnyGame
    name: str

    def __init__(self, params: dict[str, Parameter] | None = None) -> None:
        given = {**_parameters(self.rules), **(params or {})}
        options = {option.name: _read(option, given[option.name]) for option in _options(self.rules)}
        self.leg = leg = Leg(self.rules, _seats(self.rules, given), options, int(given["max_game_length"]))
        self.start = leg.after(filter(None, map(str.strip, str(given["after"]).split(";"))))
        worst, best = _utilities(leg)
        info = pyspiel.GameInfo(
            num_distinct_actions=leg.wait + self.rules.has_waits,
            max_chance_outcomes=0 if leg.bounds.draws == 0 else leg.wait,
            num_players=leg.seats,
            min_utility=worst,
            max_utility=best,
            utility_sum=0.0 if _zero_sum(leg) else None,
            max_game_length=leg.longest,
        )
        super().__init__(_game_type(self.name, self.rules, [leg]), info, params or {})

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def state_of(self, match: Match) -> "SpielState":
        """The state that the leg of a match is in, whatever it began with."""
        state = SpielState(self)
        state.here = self.leg.replayed(match.whole_story())
        return state

    def max_chance_nodes_in_history(self) -> int:
        draws = self.leg.bounds.draws
        return self.leg.longest * LONGEST if draws is None else draws

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> Observer | None:
        if params:
            raise ValueError(f"observations have no parameters, not {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self.leg, kind) if kind.public_info or not kind.perfect_recall else None


class SpielState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A position. OpenSpiel copies and stores what is in its dictionary: `here`, and not the leg."""

    __slots__ = ("__dict__", "_leg")
    _leg: Leg
    here: Position

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._leg, self.here = game.leg, game.start

    @property
    def leg(self) -> Leg:
        """What it is a position of. A state that was pickled is made without `__init__`, and has to ask."""
        try:
            return self._leg
        except AttributeError:
            self._leg = self.get_game().leg
            return self._leg

    def current_player(self) -> int:
        return self.here.decider

    def is_terminal(self) -> bool:
        return self.here.decider == TERMINAL

    def is_chance_node(self) -> bool:
        return self.here.decider == CHANCE

    def is_simultaneous_node(self) -> bool:
        return self.here.decider == TOGETHER

    def _legal_actions(self, player: int) -> list[int]:
        return self.leg.legal(self.here, player) if player >= 0 else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.leg.chances(self.here)

    def _apply_action(self, action: int) -> None:
        self.here = self.leg.play(self.here, action)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        self.here = self.leg.play_together(self.here, actions)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.leg.text(action)

    def returns(self) -> list[float]:
        return _returns(self.leg, self.here) if self.is_terminal() else [0.0] * self.leg.seats

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> "SpielState":
        """A random state that a player who remembers everything cannot tell from this one.

        Who has witnessed every event knows the state.
        """
        return self.resample_from_observation(player, rng) if self.leg.covered(self.here, player) else self.clone()

    def resample_from_observation(self, player: int, rng: Callable[[], float]) -> "SpielState":
        """A random state that a player who remembers nothing cannot tell from this one: the view is the same."""
        other: SpielState = self.clone()
        other.here = self.leg.guess(self.here, player, Random(rng()))
        return other

    def __str__(self) -> str:
        """The position in words, and all that makes it up in numbers."""
        state = self.here.state
        return f"{self.leg.rules.describe(state)}\n{state} {self.here.waiting} {self.here.decisions}"


def _returns(leg: Leg, here: Position) -> list[float]:
    """What each seat gets in the end; one that was cut short has no winner."""
    points = leg.rules.scores(here.state)[: leg.seats]
    won = 0 if here.acting else leg.rules.winners(here.state) & leg.everybody
    if leg.seats == 1:
        return [float(won)]
    if _pays_lead(leg.rules):
        return [(leg.seats * mine - sum(points)) / (leg.seats - 1) for mine in points]
    if here.acting:
        return [0.0] * leg.seats
    share = leg.seats / max(won.bit_count(), 1)
    return [share * (won >> seat & 1) - 1 for seat in range(leg.seats)]


def _utilities(leg: Leg) -> tuple[float, float]:
    """The worst and the best return."""
    if leg.seats == 1:
        return 0.0, 1.0
    if _pays_lead(leg.rules):
        most = MOST_POINTS if leg.bounds.points is None else leg.bounds.points
        return -float(most), float(most)
    return -1.0, leg.seats - 1.0


def _zero_sum(leg: Leg) -> bool:
    return leg.seats > 1 and (_pays_lead(leg.rules) or not leg.bounds.all_may_lose)


def _pays_lead(rules: AnyGame) -> bool:
    """Whether it is meant as a leg of a series."""
    return any(option.name == "legs" for option in rules.options)


def _game_type(name: str, rules: AnyGame, legs: Sequence[Leg]) -> pyspiel.GameType:
    """What holds for all of these legs."""
    kinds = pyspiel.GameType
    secrets = not rules.is_open and any(leg.bounds.secrets for leg in legs)
    return kinds(
        short_name=name,
        long_name=f"Ludothèque {rules.key}",
        dynamics=kinds.Dynamics.SIMULTANEOUS if rules.has_sealed else kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.DETERMINISTIC
            if all(leg.bounds.draws == 0 for leg in legs)
            else kinds.ChanceMode.EXPLICIT_STOCHASTIC
        ),
        information=kinds.Information.IMPERFECT_INFORMATION if secrets else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if all(map(_zero_sum, legs)) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(rules.seats),
        min_num_players=min(rules.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=all(leg.most_events is not None for leg in legs),
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_parameters(rules),
    )


def _parameters(rules: AnyGame) -> dict[str, Parameter]:
    """All parameters, with what they are if nobody says."""
    options = {option.name: _written(option.default) for option in _options(rules)}
    return {"seats": rules.seats[0], "players": 0, "after": "", "max_game_length": 0, **options}


def _options(rules: AnyGame) -> list[Option]:
    return [option for option in rules.options if option.name != "legs"]


def _defaults(rules: AnyGame) -> dict[str, Value]:
    return {option.name: option.default for option in _options(rules)}


def _seats(rules: AnyGame, given: dict[str, Parameter]) -> int:
    seats = int(given["players"] or given["seats"])
    if seats not in rules.seats:
        raise BadOption(
            f"{rules.key} is for {' or '.join(map(str, sorted(rules.seats)))} seats, not {seats}.", "bad-seats"
        )
    return seats


def _written(value: Value) -> Parameter:
    """A value as OpenSpiel's parameters have it."""
    return "-".join(value) if isinstance(value, tuple) else value


def _read(option: Option, given: Parameter) -> Value:
    return option.read(str(given)) if isinstance(option, Cells | Number) else option.check(given)
