"""Render a match, a view or an empty board as a whole SVG file."""

import re
from functools import cache

from ludotheque import words
from ludotheque.game import NOBODY, AnyGame
from ludotheque.match import Match
from ludotheque.pictures.kit import square
from ludotheque.pictures.kit.picture import Story
from ludotheque.pictures.kit.svg import el, title
from ludotheque.pictures.output.registry import picture_of, shared_stylesheet, stylesheet_of
from ludotheque.pictures.output.titles import translated

THEMES = {None: "", True: " night", False: " day"}
"""The class that forces a theme, by `night`; without one the reader's own is used."""


def render_match(
    match: Match,
    seat: int | None,
    *,
    night: bool | None = None,
    style: bool = True,
    lang: str = words.DEFAULT_LANGUAGE,
    over: str = "",
) -> str:
    """The position as this seat may see it; `seat=None` is a spectator, `night` forces a theme.

    On a page that has the stylesheet already, leave `style` out. `over` is SVG to lay on top: a hint's marks.
    """
    role = NOBODY if seat is None else match.role(seat)
    view, story = match.seen(seat), match.story(seat)
    return render_view(
        match.game, view, role, story, night=night, style=style, lang=lang, over=over, seating=seating(match)
    )


def seating(match: Match) -> str:
    """Classes that give each role of this leg the colour of the seat that has it, unless roles are as at first."""
    if match.leg % match.seats == 0:
        return ""
    return "".join(f" role{match.role(seat)}-seat{seat}" for seat in range(match.seats))


def render_view(
    game: AnyGame,
    view: tuple[object, ...],
    role: int,
    story: Story,
    *,
    night: bool | None = None,
    style: bool = True,
    lang: str = words.DEFAULT_LANGUAGE,
    over: str = "",
    seating: str = "",
) -> str:
    """A view and the story that this role may know; `seating` are classes that say who has which role."""
    inside = picture_of(game).draw(view, role, story)
    return f"{_head(game, lang, night, style, seating)}{translated(inside, game.stem, lang)}{over}</svg>"


def empty_board(*, night: bool | None = None) -> str:
    """The 7×7 board alone: a placeholder while a puzzle is being made."""
    return el(
        "svg",
        el("style", shared_stylesheet()),
        square.grid_board(),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {square.EXTENT} {square.EXTENT}",
        class_=f"picture{THEMES[night]}",
    )


def cropped(picture: str) -> str:
    """The 7×7 board of a whole picture, without what stands beside it."""
    return re.sub(r'viewBox="[^"]*"', f'viewBox="0 0 {square.EXTENT} {square.EXTENT - 8}"', picture, count=1)


@cache
def _head(game: AnyGame, lang: str, night: bool | None, style: bool, seating: str) -> str:
    """How every picture of a game begins."""
    width, height = picture_of(game).size
    whole = el(
        "svg",
        title(_name(game, lang)),
        el("style", stylesheet_of(game)) if style else "",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        class_=f"picture {game.stem}{THEMES[night]}{seating}",
        role="img",
    )
    return whole.removesuffix("</svg>")


@cache
def _name(game: AnyGame, lang: str) -> str:
    try:
        return words.say(game.stem, lang, "name")
    except (FileNotFoundError, KeyError):
        return game.key
