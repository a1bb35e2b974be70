"""A seat's legal moves as the page's picker needs them: text, picks on the picture, ghost, label."""

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from ludotheque import move_words
from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.titles import translated
from ludotheque.web.screen.texts import CachedText

MAX_GHOSTS = 60  # sent with the moves; where there are more moves, the page asks for the ghosts it shows
MAX_LISTED_MOVES = 200  # written out as buttons; others are typed
MAX_GHOST_BYTES = 4_000_000

Move: TypeAlias = tuple[str, tuple[str, ...], str | None, str]
"""A move as a page gets it: its text, what to touch on the picture, its ghost, and what its button says."""


def picks(match: Match, seat: int, lang: str, texts: list[str]) -> list[Move]:
    """The seat's legal moves, each with what to touch on the picture and, unless there are many, its ghost."""
    has_ghosts = len(texts) <= MAX_GHOSTS
    if not picture_of(match.game).fixed_picks:
        return list(_find(match, seat, lang, texts, has_ghosts=has_ghosts).values())
    known = _steady(match.game, match.role(seat), lang, has_ghosts)
    if missing := set(texts) - known.keys():
        known.update(_find(match, seat, lang, missing, has_ghosts=has_ghosts))
    return list(map(known.__getitem__, texts))


def stuck(match: Match, seat: int, texts: list[str]) -> list[str]:
    """What the seat could pick first, but which fits nowhere: only these moves are legal."""
    legal = {match.game.numbers[text] for text in texts}
    return list(picture_of(match.game).stuck(match.seen(seat), match.role(seat), legal)) if texts else []


@cache
def _steady(_game: AnyGame, _role: int, _lang: str, _has_ghosts: bool) -> dict[str, Move]:
    """The moves of a role found so far, in a game whose picks and ghosts never change."""
    return {}


def _find(match: Match, seat: int, lang: str, texts: Iterable[str], *, has_ghosts: bool) -> dict[str, Move]:
    picture, seen, role = picture_of(match.game), match.seen(seat), match.role(seat)
    game, stem, found = match.game, match.game.stem, dict[str, Move]()
    for text in texts:
        move = game.numbers[text]
        ghost = _translated(picture.ghost(seen, role, move), stem, lang) if has_ghosts else None
        label = move_words.label(stem, lang, game.tell(seen, role, move))
        found[text] = text, picture.picks(seen, role, move), ghost, label
    return found


def ghost(match: Match, seat: int, text: str, lang: str) -> str:
    """What one legal move would put on the seat's picture."""
    if text not in match.moves(seat):
        raise LookupError(text)
    drawn = picture_of(match.game).ghost(match.seen(seat), match.role(seat), match.game.numbers[text])
    return _translated(drawn, match.game.stem, lang)


_translated = CachedText(translated, MAX_GHOST_BYTES)  # the same ghosts come in every match
