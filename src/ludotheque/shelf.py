"""The registry of games, ours and those of other packages, each as a `Box` ready to be played.

A module or package in `games/` or `puzzles/` that has a `GAME` is on the shelf; one without is not. So is every entry
point of the group `ludotheque.games` that names a `Game`; one that cannot be loaded is left out with a warning, so
that a broken plug-in takes no other game away. There is no list to edit.
"""

import difflib
import pkgutil
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
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
from ludotheque.pictures.output.render import render_match

FAIR: Final = "fair"  # luck acts by itself, from a seed


@dataclass(frozen=True)
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

    def say(self, what: str, lang: str) -> str:
        """What is printed on the box: its `name`, `line`, `about`, `credits`, `players`, `minutes`."""
        return words.say(self.rules.stem, lang, what)

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
        return Match(self.rules, seats, draws, options, render_match)


def games() -> list[Box]:
    """Every game on the shelf, by key."""
    return [Box(rules) for _, rules in sorted(_all().items())]


def game(key: str) -> Box:
    """The game of this key."""
    return Box(_find(key))


def load(text: str, *, max_entries: int | None = None) -> Match:
    """The match that a record holds; one whose log has more than `max_entries` is refused before it is replayed."""
    return records.read(
        text, lambda key, seats, options: Match(_find(key), seats, None, options, render_match), max_entries
    )


@cache
def _all() -> dict[str, AnyGame]:
    return {rules.key: rules for rules in (*_ours(), *_plugged_in())}


def _find(key: str) -> AnyGame:
    found = _all().get(key) if isinstance(key, str) else None
    if found is None:
        near = difflib.get_close_matches(key, _all(), 1) if isinstance(key, str) else []
        hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(sorted(_all()))}."
        raise UnknownGame(f"There is no game {quoted(key)}. {hint}", "unknown-game")
    return found


def _ours() -> Iterator[AnyGame]:
    for package in (games_package, puzzles_package):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            rules = getattr(import_module(module.name), "GAME", None)
            if isinstance(rules, Game):
                yield rules


def _plugged_in() -> Iterator[AnyGame]:
    for entry in entry_points(group="ludotheque.games"):
        try:
            rules = entry.load()
        except Exception as error:  # noqa: BLE001 - whatever a plug-in raises while it is imported
            _warn(entry, f"cannot be loaded ({type(error).__name__}: {error})")
            continue
        if isinstance(rules, Game):
            yield rules
        else:
            _warn(entry, "is not a ludotheque.game.Game")


def _warn(entry: EntryPoint, problem: str) -> None:
    warnings.warn(f"left out: the entry point {entry.name} = {entry.value} {problem}", RuntimeWarning, stacklevel=2)
