"""What templates can say."""

from zlib import crc32

from django import template
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

import ludotheque
from ludotheque import words
from ludotheque.options import Value
from ludotheque.shelf import Box
from ludotheque.web import words as site
from ludotheque.web.puzzles.addresses import ROOT, address

ACCENTS = 7  # in house.css
register = template.Library()
markdown = MarkdownIt("commonmark", {"html": False}).enable("table")


@register.simple_tag
def say(sentence: str, **values: object) -> str:
    """A sentence of the house, in the language of the page."""
    return site.say(sentence, None, **values)


@register.filter
def box(key: str) -> Box:
    """The game of a key."""
    return ludotheque.game(key)


@register.filter
def called(box: Box) -> str:
    return box.say("name", site.language())


@register.filter
def told(box: Box, name: str) -> str:
    """What a game's page says under this name: line, about, credits, players, age, minutes."""
    return str(words.page(box.rules.stem, site.language()).get(name, ""))


@register.filter
def level(number: str) -> str:
    """The name of a computer player's level."""
    return site.level(number)


@register.filter
def accent(box: Box) -> str:
    """The class that gives a game its colour: any, but always the same."""
    return f"accent-{crc32(box.key.encode()) % ACCENTS}"


@register.filter
def in_words(value: Value) -> str:
    if isinstance(value, bool):
        return site.say("yes" if value else "no")
    return " ".join(value) if isinstance(value, tuple | list) else str(value)


@register.filter
def marked(text: str) -> SafeString:
    """Markdown of ours as HTML; HTML inside it is shown as text."""
    tokens = markdown.parse(text)
    for token in tokens:
        if align := token.attrs.pop("style", None):  # of a table's cells; pages have no inline style
            token.attrs["class"] = str(align).removeprefix("text-align:")
    html = markdown.renderer.render(tokens, markdown.options, {})
    return SafeString(html.replace("<pre>", '<pre tabindex="0">'))  # what may scroll can be reached by keyboard


@register.filter
def marked_line(text: str) -> SafeString:
    return SafeString(markdown.renderInline(text))


@register.filter
def puzzle_address(name: str) -> str:
    """Where the puzzle of this name lives."""
    return address(name)


@register.filter
def thumbnail(name: str) -> str:
    """Where its picture is."""
    return address(name).replace(ROOT, f"{ROOT}picture/", 1) + ".svg"


@register.filter
def dots(number: int) -> str:
    return "●" * number
