"""Somebody at a puzzle: moves, pencil marks, undo and redo, hints, checks, the solution, the time, the help taken.

Terminal and web share this session: the terminal adds keys, the web adds storage. It holds a match, the pencil
marks, what redo would do, and which hints were given.

    session = PuzzleSession(puzzle("tetrods:2#7").match())
    session.play("M:d3"); session.mark(["L3-a1"]); session.undo(); session.redo()
    session.hint(WHERE).say(lang), session.hints, session.seconds

A hint counts by its strength, 1 to 3, and a stronger one about the same position only the difference. So it costs
the same to go step by step as to ask for the strongest at once. A solution counts as the strongest.
"""

import time
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ludotheque.match import Match
from ludotheque.puzzles.human import hints, pencil
from ludotheque.puzzles.human.hints import LAY, Check, Hint

Undone: TypeAlias = str | list[str]
"""A move that was taken back, or the marks of a change."""


class PuzzleSession:
    """One person, one puzzle. `undone`, `told`, `given`, `pencilled` and `seconds` are from an earlier session."""

    def __init__(
        self,
        match: Match,
        *,
        undone: Sequence[Undone] | None = None,
        told: int = 0,
        given: int = 0,
        pencilled: Sequence[pencil.Change] = (),
        seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match = match  #: the puzzle as it stands
        self.undone: list[Undone] = [*undone_moves(match)] if undone is None else list(undone)
        """What redo would do, the next one last."""

        self.pencilled = list(pencilled)
        """The changes of pencil marks, in order."""

        self.hints = given
        """How much help was given: the strengths of all hints."""

        self._told = {match.state: min(told, LAY)}  # the strongest hint about each position
        self._clock, self._started, self._before = clock, clock(), seconds
        self._stopped: float | None = None

    @property
    def moves(self) -> list[str]:
        """The moves that were made and not taken back."""
        return [text for _, text in self.match.events]

    @property
    def marks(self) -> list[str]:
        """The pencil marks that are there."""
        return pencil.marks(self.pencilled)

    @property
    def told(self) -> int:
        """The strength of the strongest hint that was given about this position."""
        return self._told.get(self.match.state, 0)

    @property
    def seconds(self) -> float:
        """The time spent so far, earlier sessions included; it stands still once the puzzle is solved."""
        if self.match.over and self._stopped is None:
            self._stopped = self._clock()
        elif not self.match.over:
            self._stopped = None
        return self._before + (self._clock() if self._stopped is None else self._stopped) - self._started

    # Moves

    def play(self, text: str) -> None:
        """Play a move; one that is refused raises `IllegalMove` and changes nothing.

        A move ends what redo can do, unless it is the very move that redo would make.
        """
        self.match.play(0, text)
        self.undone = self.undone[:-1] if self.undone[-1:] == [text] else []

    def mark(self, marks: list[str]) -> None:
        """Set these pencil marks, or take them away where they are. What redo would do stays, unless it is this."""
        self.pencilled = pencil.shortened([*self.pencilled, (len(self.moves), marks)])
        if self.undone[-1:] == [marks]:
            self.undone.pop()

    def note(self, marks: Sequence[str]) -> None:
        """Set those of these pencil marks that are not there."""
        missing = [mark for mark in marks if mark not in self.marks]
        if missing:
            self.mark(missing)

    def undo(self) -> str:
        """Take back what came last, a move or a change of pencil marks: its text. `UndoRefused` without any."""
        if self.pencilled and self.pencilled[-1][0] >= len(self.moves):
            _, marks = self.pencilled.pop()
            self.undone.append(marks)
            return " ".join(marks)
        last = self.moves[-1:]
        self.match.undo(0)
        self.undone += last
        return last[0]

    def redo(self) -> str | None:
        """Do again what was taken back last: its text, or None if there is nothing."""
        if not self.undone:
            return None
        last = self.undone[-1]
        if isinstance(last, str):
            self.play(last)
            return last
        self.mark(last)
        return " ".join(last)

    def restart(self) -> None:
        """Clear board and marks; redo brings all back, unless the puzzle was over. `UndoRefused` without any."""
        was_over = self.match.over
        self.undo()
        while self.moves or self.pencilled:
            self.undo()
        if was_over:
            self.undone = []

    # Help

    def check(self) -> Check:
        """What has to go."""
        return hints.check(self.match)

    def hint(self, strength: int | None = None) -> Hint:
        """A hint about the position, of this strength or the next one; the strongest lays the piece."""
        wanted = strength or min(self.told + 1, LAY)
        found = hints.hint(self.match, wanted)
        if found.helps:
            self.count_hint(wanted)
            if wanted == LAY:
                self.play(found.move)
        return found

    def count_hint(self, strength: int) -> None:
        """Note that a hint of this strength about the position was given."""
        self.hints += max(0, strength - self.told)
        self._told[self.match.state] = max(strength, self.told)

    def solution(self) -> tuple[str, ...]:
        """Moves that solve it from here; none if none do, or if it is solved."""
        moves = hints.solution(self.match)
        if moves:
            self.count_hint(LAY)
        return moves


def undone_moves(match: Match) -> list[str]:
    """The moves that were taken back and can be made again, the next one last, from the match's own log."""
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
