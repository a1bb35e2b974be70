"""Diagrams of the rules: positions named in `words/positions/STEM.toml`, set up as matches and drawn like any other.

In the rules an image that stands alone, `![what to see](position:start)`, is such a diagram. A position says how many
play (`seats`), with what `options`, which `moves` led to it, luck's included, and through which `seat` it is seen; a
spectator's if it says nothing. With `after = "other"` it goes on from another one. A move is played by the first who
may play it; where that is not who should, say so: `"2: cut 4"`. The position called `box` is the picture on the box.
"""

import re
from functools import cache
from typing import NamedTuple

from ludotheque import words
from ludotheque.game import AnyGame
from ludotheque.match import Actor, Match
from ludotheque.pictures.output.render import render_match

IMAGE = re.compile(r"^!\[([^\]]*)\]\(position:([\w-]+)\)$", re.MULTILINE)
BOX = "box"
ACTOR = re.compile(r"(\d|luck): (.+)")


class Diagram(NamedTuple):
    """A position with what is to be seen on it."""

    name: str  #: its name in `words/positions/STEM.toml`
    caption: str  #: what is to be seen
    match: Match  #: the position, luck played by hand
    seat: int | None  #: through whose eyes; None for a spectator

    def _repr_svg_(self) -> str:
        return self.picture()

    def picture(self, *, night: bool | None = None, lang: str = words.DEFAULT_LANGUAGE) -> str:
        """The diagram as a whole SVG file."""
        return render_match(self.match, self.seat, night=night, lang=lang)


def names(game: AnyGame) -> list[str]:
    """The positions of a game."""
    return [name for name in words.positions(game.stem) if name != "lesson"]


def diagram(game: AnyGame, name: str, caption: str = "") -> Diagram:
    """A position by its name; `LookupError` if the game has none of this name."""
    match, seat = position(game, name)
    return Diagram(name, caption, match, seat)


def on_the_box(game: AnyGame) -> Diagram:
    """The position that shows what the game looks like; the start if it has none."""
    return (
        diagram(game, BOX)
        if BOX in names(game)
        else Diagram(BOX, "", Match(game, None, None, {}, render_match), None)
    )


def position(game: AnyGame, name: str) -> tuple[Match, int | None]:
    """A position as a match of its own, luck played by hand, and the seat through which it is seen."""
    settings = _settings(game, name)
    match = Match(game, settings.seats, None, settings.options, render_match)
    for text in settings.moves:
        play(match, text)
    return match, settings.seat


def play(match: Match, text: str) -> None:
    """Play a move for whoever may: the actor it names, luck, or the first seat to act for which it is legal."""
    named = ACTOR.fullmatch(text)
    if named:
        match.play("luck" if named[1] == "luck" else int(named[1]), named[2])
        return
    actors: tuple[Actor, ...] = match.to_act or (0,)
    match.play(next((actor for actor in actors if text in match.moves(actor)), actors[0]), text)


def parts(game: AnyGame, lang: str) -> list[str | Diagram]:
    """The rules of a game: Markdown, and diagrams where they stand between it."""
    found: list[str | Diagram] = []
    text, end = words.rules(game.stem, lang), 0
    for image in IMAGE.finditer(text):
        found += [text[end : image.start()], diagram(game, image[2], image[1])]
        end = image.end()
    return [*found, text[end:]]


class Settings(NamedTuple):
    """What a position says."""

    seats: int | None  #: how many play
    options: dict[str, object]  #: the options of the game
    moves: tuple[str, ...]  #: what was played, in order
    seat: int | None  #: through whose eyes


@cache
def _settings(game: AnyGame, name: str) -> Settings:
    table = words.positions(game.stem).get(name)
    if name == "lesson" or not isinstance(table, dict):
        raise LookupError(f"{game.key} has no position {name}")
    given = Settings(None, {}, (), None)
    if "after" in table:
        given = _settings(game, str(table["after"]))
    seats, options, moves, seat = (table.get(key) for key in ("seats", "options", "moves", "seat"))
    return Settings(
        seats if isinstance(seats, int) else given.seats,
        given.options | (dict(options) if isinstance(options, dict) else {}),
        (*given.moves, *(str(move) for move in (moves if isinstance(moves, list) else ()))),
        seat if isinstance(seat, int) else given.seat,
    )
