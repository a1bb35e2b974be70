"""The position in words: what `describe` tells, as rows of a table that a screen reader can read."""

from ludotheque import words
from ludotheque.game import Json
from ludotheque.match import Match
from ludotheque.web.speech import said


def rows(match: Match, seat: int | None, lang: str) -> list[tuple[str, str]]:
    """Label and text of every part of the position this seat may know."""
    described = match.game.describe(match.seen(seat))
    return [(_label(match, name, lang), _text(match, value, lang)) for name, value in described.items()]


def writing(stem: str, lang: str) -> list[str]:
    """How moves are written, a sentence for each kind."""
    moves = words.page(stem, lang).get("moves")
    return [sentence for sentence in moves.values() if isinstance(sentence, str)] if isinstance(moves, dict) else []


def _label(match: Match, name: str, lang: str) -> str:
    return said(match.game.stem, lang, "position", name) or name


def _text(match: Match, value: Json, lang: str) -> str:
    if value is None or value in ([], {}):
        return "–"
    if isinstance(value, bool):
        return "✓" if value else "–"
    if isinstance(value, dict):
        parts = [f"{_label(match, name, lang)} {_text(match, part, lang)}" for name, part in value.items()]
        return "; ".join(parts)
    if isinstance(value, list):
        return _list(match, value, lang)
    return str(value) if isinstance(value, int) else _label(match, value, lang)


def _list(match: Match, values: list[Json], lang: str) -> str:
    """Things one after the other, or, if they are one for each seat, each after the name of its seat."""
    names = words.page(match.game.stem, lang).get("seats")
    texts = [_text(match, value, lang) for value in values]
    if (
        isinstance(names, dict)
        and len(names) >= len(values) > 1
        and not all(isinstance(value, str) for value in values)
    ):
        return "; ".join(f"{names.get(str(number), number)} {text}" for number, text in enumerate(texts))
    return ", ".join(texts)
