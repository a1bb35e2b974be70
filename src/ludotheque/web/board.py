"""The table's HTML, from the one template that is drawn for every move: compiled, and cut where it changes."""

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from django.template.loader import render_to_string
from django.utils.translation import override
from jinja2 import Environment, PackageLoader, Template, meta
from jinja2.runtime import Context
from markupsafe import Markup, escape

from ludotheque.web.speech import level, say
from ludotheque.web.templatetags.house import marked_line
from ludotheque.words import LANGUAGES

CUT = "\x1e"  # no text of anybody's has it: names are printable, and the rest is ours
TEMPLATE = "web/board.html"
CUTS = re.compile(r"{# cut ?(\w*) #}")
ALIKE = {"happened", "picture", "lines", "rows"}  # what comes with one move, alike to all who may know the same
ONCE = {"version", "buttons"}  # what comes for one screen only
FOLDED = "folded"  # after a cut: a part that nobody sees who has not unfolded the position in words

Named: TypeAlias = dict[str, Any]
Values: TypeAlias = tuple[object, ...]


class Part(NamedTuple):
    """A piece of the template between two cuts, and how to find what it names."""

    template: Template
    names: tuple[str, ...]
    values: Callable[[Named], Values]
    alike: bool
    once: bool
    folded: bool

    def draw(self, context: Context) -> str:
        return "".join(self.template.root_render_func(context))  # what `render` does, less a context for each


class Drawn(NamedTuple):
    """A screen's parts; of those that seldom change, what they were drawn from."""

    parts: list[str]
    values: list[Values]


def draw(
    everybodys: Named,
    own: Named,
    lang: str,
    alike: dict[int, str],
    before: Drawn | None = None,
    *,
    folded: bool = False,
) -> Drawn:
    """What everybody may know who sees alike, and one's own. Only what the page does not have is drawn.

    Parts that are `alike` are drawn once for all, and know of nothing but what is everybody's. What is `folded` away
    on the page stays as it was before.
    """
    whole = {**everybodys, **own}
    context, has_why = _context(whole, lang), bool(whole["why"])
    drawn = Drawn([], [])
    for number, part in enumerate(_parts(lang)):
        values: Values = ()
        if part.folded and folded and before is not None:
            html, values = before.parts[number], before.values[number]
        elif part.alike:
            if number not in alike:
                alike[number] = part.draw(_context(everybodys, lang))
            html = alike[number]
        elif part.once or has_why:
            html = part.draw(context)
        else:
            values = part.values(whole)
            known = before is not None and before.values[number] == values
            html = before.parts[number] if before is not None and known else _again(number, lang, values)
        drawn.parts.append(html)
        drawn.values.append(values)
    return drawn


def is_alike(number: int) -> bool:
    """Whether a part is drawn once for many."""
    return number in _alike()


@cache
def _alike() -> frozenset[int]:
    return frozenset(number for number, part in enumerate(_parts(LANGUAGES[0])) if part.alike)


@lru_cache(5000)
def _again(number: int, lang: str, values: Values) -> str:
    """A part looks the same wherever what it names is the same."""
    part = _parts(lang)[number]
    return part.draw(_context(dict(zip(part.names, values, strict=True)), lang))


def _context(named: Named, lang: str) -> Context:
    return Context(_parts(lang)[0].template.environment, named, TEMPLATE, {})


@cache
def _parts(lang: str) -> list[Part]:
    """In this language, whose plain sentences become part of the template."""
    shelf = Environment(loader=PackageLoader("ludotheque.web"), autoescape=True)
    shelf.filters |= {
        "say": lambda sentence, /, **values: say(sentence, lang, **values),
        "part": lambda template, /, **values: _rendered(template, lang, **values),
        "level": lambda number: level(number, lang),
        "marked_line": cache(marked_line),
    }
    assert shelf.loader is not None
    source, _, _ = shelf.loader.get_source(shelf, TEMPLATE)
    first, *rest = CUTS.split(source)
    return [
        _part(shelf, first, ""),
        *(_part(shelf, piece, mark) for mark, piece in zip(*[iter(rest)] * 2, strict=True)),
    ]


def _part(shelf: Environment, source: str, mark: str) -> Part:
    names = tuple(sorted(meta.find_undeclared_variables(shelf.parse(source))))
    values = partial(_values, names) if len(names) < 2 else itemgetter(*names)
    once, alike = (not kind.isdisjoint(names) for kind in (ONCE, ALIKE))
    return Part(shelf.from_string(source), names, values, alike, once, mark == FOLDED)


def _values(names: tuple[str, ...], named: Named) -> Values:
    return tuple(named[name] for name in names)


def _rendered(template: str, lang: str, /, **context: object) -> str:
    """A part that other pages have, too, and that changes seldom: Django's own templates draw it."""
    with override(lang):
        return render_to_string(template, context)


def token(csrf: str) -> Markup:
    """What a form needs that is sent without script."""
    return Markup('<input type="hidden" name="csrfmiddlewaretoken" value="{}">').format(csrf) if csrf else Markup("")


@lru_cache(50_000)
def line(step: int, who: str, text: str, *, current: bool = False) -> str:
    """A line of the move list, which is drawn once and shown many times; alone nobody needs a name."""
    name, mark = f"<span>{escape(who)}</span> " if who else "", ' aria-current="step"' if current else ""
    return f'<li id="log-{step}"{mark}><a href="?step={step}" data-go="{step}">{name}<b>{escape(text)}</b></a></li>'


@lru_cache(50_000)
def button(text: str) -> str:
    """A move, written out."""
    return f'<button name="move" value="{escape(text)}">{escape(text)}</button> '
