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

from ludotheque.web.templatetags.house import marked_line
from ludotheque.web.words import level, say
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

LIVELY = {"todo", "acting", "places"}  # what is another with most moves
FOLDED = "folded"  # after a cut: a part that nobody sees who has not unfolded the position in words
VERBATIM = re.compile(r"{{ (\w+)\|safe }}")  # a part that is HTML already, and nothing else: new with every move

Named: TypeAlias = dict[str, Any]
Values: TypeAlias = tuple[object, ...]
Change: TypeAlias = tuple[int, int, int, str]
"""A part, where it begins to differ, how much goes there, and what comes."""


class Part(NamedTuple):
    """A piece of the template between two cuts, and how to find what it names."""

    number: int
    template: Template
    names: tuple[str, ...]
    values: Callable[[Named], Values]
    verbatim: str
    reckons: bool
    folded: bool

    @property
    def is_own(self) -> bool:
        return not OWN.isdisjoint(self.names)

    def draw(self, context: Context) -> str:
        return "".join(self.template.root_render_func(context))  # what `render` does, less a context for each


class Kinds(NamedTuple):
    """Parts by when they are drawn: once for all who may know the same, or for each, often or seldom."""

    lasting: list[Part]
    """Alike to many, and seldom another."""

    verbatim: list[Part]
    """Alike to many, and new with every move."""

    lively: list[Part]
    calm: list[Part]
    folded: list[Part]


class Layout(NamedTuple):
    """The template in one language. As long as what they name is the same, so are the lasting ones, and the calm."""

    parts: list[Part]
    kinds: Kinds
    lastingly: Callable[[Named], Values]
    calmly: Callable[[Named], Values]


class Alike:
    """Parts that are the same for all who may know the same, the lasting ones first."""

    def __init__(self, parts: list[str]) -> None:
        self.parts = parts
        self.changes: tuple[list[str], list[Change]] | None = None
        """What they were before, and how they have changed from that: found out once, by `changes.py`."""


class Drawn(NamedTuple):
    """A screen's parts by their kinds, and what its calm ones were drawn from."""

    alike: Alike
    lively: list[str]
    calm: list[str]
    folded: list[str]
    named: Values

    def in_order(self) -> list[str]:
        """All parts, as they follow each other on the page."""
        drawn = zip(numbers(), (self.alike.parts, self.lively, self.calm, self.folded), strict=True)
        placed = {number: html for kind, parts in drawn for number, html in zip(kind, parts, strict=True)}
        return [placed[number] for number in sorted(placed)]


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
    layout, whole = _layout(lang), everybodys | own
    kinds, named = layout.kinds, layout.calmly(whole)
    if before is not None and before.named == named:
        calm = before.calm
    else:
        calm = [_anew(part, whole, lang) for part in kinds.calm]
    if before is not None and folded:
        away = before.folded
    else:
        away = [_anew(part, whole if part.is_own else everybodys, lang) for part in kinds.folded]
    return Drawn(alike, [_again(part.number, lang, part.values(whole)) for part in kinds.lively], calm, away, named)


def draw_alike(everybodys: Named, lang: str) -> Alike:
    """The parts that name nothing but what everybody may know who sees alike."""
    layout = _layout(lang)
    lasting = _lasting(lang, layout.lastingly(everybodys))
    return Alike([*lasting, *[everybodys[part.verbatim] for part in layout.kinds.verbatim]])


@lru_cache(5_000)
def _lasting(lang: str, values: Values) -> list[str]:
    parts = _layout(lang).kinds.lasting
    named = dict(zip(_names(parts), values, strict=True))
    return [_again(part.number, lang, part.values(named)) for part in parts]


@cache
def numbers() -> tuple[list[int], ...]:
    """Where on the page the parts of a screen are: those that are alike, lively, calm, folded."""
    lasting, verbatim, *own = _layout(LANGUAGES[0]).kinds
    return tuple([part.number for part in parts] for parts in (lasting + verbatim, *own))


def _anew(part: Part, named: Named, lang: str) -> str:
    """What was reckoned is no key of a memory, and what is unfolded is not worth one."""
    if part.folded or (part.reckons and named["why"]):
        return part.draw(_context(named, lang))
    return _again(part.number, lang, part.values(named))


@lru_cache(20_000)
def _again(number: int, lang: str, values: Values) -> str:
    """A part looks the same wherever what it names is the same."""
    part = _layout(lang).parts[number]
    return part.draw(_context(dict(zip(part.names, values, strict=True)), lang))


def _context(named: Named, lang: str) -> Context:
    return Context(_layout(lang).parts[0].template.environment, named, TEMPLATE, {})


@cache
def _layout(lang: str) -> Layout:
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
    marks_and_pieces = ["", *CUTS.split(source)]
    pairs = zip(marks_and_pieces[::2], marks_and_pieces[1::2], strict=True)
    return _laid_out([_part(shelf, number, piece, mark) for number, (mark, piece) in enumerate(pairs)])


def _laid_out(parts: list[Part]) -> Layout:
    verbatim, folded = [part for part in parts if part.verbatim], [part for part in parts if part.folded]
    rest = [part for part in parts if not part.verbatim and not part.folded]
    lasting = [part for part in rest if not part.is_own]
    lively = [part for part in rest if part.is_own and not LIVELY.isdisjoint(part.names)]
    calm = [part for part in rest if part.is_own and LIVELY.isdisjoint(part.names)]
    assert not any(part.is_own for part in verbatim), "a part of one's own is another with every move"
    kinds = Kinds(lasting, verbatim, lively, calm, folded)
    return Layout(parts, kinds, itemgetter(*_names(lasting)), itemgetter(*_names(calm)))


def _names(parts: list[Part]) -> list[str]:
    """All that they name."""
    return sorted({name for part in parts for name in part.names})


def _part(shelf: Environment, number: int, source: str, mark: str) -> Part:
    names = tuple(sorted(meta.find_undeclared_variables(shelf.parse(source))))
    values = partial(_values, names) if len(names) < 2 else itemgetter(*names)
    verbatim = VERBATIM.fullmatch(source)
    return Part(
        number,
        shelf.from_string(source),
        names,
        values,
        verbatim=verbatim[1] if verbatim else "",
        reckons="why" in names,
        folded=mark == FOLDED,
    )


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
