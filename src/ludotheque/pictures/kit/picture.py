"""The contract of a game's picture: the position as SVG, and each legal move as elements to touch on it.

A game's picture module names its record `PICTURE`. All its functions are given views: what the seat may not know has
been removed from the state, so it cannot be in the picture. Elements that can be touched, or that move from one
picture to the next, have stable ids. Colours are classes of a stylesheet beside the
module (`hepta.css` beside `hepta.py`), for day and night, on top of what all pictures share (`picture.css`).

Picks: `picks(state, actor, move)` is the sequence of ids to touch that leads to the move. No two legal moves share
a whole sequence, and none is the beginning of another. Moves that are not legal now have picks, too: a page that asks
why something cannot be picked finds them by these. Moves of luck have none.

A last pick that is not on the picture is a way to lay what was touched: `way-0` to `way-3` are the four quarter turns
clockwise about the place touched before, `way-4` is the mirror image of `way-0` from left to right, and turns on to
`way-7`. A last pick `turn-right` or `turn-left`, on the picture, turns what was touched by a step.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from ludotheque.board.bits import Bits
from ludotheque.pictures.kit.svg import circle, text_at

Story: TypeAlias = tuple[tuple[int, int], ...]
Kind: TypeAlias = Literal["appear", "move", "turn", "flip", "go", "show"]
S = TypeVar("S", bound=tuple[object, ...])
EMBLEM_RADIUS = 40  # emblems are drawn round the origin, so far to each side


class AnimationStep(NamedTuple):
    """One change between two pictures, or one part of a score; steps of the same order are shown together."""

    kind: Kind  #: what happens to the element
    element: str
    """The element's id: of what appears in the picture after, else in the one before. `show` only points at it."""

    order: int = 0  #: its place in the sequence
    to: str = ""
    """For what moves, turns or flips: its id in the picture after."""

    sentence: str = ""
    """The name of its sentence, under [steps] in the game's words; {seat} is whoever acted."""

    values: tuple[tuple[str, str], ...] = ()
    """What the sentence names: ("cell", "f3"), seats as ("seat:owner", "1"), a number for several seats as
    ("seats:fleas", "0 3, 2 1")."""

    svg: str = ""
    """For what appears and goes again between the two pictures: its drawing."""


def share(numbers: Iterable[int]) -> str:
    """A number for each seat, as a value of a step: `0 3, 1 2`; zeros are left out."""
    return ", ".join(f"{seat} {number}" for seat, number in enumerate(numbers) if number)


def _as_it_is(state: S) -> S:
    return state


def _none_stuck(_view: S, _actor: int, _legal: Collection[int]) -> tuple[str, ...]:
    return ()


def _no_steps(_state: S, _story: Story) -> list[AnimationStep]:
    return []


def _no_reason(_state: S) -> AnimationStep | None:
    return None


def _none_unowned(_state: S) -> tuple[int, ...]:
    return ()


def _numbered_disc(_view: S, role: int) -> str:
    """What stands for a role in a game that says nothing else."""
    return circle(0, 0, 36, class_=f"role{role}") + text_at(0, 0, str(role + 1), class_="emblem-number")


@dataclass(frozen=True)
class Picture(Generic[S]):
    """How one game is drawn."""

    size: tuple[int, int]
    """Width and height of the view box."""

    draw: Callable[[S, int, Story], str]
    """draw(view, seat, story): everything inside the `<svg>`. Seat -1 is a spectator; the story is what the seat may
    know of the moves so far, as (actor, move) pairs."""

    picks: Callable[[S, int, int], tuple[str, ...]]
    """picks(view, actor, move): the ids to touch, in order."""

    ghost: Callable[[S, int, int], str]
    """ghost(view, actor, move): a preview of the move to lay over the picture, as SVG."""

    steps: Callable[[S, Story, S], list[AnimationStep]]
    """steps(before, news, after): what happened between two views of one seat. The news are the (actor, move) pairs
    it has come to know: usually one, and all sealed choices at once when they are revealed."""

    text: Callable[[S], str]
    """text(view): the position for a terminal, as Rich markup."""

    marked_text: Callable[[S, Bits], str] | None = None
    """marked_text(view, cells): the same with some cells marked, for the hints of a puzzle."""

    score_steps: Callable[[S, Story], list[AnimationStep]] = _no_steps
    """score_steps(state, story): once it is over, how the score came about, part by part. Each `show`s an element;
    sentences are under [ends]."""

    reason: Callable[[S], AnimationStep | None] = _no_reason
    """reason(state): once it is over, why it ended as it did, if the points alone do not tell; its sentence is under
    [ends]. It follows "X has won" or "A draw"; where nobody won it stands alone. Not asked for a series of legs."""

    unowned: Callable[[S], tuple[int, ...]] = _none_unowned
    """unowned(view): roles that nobody plays, but whose score counts."""

    emblem: Callable[[S, int], str] = _numbered_disc
    """emblem(view, role): what stands for a role beside its name, as on the board and as large as `EMBLEM_RADIUS`. No
    `use`: it stands outside of the picture. Roles differ by shape or pattern as well as by colour."""

    uncovered: Callable[[S], S] = _as_it_is
    """uncovered(state): a position of a match that is over, as it is drawn when nothing is hidden any more."""

    stuck: Callable[[S, int, Collection[int]], tuple[str, ...]] = _none_stuck
    """stuck(view, actor, legal): the first picks that fit nowhere, given the actor's legal moves; pages dim them."""

    uses: tuple[ModuleType, ...] = ()
    """Other modules whose classes it draws with: their stylesheets come before its own."""

    ignores_seat: bool = False
    """Whether `draw` depends on view and story alone: then seats that know the same share one drawing."""

    fixed_picks: bool = False
    """Whether picks depend on the move alone, ghosts on actor and move: then each is computed once."""


AnyPicture: TypeAlias = Picture[Any]  # of a game whose state is its own affair
