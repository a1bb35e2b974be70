"""The table's HTML, from the one template that is drawn for every move: compiled, and cut where it changes."""

import re
from collections.abc import Callable, Iterator
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
OWN = {"mine", "seat", "acting", "todo", "may_ask", "answering", "curtain", "can_undo", "token"} | {
    "buttons",
    "can_move",
    "listed",
    "moves_left_out",
}
"""What concerns only whoever looks. A part that names nothing of it is drawn once, for all who may know the same."""

FRESH = {"happened", "picture", "lines", "rows", "version", "buttons"}  # what is new with every move
FOLDED = "folded"  # after a cut: a part that nobody sees who has not unfolded the position in words

Named: TypeAlias = dict[str, Any]
Values: TypeAlias = tuple[object, ...]
Change: TypeAlias = tuple[int, int, str]
"""Where a part begins to differ, how much goes there, and what comes."""


class Part(NamedTuple):
    """A piece of the template between two cuts, and how to find what it names."""

    template: Template
    names: tuple[str, ...]
    values: Callable[[Named], Values]
    alike: bool
    fresh: bool
    folded: bool

    def draw(self, context: Context) -> str:
        return "".join(self.template.root_render_func(context))  # what `render` does, less a context for each


class Alike(NamedTuple):
    """What is the same for all who may know the same: parts as they are drawn, and how they have changed."""

    parts: dict[int, str]
    changes: dict[int, tuple[str, Change]]
    """By part: what it was before, and the change from that."""


class Drawn(NamedTuple):
    """A screen's parts; of one's own that seldom change, what they were drawn from."""

    parts: list[str]
    values: dict[int, Values]
    alike: Alike


def draw(
    everybodys: Named,
    own: Named,
    lang: str,
    alike: Alike,
    before: Drawn | None = None,
    *,
    folded: bool = False,
) -> Drawn:
    """What everybody may know who sees alike, and one's own. Only what the page does not have is drawn.

    Parts that are alike know of nothing but what is everybody's. What is `folded` away on the page stays as it was.
    """
    assert own.keys() == OWN
    parts = [""] * len(_parts(lang))
    drawn, whole = Drawn(parts, {}, alike), {**everybodys, **own}
    if not alike.parts:
        alike.parts.update(dict(_draw_alike(everybodys, lang)))  # all at once: another thread may be looking
    for number, html in alike.parts.items():
        parts[number] = html
    is_reckoned = bool(everybodys["why"])  # which is no key of a memory
    for number, part in _own(lang):
        if part.folded and folded and before is not None:
            parts[number] = before.parts[number]
        elif part.fresh or is_reckoned:
            parts[number] = part.draw(_context(everybodys if part.alike else whole, lang))
        else:
            values = drawn.values[number] = part.values(whole)
            known = before is not None and before.values.get(number) == values
            parts[number] = before.parts[number] if before is not None and known else _again(number, lang, values)
    return drawn


def _draw_alike(everybodys: Named, lang: str) -> Iterator[tuple[int, str]]:
    context, is_reckoned = _context(everybodys, lang), bool(everybodys["why"])
    for number, part in enumerate(_parts(lang)):
        if is_alike(number):
            anew = part.fresh or is_reckoned
            yield number, part.draw(context) if anew else _again(number, lang, part.values(everybodys))


def is_alike(number: int) -> bool:
    """Whether a part is drawn once for many."""
    return number in _alike()


@cache
def _alike() -> frozenset[int]:
    """What is folded away is drawn only for whoever has unfolded it."""
    return frozenset(number for number, part in enumerate(_parts(LANGUAGES[0])) if part.alike and not part.folded)


@cache
def _own(lang: str) -> list[tuple[int, Part]]:
    """The parts that are drawn for each."""
    return [(number, part) for number, part in enumerate(_parts(lang)) if not is_alike(number)]


@lru_cache(20_000)
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
    alike, fresh = OWN.isdisjoint(names), not FRESH.isdisjoint(names)
    return Part(shelf.from_string(source), names, values, alike, fresh, mark == FOLDED)


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
def line(step: int, who: str, text: str) -> str:
    """A line of the move list, which is drawn once and shown many times; alone nobody needs a name."""
    name = f"<span>{escape(who)}</span> " if who else ""
    return f'<li id="log-{step}"><a href="?step={step}" data-go="{step}">{name}<b>{escape(text)}</b></a></li>'


@lru_cache(50_000)
def button(text: str) -> str:
    """A move, written out."""
    return f'<button name="move" value="{escape(text)}">{escape(text)}</button> '
