"""The position in words: what `describe` returns, as rows of a table for screen readers.

The words are in table [position] of a game's page: `pegs` names what stands under that name, `"phase.lay"` is what
the phase `lay` is called. Names of cells, pieces and cards are the same in every language and need none.
"""

from functools import cache, lru_cache

from ludotheque import words
from ludotheque.game import Json
from ludotheque.match import Match
from ludotheque.web.screen.scoring import unowned
from ludotheque.web.words import said, say, seat_name

SEATS = ("turn", "owner", "may_object", "takers")  # what a seat's number stands under
BY_SEAT = ("shapes",)  # texts that are one for each seat


def rows(match: Match, seat: int | None, lang: str) -> list[tuple[str, str]]:
    """Label and text of every part of the position this seat may know."""
    described = match.game.describe(match.seen(seat))
    parts = [(_label(match, name, lang), _text(match, name, value, lang)) for name, value in described.items()]
    return [*parts, (say("score", lang), _scores(match, lang))] if match.seats > 1 else parts


def _scores(match: Match, lang: str) -> str:
    """Everybody's score, and that of roles nobody plays, each after the name of the role."""
    scores = [(_seat(match, match.role(seat), lang), score) for seat, score in enumerate(match.scores)]
    counted = [*scores, *(role[1:] for role in unowned(match, lang))]
    return _between(lang).join(f"{name} {score}" for name, score in counted)


@cache
def writing(stem: str, lang: str) -> tuple[str, ...]:
    """How moves are written, a sentence for each kind."""
    moves = words.page(stem, lang).get("moves")
    told = moves.values() if isinstance(moves, dict) else ()
    return tuple(sentence for sentence in told if isinstance(sentence, str))


def _label(match: Match, name: str, lang: str) -> str:
    return said(match.game.stem, lang, "position", name) or name


def _text(match: Match, name: str, value: Json, lang: str) -> str:
    if value is None or value in ([], {}):
        return "–"
    if isinstance(value, bool):
        return say("yes" if value else "no", lang)
    if isinstance(value, dict):
        return _between(lang).join(_part(match, name, part, held, lang) for part, held in value.items())
    if isinstance(value, list):
        return _list(match, name, value, lang)
    if isinstance(value, int):
        return _seat(match, value, lang) if name in SEATS else str(value)
    return _word(match.game.stem, name, value, lang)


@lru_cache(10_000)
def _word(stem: str, name: str, value: str, lang: str) -> str:
    return said(stem, lang, "position", f"{name}.{value}") or value


def _part(match: Match, name: str, part: str, value: Json, lang: str) -> str:
    """One of several things under a name; what they hold goes by their own name, or by that around them."""
    within = name if name in SEATS else part
    return f"{_label(match, part, lang)} {_text(match, within, value, lang)}"


def _list(match: Match, name: str, values: list[Json], lang: str) -> str:
    """Things one after the other, or, if they are one for each seat, each after the name of its seat."""
    texts = [_text(match, name, value, lang) for value in values]
    if name in SEATS or (name not in BY_SEAT and all(isinstance(value, str) for value in values)):
        return ", ".join(texts)
    named = words.page(match.game.stem, lang).get("seats")
    if isinstance(named, dict) and len(named) >= len(values) > 1:
        return _between(lang).join(f"{_seat(match, number, lang)} {text}" for number, text in enumerate(texts))
    return ", ".join(texts)


def _between(lang: str) -> str:
    return f"{words.say(None, lang, 'language', 'before-signs')}; "


def _seat(match: Match, role: int, lang: str) -> str:
    return seat_name(match.game.stem, match.seats, role, lang)
