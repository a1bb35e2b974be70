"""What a seat sees, as text and as numbers, for OpenSpiel.

Numbers are given by their binary digits, because boards are sets of cells: a digit says whether a cell is in the set.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Protocol

from ludotheque.adapters.positions import UNSEEN, Leg, Position, State
from ludotheque.extras import extra
from ludotheque.game import LUCK, NOBODY, Json

with extra("openspiel"):
    import numpy as np
    import numpy.typing as npt
    import pyspiel

DIGITS = 64  # of each number of a state
ACTORS = LUCK + 1

Floats = npt.NDArray[np.float32]
Private = pyspiel.PrivateInfoType


class Observed(Protocol):
    """What is looked at: a state of OpenSpiel's that has a position of ours."""

    here: Position


class Observer:
    """A seat's view of now or, with perfect recall, all that it has witnessed as well.

    Without private information it is what a spectator sees, with everybody's the state itself. Private information
    alone is what is not as a spectator sees it.
    """

    def __init__(self, leg: Leg, kind: pyspiel.IIGObservationType) -> None:
        self.leg, self.public, self.private, self.recall = (
            leg,
            kind.public_info,
            kind.private_info,
            kind.perfect_recall,
        )
        self.tensor: Floats | None = None
        self.dict: dict[str, Floats] = {}
        if not self.recall or leg.most_events is not None:
            self._lay_out()

    def set_from(self, state: Observed, player: int) -> None:
        """Fill in the tensor with what the player sees."""
        here, parts = state.here, self.dict
        assert self.tensor is not None
        self.tensor.fill(0)
        parts["seat"][player] = 1
        parts["view"][:] = self._view_digits(here, player)
        if self.public:
            parts["to_act"][:] = _members(here.acting, ACTORS)
        if self.public and self.leg.rules.has_waits:
            parts["waiting"][:] = _members(here.waiting, self.leg.seats)
        if self.recall:
            self._set_events(parts["events"], self._witnessed(here, player))

    def string_from(self, state: Observed, player: int) -> str:
        """What the player sees, in words."""
        here = state.here
        if self.recall:
            return self._recalled(here, player)
        position = self.leg.rules.describe(self._seen(here, player))
        if not self.public:
            shown = self.leg.rules.describe(self.leg.rules.view(here.state, NOBODY))
            return _json({name: value for name, value in position.items() if value != shown[name]})
        told: dict[str, Json] = {"to_act": [actor for actor in range(ACTORS) if here.acting >> actor & 1]}
        if self.leg.rules.has_waits:
            told["waiting"] = [seat for seat in range(self.leg.seats) if here.waiting >> seat & 1]
        return _json({**told, "position": position})

    def _lay_out(self) -> None:
        """One array, and its parts by name."""
        shapes: dict[str, tuple[int, ...]] = {
            "seat": (self.leg.seats,),
            "to_act": (ACTORS,),
            "view": (len(list(_numbers(self.leg.start.state))), DIGITS),
        }
        if self.leg.rules.has_waits:
            shapes["waiting"] = (self.leg.seats,)
        if self.recall:
            shapes["events"] = (self.leg.most_events or 0, ACTORS + (self.leg.wait + 1).bit_length())
        ends = np.cumsum([np.prod(shape) for shape in shapes.values()])
        self.tensor = np.zeros(ends[-1], np.float32)
        parts = np.split(self.tensor, ends[:-1])
        self.dict = {name: part.reshape(shapes[name]) for name, part in zip(shapes, parts, strict=True)}

    def _seat(self, player: int) -> int:
        return NOBODY if self.private == Private.NONE else player

    def _seen(self, here: Position, player: int) -> State:
        if self.private == Private.ALL_PLAYERS:
            return here.state
        seen: State = self.leg.rules.view(here.state, self._seat(player))
        return seen

    def _view_digits(self, here: Position, player: int) -> Floats:
        seen = _digits(_numbers(self._seen(here, player)), DIGITS)
        if not self.public:
            seen *= seen != _digits(_numbers(self.leg.rules.view(here.state, NOBODY)), DIGITS)
        return seen

    def _witnessed(self, here: Position, player: int) -> list[tuple[int, int]]:
        if self.private == Private.ALL_PLAYERS:
            return here.events()
        return self.leg.witnessed(here, self._seat(player))

    def _recalled(self, here: Position, player: int) -> str:
        if self.private == Private.ALL_PLAYERS:
            return self.leg.log(here)
        return self.leg.information(here, self._seat(player))

    def _set_events(self, rows: Floats, events: list[tuple[int, int]]) -> None:
        """Who acted, and the digits of the move plus one: none if it was not witnessed."""
        if events:
            actors, played = zip(*events, strict=True)
            rows[range(len(events)), actors] = 1
            rows[: len(events), ACTORS:] = _digits((move - UNSEEN for move in played), rows.shape[1] - ACTORS)


def _numbers(state: State) -> Iterator[int]:
    """All whole numbers in a state, in order."""
    for part in state:
        if isinstance(part, tuple):
            yield from _numbers(part)
        else:
            assert isinstance(part, int)
            yield part


def _digits(numbers: Iterable[int], width: int) -> Floats:
    """The lowest binary digits of each number, the lowest first."""
    octets = np.array(list(numbers), "<i8").view(np.uint8).reshape(-1, DIGITS // 8)
    digits: Floats = np.unpackbits(octets, axis=1, bitorder="little")[:, :width].astype(np.float32)
    return digits


def _members(actors: int, most: int) -> list[int]:
    return [actors >> actor & 1 for actor in range(most)]


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
