"""What stands for a seat beside its name: the emblem of its role, in the colours of the board."""

from functools import lru_cache

from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.pictures.kit.picture import EMBLEM_RADIUS
from ludotheque.pictures.kit.svg import el
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import seating


def chip(match: Match, role: int) -> str:
    """The emblem of a role as it is in this leg, as SVG that a page gives its stylesheet."""
    emblem = picture_of(match.game).emblem(match.seen(None), role)
    return _framed(emblem, look(match.game, match.seats) + seating(match))


def look(game: AnyGame, seats: int) -> str:
    """The classes that give a drawing the colours of this game's seats."""
    return f"{game.stem} of-{seats}"


@lru_cache(1000)
def _framed(emblem: str, looks: str) -> str:
    return el(
        "svg",
        emblem,
        viewBox=f"{-EMBLEM_RADIUS} {-EMBLEM_RADIUS} {2 * EMBLEM_RADIUS} {2 * EMBLEM_RADIUS}",
        class_=f"picture chip {looks}",
        focusable="false",
        aria_hidden="true",
    )
