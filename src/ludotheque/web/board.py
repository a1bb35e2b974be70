"""The table's HTML, from the one template that is drawn for every move: compiled, and cut where it changes."""

from collections.abc import Callable, Mapping
from functools import cache

from django.template.loader import render_to_string
from django.utils.translation import override
from jinja2 import Environment, PackageLoader, Template

from ludotheque.web.speech import level, say
from ludotheque.web.templatetags.house import marked_line

CUT = "\x1e"  # no text of anybody's has it: names are printable, and the rest is ours


def draw(context: Mapping[str, object], lang: str) -> str:
    """The whole of it, with its cuts."""
    return _template().render(context, say=_speaker(lang), part=_parts(lang), lang=lang, cut=CUT)


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
