"""Translate the words within a picture: its titles, which screen readers say, and texts marked `data-words`.

Pictures are drawn in English, with cells, numbers and phrases: `d4: blocker`. A page of words in another language
gives each phrase under [titles]; the page in English has the same names, so that nothing is forgotten.
"""

import re
from functools import cache, lru_cache

from ludotheque import words

TITLE = re.compile(r'(<title>|<text [^>]*data-words="">)([^<]*)')
TAG = re.compile(r"(\[[a-z/][^\]]*\])")
PUNCTUATION = re.compile(r"(?<=\w)([:;]) ")


def translated(svg: str, stem: str, lang: str) -> str:
    """The same picture with its words in this language, phrase by phrase."""
    if lang == words.DEFAULT_LANGUAGE or not _phrases(stem, lang):
        return svg
    return TITLE.sub(lambda found: found[1] + _translated(found[2], stem, lang), svg)


def translated_markup(text: str, stem: str, lang: str) -> str:
    """The same for a picture of the terminal; the tags of Rich markup stay."""
    if lang == words.DEFAULT_LANGUAGE or not _phrases(stem, lang):
        return text
    return "".join(part if TAG.fullmatch(part) else _translated(part, stem, lang) for part in TAG.split(text))


@lru_cache(50_000)
def _translated(title: str, stem: str, lang: str) -> str:
    spaced = PUNCTUATION.sub(rf"{words.say(None, lang, 'language', 'before-signs')}\1 ", title)
    phrases = _phrases(stem, lang)
    return _pattern(stem, lang).sub(lambda part: phrases[part[0]], spaced)


@cache
def _phrases(stem: str, lang: str) -> dict[str, str]:
    """What stands for each English phrase."""
    try:
        english, other = (words.page(stem, each).get("titles", {}) for each in (words.DEFAULT_LANGUAGE, lang))
    except FileNotFoundError:
        return {}
    if not isinstance(english, dict) or not isinstance(other, dict):
        return {}
    return {str(phrase): str(other[name]) for name, phrase in english.items() if name in other}


@cache
def _pattern(stem: str, lang: str) -> re.Pattern[str]:
    longest_first = sorted(_phrases(stem, lang), key=len, reverse=True)
    return re.compile("|".join(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])" for phrase in longest_first))
