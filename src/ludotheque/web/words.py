"""Sentences in the visitor's language: table [web] of `words/LANG/site.toml`, and the games' own words."""

from functools import cache

from django.utils.translation import get_language

from ludotheque import move_words, words
from ludotheque.errors import LudothequeError


def language(tag: str | None = None) -> str:
    """A language we speak: the one named, else the request's, else the default."""
    if tag in words.LANGUAGES:
        return tag
    wanted = (tag or get_language() or words.DEFAULT_LANGUAGE).split("-")[0]
    return wanted if wanted in words.LANGUAGES else words.DEFAULT_LANGUAGE


def say(name: str, lang: str | None = None, /, **values: object) -> str:
    """A sentence of the site."""
    return words.say(None, language(lang), "web", name, **values)


def level(number: str, lang: str | None = None) -> str:
    """What computer players of this level are called."""
    return words.say(None, language(lang), "search", "levels", number)


def said(stem: str, lang: str, table: str, name: str) -> str | None:
    """A sentence of a game's page, if it has one of this name."""
    found = words.page(stem, lang).get(table)
    sentence = found.get(name) if isinstance(found, dict) else None
    return sentence if isinstance(sentence, str) else None


@cache
def seat_name(stem: str, seats: int, role: int, lang: str) -> str:
    """What the rules call a seat; some have another name when fewer play."""
    return said(stem, lang, "seats", f"{seats}.{role}") or said(stem, lang, "seats", str(role)) or str(role + 1)


def refusal(error: LudothequeError, lang: str, stem: str | None = None) -> str:
    """Why something was refused, in the reader's language: by the site, or by the rules of a game."""
    try:
        return words.say(None, lang, "web", "refusals", error.code)
    except KeyError:
        return words.say(stem, lang, "refusals", error.code, **_values(error, lang, stem))


def _values(error: LudothequeError, lang: str, stem: str | None) -> dict[str, object]:
    """What a refusal names; an example of a move is written in the reader's language."""
    example = error.values.get("example")
    written = {"example": move_words.written(stem, str(example), lang)} if stem and example else {}
    return {**error.values, **written}


def listed(names: list[str], lang: str) -> str:
    """Names one after the other, with "and" before the last."""
    return f" {say('and', lang)} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
