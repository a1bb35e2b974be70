"""Computer players of five levels for every duel, and hints for learners.

`think` works from what a seat has witnessed and nothing else: its view of the position, and what it saw happen. The
same seed and number of simulations give the same thought. It can be cancelled at any time and then answers with what
it has.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from ludotheque.game import AnyGame, moves
from ludotheque.match import Match
from ludotheque.search import alphabeta_player, heuristics, opponent_model, sealed_player, tree_player
from ludotheque.search.heuristics import BY_POINTS, BY_RULES, UNDECIDED, Objective, Position, SearchProfile, Values
from ludotheque.search.levels import LEVELS, Level, levels
from ludotheque.search.scratch import all_rational
from ludotheque.search.thought import (
    Cancel,
    Candidate,
    Clock,
    PlayerMemory,
    Progress,
    Series,
    Task,
    Thought,
    Witnessed,
)

__all__ = ["Candidate", "PlayerMemory", "Series", "Thought", "think", "think_for"]

NO_TIME_LIMIT_S = 1e9
NO_SIMULATION_LIMIT = 1 << 40


def think(
    game: AnyGame,
    view: Position,
    witnessed: Witnessed,
    seat: int,
    *,
    level: int | None = None,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int = 0,
    series: Series | None = None,
    cancel: Cancel = lambda: False,
    progress: Progress = lambda _part: None,
    memory: PlayerMemory | None = None,
    clock: Clock = time.perf_counter,
    model_opponents: bool = True,
) -> Thought:
    """What the seat (its role in the rules) should do, from its view and from what it has witnessed.

    Give a level, or let the strongest think for so many seconds or simulations. A memory handed from one move to the
    next of the same seat saves work. The clock may be another, such as the processor's. A player that plays to win
    models its opponents; hints and analysis do not, since they are to say what a position promises among rational
    players.
    """
    profile = profile_of(game)
    objective = objective_of(game, view, profile, series)
    strength = _strength(levels(game, objective.seats), level, seconds, simulations)
    task = Task(
        game,
        view,
        witnessed,
        seat,
        strength,
        objective,
        profile,
        Random(f"{seed} {len(witnessed)} {seat}"),
        cancel,
        progress,
        memory or PlayerMemory(),
        clock,
        clock(),
        model_opponents and not strength.temperature,
    )
    if not moves(game, view, seat):
        raise ValueError(f"seat {seat} of {game.key} has nothing to decide")
    task.styles = _styles(task)
    thought = _reflex(task) or sealed_player.choose(task) or alphabeta_player.choose(task) or tree_player.choose(task)
    progress(1.0)
    return replace(thought, seconds=task.spent(), simulations=task.done)


def think_for(match: Match, seat: int, **how: object) -> Thought:
    """What a person of a match should do: hands `think` what that seat may know, and no more."""
    return think(
        match.game,
        match.seen(seat),
        match.witnessed(seat),
        match.role(seat),
        series=series_of(match),
        **how,  # type: ignore[arg-type]  # the keywords of `think`, which checks them
    )


def series_of(match: Match) -> Series | None:
    """How the series of a match stands; None if it is a single leg."""
    if match.legs == 1:
        return None
    banked, here = [0, 0], match.game.scores(match.state)
    for person in range(match.seats):
        banked[match.role(person)] = match.scores[person] - here[match.role(person)]
    return Series((banked[0], banked[1]), match.legs - match.leg - 1)


def _strength(table: Mapping[int, Level], level: int | None, seconds: float | None, simulations: int | None) -> Level:
    strongest = table[LEVELS[-1]]
    if simulations is not None:
        return strongest._replace(simulations=simulations, seconds=NO_TIME_LIMIT_S)
    if seconds is not None:
        return strongest._replace(seconds=seconds, simulations=NO_SIMULATION_LIMIT)
    if level is None or level not in table:
        raise ValueError(f"a level is one of {', '.join(map(str, table))}, not {level}")
    return table[level]


def profile_of(game: AnyGame) -> SearchProfile:
    """How a game is best searched: what its heuristics say, or what serves any game."""
    """How a game is searched best, as its module in `heuristics/` says; the defaults if it says nothing."""
    profile: SearchProfile = getattr(heuristics.knowledge(game), "PROFILE", SearchProfile())
    return profile


def objective_of(game: AnyGame, view: Position, profile: SearchProfile, series: Series | None) -> Objective:
    """The win; in a series, points until the last leg, then the series."""
    seats = getattr(view, "seats", None) or len(game.scores(view))
    weight, scale = profile.points_weight, profile.points_scale
    if series is None and not profile.par:
        return Objective(seats, weight, scale, 0.0, 0.0, BY_RULES)
    if series is None or series.left:
        return Objective(seats, 1.0, scale, -profile.par, 0.0, UNDECIDED)
    return Objective(seats, weight, scale, float(series.points[0]), float(series.points[1]), BY_POINTS)


def _styles(task: Task) -> Values:
    """How the seats choose in secret, by the opponent model.

    A seat that must choose in secret and has seen nothing of the game responds to nobody's habits.
    """
    known = heuristics.knowledge(task.game)
    sealed_choices = getattr(known, "sealed_choices", None)
    open_moves = getattr(known, "moves_before_choices", None)
    blind = task.game.sealed(task.view) and not task.witnessed
    if sealed_choices is None or open_moves is None or not task.models_opponents or blind:
        return all_rational()
    return opponent_model.infer_styles(
        task.game,
        sealed_choices(task.view, task.witnessed),
        open_moves(task.view, task.witnessed),
        task.seat,
        task.objective,
    )


def _reflex(task: Task) -> Thought | None:
    """A move that needs no search, by the game's heuristics; a reflex of None as its move is to pass."""
    reflex = getattr(heuristics.knowledge(task.game), "reflex", None)
    if reflex is None:
        return None
    found: tuple[str | None] | None = reflex(task.view, task.seat, task.random, task.level.notice_chance)
    return None if found is None else Thought(found[0], (), 1.0)
