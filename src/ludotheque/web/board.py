"""The table's HTML, from the one template that is drawn for every move: compiled, and cut where it changes."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import override
from jinja2 import Environment, PackageLoader, Template, meta
from markupsafe import Markup

from ludotheque.web.speech import level, say
from ludotheque.web.templatetags.house import marked_line

CUT = "\x1e"  # no text of anybody's has it: names are printable, and the rest is ours
TEMPLATE = "web/board.html"
ONCE = {"version", "picture", "happened", "buttons"}  # what comes for one screen only
ALIKE = {"lines", "rows"}  # what comes with one move, often to everybody alike


class Part(NamedTuple):
    """A piece of the template between two cuts, and what it names."""

    template: Template
    names: tuple[str, ...]

    def draw(self, values: tuple[object, ...]) -> str:
        return self.template.render(zip(self.names, values, strict=True))


def draw(context: Mapping[str, object], lang: str) -> str:
    """The whole of it, with its cuts."""
    token = _token(str(context.get("csrf_token", "")))
    more: dict[str, object] = {"say": _speaker(lang), "part": _drawer(lang), "lang": lang, "token": token}
    whole = {**context, **more}
    drawn = []
    for number, part in enumerate(_parts()):
        values = tuple(whole.get(name, "") for name in part.names)
        once = not ONCE.isdisjoint(part.names) or whole.get("why")
        drawn.append(part.draw(values) if once else _alike(part)(number, values))
    return CUT.join(drawn)


def _draw(number: int, values: tuple[object, ...]) -> str:
    return _parts()[number].draw(values)


_again, _soon_again = lru_cache(5000)(_draw), lru_cache(200)(_draw)
"""A part looks the same wherever what it names is the same."""


def _alike(part: Part) -> Callable[[int, tuple[object, ...]], str]:
    return _again if ALIKE.isdisjoint(part.names) else _soon_again


@cache
def _parts() -> list[Part]:
    shelf = Environment(loader=PackageLoader("ludotheque.web"), autoescape=True)
    shelf.filters["marked_line"] = cache(marked_line)
    shelf.filters["level"] = level
    shelf.globals.clear()  # nobody needs them, and they would be gone through each time
    assert shelf.loader is not None
    source, _, _ = shelf.loader.get_source(shelf, TEMPLATE)
    pieces = source.split("{# cut #}")
    names = [tuple(sorted(meta.find_undeclared_variables(shelf.parse(piece)))) for piece in pieces]
    return [Part(shelf.from_string(piece), each) for piece, each in zip(pieces, names, strict=True)]


def _token(csrf: str) -> Markup:
    """What a form needs that is sent without script."""
    return Markup('<input type="hidden" name="csrfmiddlewaretoken" value="{}">').format(csrf) if csrf else Markup("")


@lru_cache(50_000)
def line(step: int, who: str, text: str, *, current: bool = False) -> Markup:
    """A line of the move list, which is drawn once and shown many times; alone nobody needs a name."""
    name = Markup("<span>{}</span> ").format(who) if who else ""
    return Markup('<li id="log-{0}"{3}><a href="?step={0}" data-go="{0}">{1}<b>{2}</b></a></li>').format(
        step, name, text, Markup(' aria-current="step"') if current else ""
    )


@lru_cache(50_000)
def button(text: str) -> Markup:
    """A move, written out."""
    return Markup('<button name="move" value="{0}">{0}</button> ').format(text)


@cache
def _speaker(lang: str) -> Callable[..., str]:
    """The sentences of the house in one language."""
    plain = cache(lambda name: say(name, lang))

    def speak(sentence: str, /, **values: object) -> str:
        return say(sentence, lang, **values) if values else plain(sentence)

    return speak


@cache
def _drawer(lang: str) -> Callable[..., str]:
    """Parts that other pages have, too, and that change seldom: Django's own templates draw them."""

    def draw_part(name: str, **context: object) -> str:
        with override(lang):
            return render_to_string(name, context)

    plain = cache(draw_part)
    return lambda name, **context: draw_part(name, **context) if context else plain(name)
