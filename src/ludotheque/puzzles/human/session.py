"""Somebody at a puzzle: moves, undo and redo, hints, checks, the solution, the time and the help taken.

Terminal and web share this session: the terminal adds keys, the web adds storage. It holds a match, the moves that
redo would make, and which hints were given.

    session = PuzzleSession(puzzle("tetrods:2#7").match())
    session.play("M:d3"); session.undo(); session.redo()
    session.hint().say(lang), session.hints, session.seconds
"""

import time
from collections.abc import Callable, Sequence

from ludotheque.match import Match
from ludotheque.puzzles.human import hints
from ludotheque.puzzles.human.hints import Check, Hint


class PuzzleSession:
    """One person, one puzzle. `undone`, `told`, `given` and `seconds` are what an earlier session left."""

    def __init__(
        self,
        match: Match,
        *,
        undone: Sequence[str] | None = None,
        told: int = 0,
        given: int = 0,
        seconds: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.match = match
        self.undone = undone_moves(match) if undone is None else list(undone)
        """The moves that redo would make, the next one last."""

        self.hints = given
        """How many different hints were given, a solution counting as one."""

        self._told = {match.state: told}  # hints by position
        self._solved_at: set[tuple[object, ...]] = set()  # positions whose solution was shown
        self._clock, self._started, self._before = clock, clock(), seconds
        self._stopped: float | None = None

    @property
    def moves(self) -> list[str]:
        """The moves that were made and not taken back."""
        return [text for _, text in self.match.events]

    @property
    def told(self) -> int:
        """How many hints about this position were given."""
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

    def undo(self) -> str:
        """Take back the last move: its text. `UndoRefused` if there is none."""
        last = self.moves[-1:]
        self.match.undo(0)
        self.undone += last
        return last[0]

    def redo(self) -> str | None:
        """Make the move again that was taken back last: its text, or None if there is nothing."""
        if not self.undone:
            return None
        text = self.undone[-1]
        self.play(text)
        return text

    def restart(self) -> None:
        """Clear the board; redo can make all moves again, unless the puzzle was over. `UndoRefused` without moves."""
        was_over = self.match.over
        self.undo()
        while self.moves:
            self.undo()
        if was_over:
            self.undone = []

    # Help

    def check(self) -> Check:
        """What has to go."""
        return hints.check(self.match)

    def hint(self) -> Hint:
        """The next hint about the position; once all are given the last again, which counts for nothing."""
        found = hints.hint(self.match, self.told)
        if found.helps:
            self.count_hint(found.number)
        return found

    def count_hint(self, number: int) -> None:
        """Note that the hint of this number about the position was given."""
        self.hints += number > self.told
        self._told[self.match.state] = number

    def solution(self) -> tuple[str, ...]:
        """Moves that solve it from here; none if none do, or if it is solved. Asking again counts for nothing."""
        moves = hints.solution(self.match)
        if moves and self.match.state not in self._solved_at:
            self._solved_at.add(self.match.state)
            self.hints += 1
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
