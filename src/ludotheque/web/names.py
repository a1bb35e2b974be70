"""Names of people: one readable line that passes neither for the site's own words nor for somebody else here.

What nobody sees is removed, letters in fancy shapes become plain ones, and spaces are folded. What would still
mislead is refused, each mistake with a sentence of its own. Look-alikes are found by Unicode's table of confusables.
"""

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from ludotheque import words
from ludotheque.web.models.table import LEVELS, MAX_NAME_CHARS
from ludotheque.web.refusals import Refused

MAX_MARKS = 4  # on one letter: Hebrew and Tibetan need three, and Unicode's advice is four
MAX_MARKS_CASED = 2  # Latin, Greek and Cyrillic letters have room for no more
ZWNJ, ZWJ, EMOJI_STYLE, KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e")  # the direction of all that follows
BLANK = frozenset(  # what Unicode says is not shown, beside control and format characters
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U0001d159"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)
FANCY_SHAPES = frozenset({"<wide>", "<narrow>", "<font>", "<circle>", "<square>", "<super>", "<sub>"})
"""Of a plain character. Not `<compat>`: Thai and Lao vowels would fall apart."""

JOINING_SCRIPTS = frozenset(
    {"ARABIC", "BENGALI", "DEVANAGARI", "GUJARATI", "GURMUKHI", "KANNADA", "KHMER", "MALAYALAM"}
    | {"MONGOLIAN", "ORIYA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU"}
)
"""Those whose spelling needs joiners, which are invisible elsewhere."""

LOOKALIKE_SCRIPTS = frozenset({"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GREEK", "LATIN"})


def read(value: str) -> str:
    """A name as it is stored and shown, or an empty one; refused if it would mislead."""
    if OVERRIDES.intersection(value):
        raise Refused("name-direction")
    name = _mended(value)
    if not name and any(mark.isprintable() or unicodedata.category(mark) == "Cf" for mark in "".join(value.split())):
        raise Refused("name-invisible")
    _check_readable(name)
    _check_scripts(name)
    if _spelled(name) & _spelled_by_site():
        raise Refused("name-reserved")
    return name


def read_for_table(value: str, others: Iterable[str]) -> str:
    """A name for somebody who sits down beside others, whose names it must not resemble."""
    name = read(value)
    if name and any(look_alike(name, other) for other in others if other):
        raise Refused("name-taken")
    return name


def read_or_none(value: str) -> str:
    """A name that somebody had before; an empty one if it could not be chosen today."""
    try:
        return read(value)
    except Refused:
        return ""


def look_alike(name: str, other: str) -> bool:
    """Whether two names are easily taken for each other: as written, or in small or in capital letters."""
    return any(one == another for one, another in zip(_looks(name), _looks(other), strict=True))


# What is shown


def _mended(value: str) -> str:
    """A line of bounded length; mended again until nothing more changes, since what is removed had neighbours."""
    line = " ".join(_visible(_plain_shapes(value)).split())
    name = line[:MAX_NAME_CHARS].strip(f" {ZWJ}{ZWNJ}")
    return name if name == value else _mended(name)


def _plain_shapes(value: str) -> str:
    """Full-width, circled, mathematical and other shapes of a character as that character."""
    return unicodedata.normalize("NFC", "".join(map(_plain_shape, value)))


def _plain_shape(mark: str) -> str:
    is_fancy = unicodedata.decomposition(mark).partition(" ")[0] in FANCY_SHAPES
    return unicodedata.normalize("NFKC", mark) if is_fancy else mark


def _visible(value: str) -> str:
    """Without what nobody sees; control characters separate words."""
    return "".join(
        " " if unicodedata.category(mark) in ("Cc", "Zl", "Zp") else mark
        for place, mark in enumerate(value)
        if _is_shown(mark, value[place - 1] if place else "", value[place + 1 : place + 2])
    )


def _is_shown(mark: str, before: str, after: str) -> bool:
    """Whether a character is seen, or changes what is seen around it."""
    if mark in (ZWJ, ZWNJ):
        return bool(after) and (_is_symbol(before) or _script(before) in JOINING_SCRIPTS)
    if mark == EMOJI_STYLE:
        return _is_symbol(before) or after == KEYCAP
    return mark not in BLANK and unicodedata.category(mark) != "Cf"


def _is_symbol(mark: str) -> bool:
    return mark == EMOJI_STYLE or (mark != "" and unicodedata.category(mark) in ("So", "Sk", "Sm"))


# What is refused


def _check_readable(name: str) -> None:
    """Refuse characters without a known shape, and marks in a heap."""
    base, marks = "", ""
    for mark in name:
        kind = unicodedata.category(mark)
        if kind in ("Cn", "Co", "Cs") or mark in "\ufffc\ufffd":
            raise Refused("name-unreadable")
        if kind not in ("Mn", "Me") or mark == EMOJI_STYLE:
            base, marks = mark, ""
            continue
        most = MAX_MARKS_CASED if base.lower() != base.upper() else MAX_MARKS
        if base in ("", " ") or marks.endswith(mark) or len(marks) == most:
            raise Refused("name-stacked")
        marks += mark


def _check_scripts(name: str) -> None:
    """Refuse a word in letters of several alphabets that share shapes, as in “Аda” with a Cyrillic А."""
    for word in name.split() if not name.isascii() else ():
        scripts = {_script(mark) for mark in word if mark.isalpha()}
        if len(scripts & LOOKALIKE_SCRIPTS) > 1:
            raise Refused("name-mixed")


def _script(mark: str) -> str:
    if not mark:
        return ""
    from confusable_homoglyphs import categories  # noqa: PLC0415 - large, and few processes read names

    script: str = categories.alias(mark)
    return script


def _spelled(name: str) -> frozenset[tuple[int, str]]:
    """The letters of a name, without accents, digits and signs, however they are drawn."""
    letters = "".join(mark for mark in name if mark.isalpha())
    found = [(case, _letters(look)) for text in (name, letters) for case, look in enumerate(_looks(text))]
    return frozenset(each for each in found if each[1])


def _letters(text: str) -> str:
    return "".join(mark for mark in text if mark.isalpha())


@cache
def _spelled_by_site() -> frozenset[tuple[int, str]]:
    """What the site itself calls somebody: computer players, their levels, and people without a name."""
    own = [
        sentence
        for lang in words.LANGUAGES
        for sentence in (
            *(words.say(None, lang, "web", name) for name in ("computer", "somebody", "house")),
            words.say(None, lang, "web", "player", number=""),
            *(words.say(None, lang, "search", "levels", level) for level in LEVELS),
        )
    ]
    return frozenset().union(*map(_spelled, own))


# Look-alikes


@lru_cache(10_000)
def _looks(name: str) -> tuple[str, str, str]:
    """What a name looks like as it is written, in small letters, and in capitals."""
    plain = unicodedata.normalize("NFKC", name)
    return _skeleton(plain), _skeleton(plain.casefold()), _skeleton(plain.upper())


def _skeleton(text: str) -> str:
    """The text with one character for all that look like it; punctuation counts only if there is nothing else."""
    prototypes = _prototypes()
    drawn = "".join(prototypes.get(mark, mark) for mark in unicodedata.normalize("NFD", text))
    bare = unicodedata.normalize("NFD", drawn)
    return "".join(mark for mark in bare if unicodedata.category(mark)[0] in "LMNS") or bare


@cache
def _prototypes() -> dict[str, str]:
    """For a character the one that Unicode has for all those that look like it."""
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - as above

    alike: dict[str, list[str]] = {
        mark: [found["c"] for found in homoglyphs] for mark, homoglyphs in confusables_data.items()
    }
    return {mark: _prototype(mark, alike) for mark in alike if len(mark) == 1}


def _prototype(mark: str, alike: dict[str, list[str]]) -> str:
    """A character has one prototype, a prototype has all its characters; of a pair by itself, the first."""
    first, *more = alike[mark]
    if more:
        return mark
    return first if len(alike.get(first, ())) > 1 or len(first) > 1 else min(mark, first)
