"""What the seats of one match observe, may do and get, exactly as in a batch: for environments of a single match."""

from collections.abc import Callable
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from ludotheque.env.batch import asked, by_points, refusal
from ludotheque.env.layout import ACTING, LEG, POINTS, ROLE, STATE, Floats, Writer, layout_of, write_observation
from ludotheque.env.packing import flat
from ludotheque.errors import IllegalMove, quoted
from ludotheque.game import moves
from ludotheque.match import Match
from ludotheque.search.compiled import built


class Observation(TypedDict):
    """What a seat sees, and which actions it may take, in the form of PettingZoo's classic games."""

    observation: Floats
    action_mask: NDArray[np.int8]


class Observer:
    """The observations of all matches of a game with these seats and options."""

    def __init__(self, match: Match, rewards: str = "win", layout: Writer | None = None) -> None:
        self.layout = layout_of(match.game, match.state, match.seats, match.options, layout)
        self.wait = len(match.game.texts)
        self._by_points = by_points(rewards)
        self._write: Callable[..., None] = built(write_observation)

    def observe(self, match: Match, seat: int, actions: list[int]) -> Observation:
        """What a seat sees, with the actions that it may take."""
        mask = np.zeros(self.wait + 1, np.int8)
        mask[actions] = 1
        return {"observation": self._seen(match, seat), "action_mask": mask}

    def actions(self, match: Match, seat: int) -> list[int]:
        """What a seat may do: its legal moves, and to wait if it need not act; nothing if it is not to act."""
        found = [] if match.over else moves(match.game, match.state, match.role(seat))
        return [*found, self.wait] if self.may_wait(match, seat) else found

    def may_wait(self, match: Match, seat: int) -> bool:
        """Whether a seat is to act and need not."""
        free = match.game.may_wait(match.state) & match.game.to_act(match.state)
        return not match.over and bool(free >> match.role(seat) & 1)

    def next_seat(self, match: Match, waiting: set[int]) -> int:
        """The seat that is asked next, when these seats wait."""
        game, state = match.game, match.state
        roles = sum(1 << match.role(seat) for seat in waiting)
        seat = match.seat_of(asked(game.to_act(state), game.may_wait(state), roles), match.leg)
        assert seat is not None
        return seat

    def check(self, match: Match, seat: int, action: object, allowed: list[int]) -> int:
        """The action, if it is one of those allowed."""
        if not isinstance(action, int | np.integer) or not 0 <= action <= self.wait:
            raise IllegalMove(f"Actions are 0 to {self.wait}, not {quoted(action)}.", "not-a-move")
        if action not in allowed:
            text = "wait" if action == self.wait else match.game.texts[action]
            code, why = refusal(match.game, match.state, match.role(seat), int(action))
            raise IllegalMove(f"Seat {seat} cannot play {quoted(text)}. {why}", code)
        return int(action)

    def rewards(self, match: Match) -> list[float]:
        """What a match that is over is worth to each seat; nothing before."""
        if not match.over:
            return [0.0] * match.seats
        if match.seats == 1:
            return [float(match.solved)]
        if self._by_points:
            return [float(own - max(_others(match, seat))) for seat, own in enumerate(match.scores)]
        share = match.seats / max(len(match.winners), 1)
        return [share * (seat in match.winners) - 1 for seat in range(match.seats)]

    def _seen(self, match: Match, seat: int) -> Floats:
        game, role = match.game, match.role(seat)
        view = game.view(match.state, role)
        row = np.zeros(STATE + len(flat(view)), np.int64)
        row[ROLE], row[ACTING], row[LEG] = role, 0 if match.over else game.to_act(view), match.leg
        public, shown = game.scores(match.state), game.scores(view)
        for other, points in enumerate(match.scores):
            there = match.role(other)
            row[POINTS + there] = points - public[there] + shown[there]
        row[STATE:] = flat(view)
        out = np.empty(self.layout.size, np.float32)
        self._write(row, role, self.layout.tables, out)
        return out


def _others(match: Match, seat: int) -> list[int]:
    """The points of all other seats."""
    return [points for other, points in enumerate(match.scores) if other != seat]
