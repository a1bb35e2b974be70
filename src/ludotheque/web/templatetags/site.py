"""Tags and filters of the templates."""

from zlib import crc32

from django import template
from django.utils.safestring import SafeString

import ludotheque
from ludotheque import words as game_words
from ludotheque.options import Value
from ludotheque.shelf import Box
from ludotheque.web import markdown, words
from ludotheque.web.puzzles.addresses import ROOT, address

ACCENTS = 7  # in theme.css
register = template.Library()


@register.simple_tag
def say(sentence: str, **values: object) -> str:
    """A sentence of the site, in the language of the page."""
    return words.say(sentence, None, **values)


@register.filter
def box(key: str) -> Box:
    """The game of a key."""
    return ludotheque.game(key)


@register.filter
def called(box: Box) -> str:
    return box.say("name", words.language())


@register.filter
def told(box: Box, name: str) -> str:
    """What a game's page says under this name: line, about, credits, players, age, minutes."""
    return str(game_words.page(box.rules.stem, words.language()).get(name, ""))


@register.filter
def level(number: str) -> str:
    """The name of a computer player's level."""
    return words.level(number)


@register.filter
def accent(box: Box) -> str:
    """The class of a game's accent colour: any, but always the same."""
    return f"accent-{crc32(box.key.encode()) % ACCENTS}"


@register.filter
def in_words(value: Value) -> str:
    if isinstance(value, bool):
        return words.say("yes" if value else "no")
    return " ".join(value) if isinstance(value, tuple | list) else str(value)


@register.filter
def marked(text: str) -> SafeString:
    """Our Markdown as HTML."""
    return markdown.html(text)


@register.filter
def marked_line(text: str) -> SafeString:
    return markdown.inline(text)


@register.filter
def thumbnail(name: str) -> str:
    """The address of its picture."""
    return address(name).replace(ROOT, f"{ROOT}picture/", 1) + ".svg"


@register.filter
def dots(number: int) -> str:
    return "●" * number
