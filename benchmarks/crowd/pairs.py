"""A pair of bots at a table: they play legal moves in turn, and measure the time until the opponent sees each."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Protocol, TypeAlias

import ludotheque

GAME, LEGS = "hepta", 4
MOVE_TIMEOUT_S = 10.0  # after which a move counts as lost
CONNECT_TIMEOUT_S = 60.0

OnMoves = Callable[[int, int], None]
"""on_moves(seat, moves): this seat's screen shows the table after so many moves."""


class Connections(Protocol):
    """The connections of a pair to a server."""

    def play(self, seat: int, text: str, moves: int) -> None:
        """Send a move that is made after so many others."""

    def close(self) -> None: ...


Seats: TypeAlias = tuple[str, list[str]]
"""A table, and the credentials of both bots."""


class Host(Protocol):
    """A server at which pairs can play."""

    name: str

    def open(self) -> Seats:
        """Open a table and seat two people there, as their browsers would."""

    async def connect(self, seats: Seats, on_moves: OnMoves, on_answer: Callable[[], None]) -> Connections:
        """Connect both; `on_answer` is called when a move is acknowledged."""


def script(seed: int) -> list[tuple[int, str]]:
    """A whole random game."""
    match, random = ludotheque.game(GAME).match(seats=2, seed=seed, legs=LEGS), Random(seed)
    while not match.over:
        (seat,) = match.to_act
        assert isinstance(seat, int)
        match.play(seat, random.choice(match.moves(seat)))
    return [(seat, text) for seat, text in match.events if isinstance(seat, int)]


@dataclass(eq=False)
class Pair:
    """Two bots, the moves they are going to make, and what they see of them."""

    moves: list[tuple[int, str]]
    table: str = ""
    connections: Connections | None = None
    played: int = 0
    seen: list[int] = field(default_factory=lambda: [0, 0])
    mistakes: list[str] = field(default_factory=list)
    _then: Callable[[float], None] | None = None
    _begun: float = 0.0
    _arrived: float = 0.0
    _acknowledged: int = 0

    @property
    def over(self) -> bool:
        return self.played == len(self.moves)

    async def sit_down(self, host: Host) -> None:
        seats = host.open()
        self.table, _ = seats
        self.connections = await host.connect(seats, self._on_moves, self._on_answer)

    @property
    def acknowledged(self) -> list[tuple[int, str]]:
        """The moves that were acknowledged: one after the other, in their order."""
        return self.moves[: self._acknowledged]

    def move(self, then: Callable[[float], None]) -> None:
        """Make the next move. Once both have it, `then` gets the seconds until the opponent's screen had it.

        No task and no future: thousands of pairs share the machine with the server.
        """
        assert self.connections is not None
        seat, text = self.moves[self.played]
        self._then = then
        self.played += 1
        self._begun = time.perf_counter()
        self.connections.play(seat, text, self.played - 1)

    def give_up(self) -> None:
        """Count a move that has not arrived as lost."""
        if self._then is not None:
            self.mistakes.append(f"move {self.played} was lost: seen {self.seen}, acknowledged {self._acknowledged}")
            self._end(MOVE_TIMEOUT_S)

    def leave(self) -> None:
        if self.connections is not None:
            self.connections.close()

    def _on_moves(self, seat: int, moves: int) -> None:
        if moves != self.seen[seat] + 1 or moves != self.played:
            self.mistakes.append(f"seat {seat} saw move {moves} after {self.seen[seat]} of {self.played}")
        self.seen[seat] = moves
        if moves == self.played and seat != self.moves[moves - 1][0]:
            self._arrived = time.perf_counter()
        self._finish()

    def _on_answer(self) -> None:
        self._acknowledged += 1
        self._finish()

    def _finish(self) -> None:
        if self._then is not None and self._acknowledged == self.played == self.seen[0] == self.seen[1]:
            self._end(self._arrived - self._begun)

    def _end(self, seconds: float) -> None:
        then, self._then = self._then, None
        assert then is not None
        then(seconds)
