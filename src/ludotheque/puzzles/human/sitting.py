"""Somebody at a puzzle: moves taken back and put back, checks, hints, the solution, the time and the help taken.

A sitting stands beside a match and keeps what the match does not: the clock, and which hints were told. `kept()` is
that much as JSON, for whoever stores it between two visits. What can be put back follows from the match's own log.

    sitting = Sitting(puzzle("tetrods:2#7").match())
    sitting.play("M:d3"); sitting.undo(); sitting.redo()
    sitting.hint().say("en"), sitting.hints, sitting.seconds
"""

import hashlib
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ludotheque.game import Json
from ludotheque.match import Match

if TYPE_CHECKING:
    from ludotheque.puzzles.human.helping import Check, Hint


class Sitting:
    """One person, one puzzle."""

    def __init__(
        self, match: Match, kept: Mapping[str, Json] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.match = match
        self._clock = clock
        self._begun = clock()
        self._ended: float | None = None
        self._before, self._told, self._shown = _unpacked(kept or {})

    # The clock, and what is told at the end

    @property
    def seconds(self) -> float:
        """The time spent so far, earlier visits included; it stands still once the puzzle is solved."""
        if self.match.over and self._ended is None:
            self._ended = self._clock()
        elif not self.match.over:
            self._ended = None
        return self._before + (self._clock() if self._ended is None else self._ended) - self._begun

    @property
    def hints(self) -> int:
        """How many different hints were given, the solution counting as one."""
        return sum(self._told.values()) + len(self._shown)

    def kept(self) -> dict[str, Json]:
        """All that has to be stored beside the match, ready for JSON."""
        return {"milliseconds": round(1000 * self.seconds), "told": {**self._told}, "shown": [*self._shown]}

    # Moves

    def play(self, text: str) -> None:
        """Play a move; one that is refused raises `IllegalMove` and changes nothing."""
        self.match.play(0, text)

    def undo(self) -> str:
        """Take back the last move, whatever it was: its text. `UndoRefused` if there is none."""
        last = [text for _, text in self.match.events][-1:]
        self.match.undo(0)
        return last[0]

    def redo(self) -> str | None:
        """Put back what was taken back last: its text, or None if there is nothing."""
        undone = put_back(self.match)
        if not undone:
            return None
        self.match.play(0, undone[-1])
        return undone[-1]

    # Help

    def check(self) -> "Check":
        """What has to go."""
        from ludotheque.puzzles.human.helping import check  # noqa: PLC0415 - numba takes long to import

        return check(self.match)

    def hint(self) -> "Hint":
        """The next thing to know about the position; once all is told the last again, which counts for nothing."""
        from ludotheque.puzzles.human.helping import hint  # noqa: PLC0415 - numba takes long to import

        here = self._position()
        found = hint(self.match, self._told.get(here, 0))
        if found.helps:
            self._told[here] = found.number
        return found

    def solution(self) -> tuple[str, ...]:
        """Moves that solve it from here; none if none do, or if it is solved."""
        from ludotheque.puzzles.human.helping import solution  # noqa: PLC0415 - numba takes long to import

        moves = solution(self.match)
        if moves:
            self._shown = list(dict.fromkeys((*self._shown, self._position())))
        return moves

    def _position(self) -> str:
        """A short name of the position, the same in every process."""
        return hashlib.sha256(repr(tuple(self.match.state)).encode()).hexdigest()[:16]


def put_back(match: Match) -> list[str]:
    """The moves that were taken back and can be put back, the next one last: any other move ends that."""
    moves: list[str] = []
    undone: list[str] = []
    for entry in match.log:
        if entry[0] == "undo":
            undone += reversed(moves[len(moves) - entry[1] :])
            del moves[len(moves) - entry[1] :]
        else:
            moves.append(entry[1])
            undone = undone[:-1] if undone[-1:] == moves[-1:] else []
    return undone


def _unpacked(kept: Mapping[str, Json]) -> tuple[float, dict[str, int], list[str]]:
    spent, told, shown = kept.get("milliseconds", 0), kept.get("told", {}), kept.get("shown", [])
    assert isinstance(spent, int)
    assert isinstance(told, dict)
    assert isinstance(shown, list)
    numbers = {position: number for position, number in told.items() if isinstance(number, int)}
    return spent / 1000, numbers, [position for position in shown if isinstance(position, str)]
