"""The table page as HTML fragments: rendered from one template, cached, and sent to a page only where they changed.

`board.html` is cut into fragments by `{# cut #}` comments. A fragment is rendered from the values it names and from
nothing else, so whoever has the same values gets the same HTML: that is the cache, and why it cannot leak.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from django.template.loader import render_to_string
from django.utils.translation import override
from jinja2 import Environment, PackageLoader, Template, meta
from jinja2.runtime import Context
from markupsafe import Markup, escape

from ludotheque.web import markdown
from ludotheque.web.screen.moves import Move
from ludotheque.web.screen.texts import cached_text
from ludotheque.web.words import level, say

SEPARATOR = "\x1e"  # between fragments that are sent together; names and texts are printable and never contain it
TEMPLATE = "web/board.html"
CUT = re.compile(r"{# cut ?(\w*) #}")
INDENTATION = re.compile(r"\n\s+")
VERBATIM = re.compile(r"{{ (\w+)\|safe }}")
MAX_WHOLE_CHARS = 150  # a fragment up to this length is sent whole
MAX_KNOWN_MOVES = 1000  # of one page
MAX_FRAGMENT_BYTES = 16_000_000  # of fragments; those of hundreds of tables at which people play
MAX_LINE_BYTES, MAX_BUTTON_BYTES = 6_000_000, 4_000_000  # of lines of move lists, and of buttons

Values: TypeAlias = Mapping[str, Any]
Change: TypeAlias = tuple[int, int, int, str]
"""A fragment, where it begins to differ, how many UTF-16 units go there, and what comes instead."""


class Fragment(NamedTuple):
    """A piece of the template between two cuts."""

    number: int
    template: Template
    names: tuple[str, ...]
    """The values that it needs."""

    verbatim: str
    """The one value that it consists of, if that is HTML already."""

    folded: bool
    """Whether a page shows it only after the position in words was unfolded."""


def render(values: Values, lang: str, before: list[str] | None = None, *, folded: bool = False) -> list[str]:
    """All fragments, in the order of the page. What is `folded` away there stays as it was `before`."""
    return [
        before[fragment.number]
        if before is not None and folded and fragment.folded
        else _html(fragment, values, lang)
        for fragment in _fragments(lang)
    ]


def _html(fragment: Fragment, values: Values, lang: str) -> str:
    if fragment.verbatim:
        html: str = values[fragment.verbatim]
        return html
    if fragment.folded:  # large, and read by few
        return _rendered(fragment, values)
    return _cached(fragment.number, lang, tuple([values[name] for name in fragment.names]))


@cached_text(MAX_FRAGMENT_BYTES)
def _cached(number: int, lang: str, values: tuple[object, ...]) -> str:
    fragment = _fragments(lang)[number]
    return _rendered(fragment, dict(zip(fragment.names, values, strict=True)))


def clear() -> None:
    """Forget what was rendered."""
    _cached.cache_clear()


def _rendered(fragment: Fragment, values: Values) -> str:
    """What `Template.render` does, less a new context for every fragment's blocks and globals."""
    named = {name: values[name] for name in fragment.names}
    return "".join(fragment.template.root_render_func(Context(fragment.template.environment, named, TEMPLATE, {})))


@cache
def _fragments(lang: str) -> list[Fragment]:
    """The template in one language."""
    environment = Environment(loader=PackageLoader("ludotheque.web"), autoescape=True)
    environment.filters |= {
        "say": lambda sentence, /, **values: say(sentence, lang, **values),
        "level": lambda number: level(number, lang),
        "marked_line": cache(markdown.inline),
        "part": lambda template, /, **context: _django_part(template, lang, **context),
    }
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, TEMPLATE)
    marks_and_pieces = ["", *CUT.split(INDENTATION.sub("\n", source))]
    pairs = zip(marks_and_pieces[::2], marks_and_pieces[1::2], strict=True)
    return [_fragment(environment, number, piece, mark) for number, (mark, piece) in enumerate(pairs)]


def _fragment(environment: Environment, number: int, source: str, mark: str) -> Fragment:
    names = tuple(sorted(meta.find_undeclared_variables(environment.parse(source))))
    verbatim = VERBATIM.fullmatch(source)
    return Fragment(
        number, environment.from_string(source), names, verbatim[1] if verbatim else "", folded=mark == "folded"
    )


def _django_part(template: str, lang: str, /, **context: object) -> str:
    """A part that other pages have, too: rendered by Django."""
    with override(lang):
        return render_to_string(template, context)


def csrf_field(token: str) -> Markup:
    """The hidden field of a form that is sent without script."""
    field = Markup('<input type="hidden" name="csrfmiddlewaretoken" value="{}">')
    return field.format(token) if token else Markup("")


@cached_text(MAX_LINE_BYTES)
def log_line(step: int, who: str, sentence: str, written: str) -> str:
    """A line of the move list, in words and as it is written: the page shows one of them.

    `who` is empty for one who plays alone, the sentence for a game without words.
    """
    name = f"<span>{escape(who)}</span> " if who else ""
    text = (
        f"<b>{escape(sentence)}</b><code>{name}{escape(written)}</code>"
        if sentence
        else f"{name}<b>{escape(written)}</b>"
    )
    return f'<li id="log-{step}"><a href="?step={step}" data-go="{step}">{text}</a></li>'


def log_note(sentence: str) -> str:
    """A line of the move list that tells no move, and that one cannot go back to."""
    return f'<li class="note">{escape(sentence)}</li>'


def folded_lines(step: int, summary: str, lines: str) -> str:
    """Lines folded away behind a summary, which names itself by its first step."""
    head = f'<li class="folded"><details id="setup-{step}" data-keep-open><summary>{escape(summary)}</summary>'
    return f"{head}<ol>{lines}</ol></details></li>"


@cached_text(MAX_BUTTON_BYTES)
def move_button(text: str, written: str) -> str:
    return f'<button name="move" value="{escape(text)}">{escape(written)}</button> '


class SentPage:
    """What was sent to one page, so that only the rest is sent again."""

    def __init__(self) -> None:
        self.fragments: list[str] | None = None
        self.seat = -1
        self._moves: dict[str, Move] = {}

    def shows(self, seat: int | None) -> bool:
        """Whether it shows what this seat sees: else nothing of it may stay, not even what is folded away."""
        return self.seat == (-1 if seat is None else seat)

    def update(self, fragments: list[str], seat: int, moves: list[Move]) -> dict[str, object]:
        """What to send: all HTML the first time, then the changes; moves that the page has are only named."""
        message: dict[str, object] = {"moves": [self._named(move) for move in moves]}
        if self.fragments is None:
            message["html"] = SEPARATOR.join(fragments)
        else:
            message["changes"] = changes(self.fragments, fragments)
        self.fragments, self.seat = fragments, seat
        return message

    def _named(self, move: Move) -> Move | str:
        text = move[0]
        if self._moves.get(text) == move:
            return text
        if len(self._moves) < MAX_KNOWN_MOVES or text in self._moves:
            self._moves[text] = move
        return move


def changes(before: list[str], now: list[str]) -> list[Change]:
    """The fragments that changed."""
    return [
        (number, *_change(old, new))
        for number, (old, new) in enumerate(zip(before, now, strict=True))
        if old is not new and old != new
    ]


def _change(old: str, new: str) -> tuple[int, int, str]:
    is_short = len(old) < MAX_WHOLE_CHARS > len(new)
    return (0, _utf16_units(old), new) if is_short else splice(old, new)


def splice(old: str, new: str) -> tuple[int, int, str]:
    """Where the two begin to differ, how much of the old goes there, and what comes, counted as JavaScript does."""
    if new.startswith(old):  # as the move list grows
        return _utf16_units(old), 0, new[len(old) :]
    begin = _common_prefix(old, new)
    end = _common_suffix(old, new, min(len(old), len(new)) - begin)
    return _utf16_units(old[:begin]), _utf16_units(old[begin : len(old) - end]), new[begin : len(new) - end]


def _common_prefix(one: str, other: str) -> int:
    """Its length, by binary search: comparing halves is faster than a loop over characters."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one.startswith(other[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _common_suffix(one: str, other: str, limit: int) -> int:
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if one.endswith(other[len(other) - middle : len(other) - low], 0, len(one) - low):
            low = middle
        else:
            high = middle - 1
    return low


def _utf16_units(text: str) -> int:
    """The length of a text in JavaScript."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
