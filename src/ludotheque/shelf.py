"""The registry of games, ours and those of other packages, each as a `Box` ready to be played.

A module or package in `games/` or `puzzles/` that has a `GAME` is on the shelf; one without is not. So is every entry
point of the group `ludotheque.games` that names a `Game`. One that cannot be loaded, or whose key is taken, is left
out with a warning that says where to look, so that a plug-in takes no other game away. There is no list to edit.
"""

import copyreg
import difflib
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from typing import Final

from ludotheque import games as games_package
from ludotheque import puzzles as puzzles_package
from ludotheque import records, words
from ludotheque.errors import BadOption, UnknownGame, quoted
from ludotheque.game import AnyGame, Game
from ludotheque.luck import Luck, fresh_seed
from ludotheque.match import Match
from ludotheque.options import Option
from ludotheque.pictures.output import diagrams
from ludotheque.pictures.output.plain import write_match
from ludotheque.pictures.output.registry import has_picture, picture_of
from ludotheque.pictures.output.render import render_match

GROUP = "ludotheque.games"  # of entry points
FAIR: Final = "fair"  # luck acts by itself, from a seed


@dataclass(frozen=True, repr=False)
class Box:
    """A game on the shelf: its rules, and what is printed on the box."""

    rules: AnyGame

    @property
    def key(self) -> str:
        return self.rules.key

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(sorted(self.rules.seats))

    @property
    def options(self) -> tuple[Option, ...]:
        return self.rules.options

    @property
    def name(self) -> str:
        return self.say("name", words.DEFAULT_LANGUAGE)

    @property
    def credits(self) -> str:
        """Who made the game, and when."""
        return self.say("credits", words.DEFAULT_LANGUAGE)

    @property
    def is_complete(self) -> bool:
        """Whether it has words in all languages and a picture: before that, the site does not offer it."""
        return has_picture(self.rules) and all(words.has_page(self.rules.stem, lang) for lang in words.LANGUAGES)

    def say(self, what: str, lang: str) -> str:
        """What is printed on the box: its `name`, `line`, `about`, `credits`, `players`, `minutes`.

        Nothing is while a game has no words; then it goes by its key.
        """
        if not words.has_page(self.rules.stem, lang):
            return self.key if what == "name" else ""
        return words.say(self.rules.stem, lang, what)

    def __repr__(self) -> str:
        return f"<Box {self.key}>"

    def _repr_svg_(self) -> str:
        """What a notebook shows: the picture on the box."""
        return diagrams.on_the_box(self.rules).picture()

    def match(
        self,
        seats: int | None = None,
        seed: int | str | None = None,
        luck: str | None = FAIR,
        table: str = "",
        entropy: Iterable[str] = (),
        **options: object,
    ) -> Match:
        """A new match. The same seed gives the same luck; `luck=None` leaves luck's moves to be played by hand."""
        if luck not in (FAIR, None):
            raise BadOption(f"luck is “{FAIR}” or None, not {quoted(luck)}.", "bad-option")
        if isinstance(seed, bool) or not isinstance(seed, int | str | None):
            raise BadOption(f"seed is a number or a text, not {quoted(seed)}.", "bad-option")
        chosen = fresh_seed() if seed is None else str(seed)
        draws = None if luck is None else Luck(chosen, table, tuple(entropy))
        return Match(self.rules, seats, draws, options, render_match, writer=write_match)


def games() -> list[Box]:
    """Every game on the shelf, by key."""
    return [Box(rules) for _, rules in sorted(_all().items())]


def game(key: str) -> Box:
    """The game of this key."""
    return Box(_find(key))


def load(text: str, *, max_entries: int | None = None) -> Match:
    """The match that a record holds; one whose log has more than `max_entries` is refused before it is replayed."""
    return records.read(
        text,
        lambda key, seats, options: Match(_find(key), seats, None, options, render_match, writer=write_match),
        max_entries,
    )


@cache
def _all() -> dict[str, AnyGame]:
    found, names = dict[str, AnyGame](), dict[str, str]()
    for module, rules in _ours():
        found[rules.key], names[rules.key] = rules, module
    for entry, rules in _plugged_in():
        if rules.key in found:
            _warn(entry, f"brings the game {rules.key}, and that key is taken by {names[rules.key]}", _file(entry))
        else:
            found[rules.key], names[rules.key] = rules, _named(entry)
    return found


def _find(key: str) -> AnyGame:
    found = _all().get(key) if isinstance(key, str) else None
    if found is None:
        near = difflib.get_close_matches(key, _all(), 1) if isinstance(key, str) else []
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(sorted(_all()))}."
        raise UnknownGame(f"There is no game {quoted(key)}. {hint}", "unknown-game")
    return found


def _ours() -> Iterator[tuple[str, AnyGame]]:
    for package in (games_package, puzzles_package):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            rules = getattr(import_module(module.name), "GAME", None)
            if isinstance(rules, Game):
                yield module.name, rules


def _plugged_in() -> Iterator[tuple[EntryPoint, AnyGame]]:
    """The games of other packages; of two with the same key the first by the name of its entry point counts."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            rules = entry.load()
            _load_parts(rules)
        except Exception as error:  # noqa: BLE001 - whatever a plug-in raises while it is imported
            _warn(entry, f"cannot be loaded ({type(error).__name__}: {error})", _place(entry, error))
            continue
        if isinstance(rules, Game):
            yield entry, rules
        else:
            _warn(entry, f"is not a ludotheque.game.Game, but {quoted(rules)}", _file(entry))


def _load_parts(rules: object) -> None:
    """What pages that show all games need of each: its words and its picture, if it has any."""
    if not isinstance(rules, Game):
        return
    for lang in words.LANGUAGES:
        if words.has_page(rules.stem, lang):
            words.page(rules.stem, lang)
    if has_picture(rules):
        picture_of(rules)


def _warn(entry: EntryPoint, problem: str, place: str) -> None:
    where = f", in {place}" if place else ""
    warnings.warn(f"left out: {_named(entry)} {problem}{where}", RuntimeWarning, stacklevel=2)


def _named(entry: EntryPoint) -> str:
    package = f" of {entry.dist.name}" if entry.dist else ""
    return f"the entry point {entry.name} = {entry.value}{package}"


def _place(entry: EntryPoint, error: Exception) -> str:
    """The line of the author's that an error comes from: where it cannot be parsed, else the last one that ran."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}"
    package = entry.module.partition(".")[0]
    lines = [
        f"{frame.f_code.co_filename}, line {line}"
        for frame, line in walk_tb(error.__traceback__)
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    return lines[-1] if lines else _file(entry)


def _file(entry: EntryPoint) -> str:
    """The author's module, and the line that gives the name its value; empty if there is no such module."""
    try:
        spec = find_spec(entry.module)
    except ImportError:
        return ""
    if spec is None or spec.origin is None:
        return ""
    source = Path(spec.origin).read_text(encoding="utf-8", errors="replace").splitlines()
    line = next((n for n, text in enumerate(source, 1) if text.startswith((f"{entry.attr} ", f"{entry.attr}:"))), 0)
    return f"{spec.origin}, line {line}" if line else spec.origin


def _reduced(rules: AnyGame) -> tuple[Callable[..., AnyGame], tuple[object, ...]]:
    """A game of the shelf is pickled as its key: whoever reads it has it on a shelf, too."""
    return (_find, (rules.key,)) if _all().get(rules.key) is rules else rules.__reduce__()


copyreg.pickle(Game, _reduced)  # here, since rules know nothing of the shelf
