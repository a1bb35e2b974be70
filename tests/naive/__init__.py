"""Deliberately naive versions of the games, with sets and loops, written from the rules and not from `src`."""

from typing import Literal, Protocol, TypeAlias

Who: TypeAlias = int | Literal["luck"]


class Naive(Protocol):
    """One leg of a game; seats are the roles of the rules page. Each module has a class `Naive` like this one,
    made with `Naive(seats, **options)`."""

    def to_act(self) -> set[Who]:
        """Who acts now; empty when it is over."""

    def moves(self, who: Who) -> set[str]:
        """The texts of the legal moves of someone to act."""

    def weights(self) -> dict[str, int]:
        """When luck is to act: the weight of each of its moves."""

    def play(self, who: Who, text: str) -> None: ...

    def scores(self) -> tuple[int, ...]: ...

    def winners(self) -> set[int]:
        """Once it is over; in a draw all seats."""
