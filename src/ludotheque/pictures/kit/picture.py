"""The contract of a game's picture: the position as SVG, and each legal move as elements to touch on it.

A game's picture module names its record `PICTURE`. All its functions are given views: what the seat may not know has
been removed from the state, so it cannot be in the picture. Elements that can be touched, or that move from one
picture to the next, have stable ids. Colours are classes of a stylesheet beside the
module (`hepta.css` beside `hepta.py`), for day and night, on top of what all pictures share (`picture.css`).

Picks: `picks(state, actor, move)` is the sequence of ids to touch that leads to the move. No two legal moves share
a whole sequence, and none is the beginning of another. A last pick that is not on the picture (`way-2`) is one of
several ways to complete what was touched; the page cycles through them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

Story: TypeAlias = tuple[tuple[int, int], ...]
Kind: TypeAlias = Literal["appear", "move", "turn", "flip", "go", "show"]
S = TypeVar("S", bound=tuple[object, ...])


class Step(NamedTuple):
    """One thing that happens between two pictures; steps of the same order happen together."""

    kind: Kind
    what: str
    """The element's id, in the picture after for what appears, else in the one before. `show` only points at it."""

    order: int = 0
    to: str = ""
    """For what moves, turns or flips: its id in the picture after."""

    words: str = ""
    """The name of its sentence, under [steps] in the game's words; {seat} is whoever acted."""

    values: tuple[tuple[str, str], ...] = ()
    """What the sentence names: ("cell", "f3"), seats as ("seat:owner", "1"), what several have as ("seats:fleas",
    "0 3, 2 1")."""

    svg: str = ""
    """For what appears and goes again between the pictures: its drawing."""


def share(numbers: Iterable[int]) -> str:
    """What each seat has of something, as a value of a step: `0 3, 1 2`; those who have none are left out."""
    return ", ".join(f"{seat} {number}" for seat, number in enumerate(numbers) if number)


def _no_reckoning(_state: S, _story: Story) -> list[Step]:
    return []


@dataclass(frozen=True)
class Picture(Generic[S]):
    """How one game is drawn."""

    size: tuple[int, int]
    draw: Callable[[S, int, Story], str]
    """draw(view, seat, story): everything inside the `<svg>`; seat -1 is a spectator, the story what the seat may
    know of how it came to this, as (actor, move) pairs."""

    picks: Callable[[S, int, int], tuple[str, ...]]
    """picks(view, actor, move): the ids to touch, in order."""

    ghost: Callable[[S, int, int], str]
    """ghost(view, actor, move): what the move would put on the picture, as SVG."""

    steps: Callable[[S, Story, S], list[Step]]
    """steps(before, news, after): what happened between two views of one seat. The news are the (actor, move) pairs
    it has come to know: usually one, and all sealed choices at once when they are revealed."""

    text: Callable[[S], str]
    """text(view): the position for a terminal, as Rich markup."""

    reckon: Callable[[S, Story], list[Step]] = _no_reckoning
    """reckon(state, story): once it is over, how the score came about, part by part. Each is a step that shows a
    part of the picture; its words are under [ends]."""

    uses: tuple[ModuleType, ...] = ()
    """Other modules whose classes it draws with: their stylesheets come before its own."""

    alike: bool = False
    """Whether whoever may know the same sees the same, from whatever seat: then it is drawn once for all of them."""

    steady: bool = False
    """Whether picks and ghosts depend on the move alone, whatever the position and whoever moves: then each is found
    once."""


AnyPicture: TypeAlias = Picture[Any]  # of a game whose state is its own affair
