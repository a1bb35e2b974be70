"""What a game's picture is: the position as SVG, and each legal move as things to touch on it.

A module of `pictures/` names its record `PICTURE`. Everything it is given is a view: what the seat may not know is
not in the state any more, so it cannot be in the picture. Elements that can be touched, or that move from one
picture to the next, have stable ids. Colours are classes of `picture.css`, which serves day and night alike.

Picks: `picks(state, actor, move)` is the sequence of ids to touch that leads to the move. No two legal moves share
a whole sequence, and none is the beginning of another. A last pick that is not on the picture (`way-2`) is one of
several ways to complete what was touched; the page cycles through them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from ludotheque import words
from ludotheque.board.bits import Bits
from ludotheque.game import NOBODY, AnyGame
from ludotheque.match import Match
from ludotheque.pictures.svg import el, title
from ludotheque.pictures.titles import translated

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
    """How one game is seen."""

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

    marked_text: Callable[[S, Bits], str] | None = None
    """marked_text(view, cells): the same with some cells marked, for the hints of a puzzle."""

    reckon: Callable[[S, Story], list[Step]] = _no_reckoning
    """reckon(state, story): once it is over, how the score came about, part by part. Each is a step that shows a
    part of the picture; its words are under [ends]."""

    alike: bool = False
    """Whether whoever may know the same sees the same, from whatever seat: then it is drawn once for all of them."""

    steady: bool = False
    """Whether picks and ghosts depend on the move alone, whatever the position and whoever moves: then each is found
    once."""


AnyPicture: TypeAlias = Picture[Any]  # of a game whose state is its own affair


@cache
def picture_of(game: AnyGame) -> AnyPicture:
    """The picture of a game: ours by its stem, a plug-in's by its entry point in `ludotheque.pictures`."""
    for entry in entry_points(group="ludotheque.pictures"):
        if entry.name == game.key:
            found = entry.load()
            break
    else:
        found = import_module(f"ludotheque.pictures.{game.stem}").PICTURE
    if not isinstance(found, Picture):
        raise TypeError(f"the picture of {game.key} is not a ludotheque.pictures.picture.Picture")
    return found


@cache
def stylesheet() -> str:
    """The colours of all pictures, by day and by night."""
    return (files("ludotheque.pictures") / "picture.css").read_text(encoding="utf-8")


def draw(
    match: Match,
    seat: int | None,
    *,
    night: bool | None = None,
    style: bool = True,
    lang: str = words.DEFAULT_LANGUAGE,
    over: str = "",
) -> str:
    """The position as this seat may see it, as a whole SVG file: `night` forces a theme, else the reader's is used.

    On a page that has the stylesheet already, leave `style` out. What is laid `over` it is SVG: a hint's marks.
    """
    role = NOBODY if seat is None else match.role(seat)
    view, story = match.seen(seat), match.story(seat)
    return sheet(match.game, view, role, story, night=night, style=style, lang=lang, over=over)


def sheet(
    game: AnyGame,
    view: tuple[object, ...],
    role: int,
    story: Story,
    *,
    night: bool | None = None,
    style: bool = True,
    lang: str = words.DEFAULT_LANGUAGE,
    over: str = "",
) -> str:
    """What this role may see and know of a position, as a whole SVG file."""
    inside = picture_of(game).draw(view, role, story)
    return f"{_head(game, lang, night, style)}{translated(inside, game.stem, lang)}{over}</svg>"


@cache
def _head(game: AnyGame, lang: str, night: bool | None, style: bool) -> str:
    """How every picture of a game begins."""
    width, height = picture_of(game).size
    theme = {None: "", True: " night", False: " day"}[night]
    whole = el(
        "svg",
        title(_name(game, lang)),
        el("style", stylesheet()) if style else "",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        class_=f"picture {game.stem}{theme}",
        role="img",
    )
    return whole.removesuffix("</svg>")


@cache
def _name(game: AnyGame, lang: str) -> str:
    try:
        return words.say(game.stem, lang, "name")
    except (FileNotFoundError, KeyError):
        return game.key
