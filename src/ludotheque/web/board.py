"""The table's HTML, from the one template that is drawn for every move: compiled, and cut where it changes."""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from django.template.loader import render_to_string
from django.utils.translation import override
from jinja2 import Environment, PackageLoader, Template
from markupsafe import Markup

from ludotheque.web.speech import level, say
from ludotheque.web.templatetags.house import marked_line

CUT = "\x1e"  # no text of anybody's has it: names are printable, and the rest is ours


def draw(context: Mapping[str, object], lang: str) -> str:
    """The whole of it, with its cuts."""
    return _template().render(context, say=_speaker(lang), part=_parts(lang), lang=lang, cut=CUT)


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
def _template() -> Template:
    shelf = Environment(loader=PackageLoader("ludotheque.web"), autoescape=True)
    shelf.filters["marked_line"] = cache(marked_line)
    shelf.filters["level"] = level
    return shelf.get_template("web/board.html")


@cache
def _speaker(lang: str) -> Callable[..., str]:
    """The sentences of the house in one language."""
    plain = cache(lambda name: say(name, lang))

    def speak(sentence: str, /, **values: object) -> str:
        return say(sentence, lang, **values) if values else plain(sentence)

    return speak


@cache
def _parts(lang: str) -> Callable[..., str]:
    """Parts that other pages have, too, and that change seldom: Django's own templates draw them."""

    def draw_part(name: str, **context: object) -> str:
        with override(lang):
            return render_to_string(name, context)

    plain = cache(draw_part)
    return lambda name, **context: draw_part(name, **context) if context else plain(name)
