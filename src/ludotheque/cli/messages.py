"""What the command prints: sentences in the chosen language, and errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console
from rich.markup import escape

from ludotheque import Match, move_words, words
from ludotheque.errors import LudothequeError

LOCALE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first one set decides
NO_WORDS = (KeyError, FileNotFoundError)  # a plug-in may come without a sentence, or without a page


class CommandError(Exception):
    """A command that cannot be executed as given: the name of its sentence, its values, and the exit status."""

    def __init__(self, *names: str, code: int = 2, **values: object) -> None:
        super().__init__(*names)
        self.names = names
        self.code = code
        self.values = values


class Markup(str):
    """A text that is Rich markup already."""

    __slots__ = ()


@dataclass(frozen=True)
class Messages:
    """The sentences of the command in one language, as Rich markup."""

    lang: str

    def __call__(self, *names: str, **values: object) -> Markup:
        """The sentence of this name in table [cli], values filled in."""
        return Markup(words.say(None, self.lang, "cli", *names, **self._shown(values)))

    def of(self, stem: str, *names: str, **values: str) -> Markup | None:
        """A sentence of a game's page, if it has one."""
        try:
            return plain(words.say(stem, self.lang, *names, **values))
        except NO_WORDS:
            return None

    def fact(self, stem: str, name: str) -> Markup:
        """One of the facts at the head of a game's page, or a dash."""
        return plain(str(self.page(stem).get(name, "–")))

    def page(self, stem: str) -> words.Table:
        """The head of a game's page; empty if it has none."""
        try:
            return words.page(stem, self.lang)
        except FileNotFoundError:
            return {}

    def written(self, match: Match, text: str) -> str:
        """A move text as it is written in this language."""
        return move_words.written(match.game.stem, text, self.lang)

    def refusal(self, stem: str | None, error: LudothequeError) -> Markup:
        """Why the library refused, in this language if it has the words."""
        values = {name: self._quotes(str(value)) for name, value in error.values.items()}
        if stem and "example" in values:
            values["example"] = move_words.written(stem, values["example"], self.lang)
        try:
            return plain(words.say(stem, self.lang, "refusals", error.code, **values))
        except NO_WORDS:
            return plain(error.reason)

    def _shown(self, values: Mapping[str, object]) -> dict[str, str]:
        return {
            name: value if isinstance(value, Markup) else plain(self._quotes(str(value)))
            for name, value in values.items()
        }

    def _quotes(self, text: str) -> str:
        quotes = (words.say(None, self.lang, "language", name) for name in ("open-quote", "close-quote"))
        return text.translate(dict(zip(map(ord, "“”"), quotes, strict=True)))


def plain(text: str) -> Markup:
    """A text shown as it is."""
    return Markup(escape(text))


def chosen_language(args: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language of `--lang`, wherever it stands, else that of the locale, else the default."""
    asked = [word.removeprefix("--lang=") for word in args if word.startswith("--lang=")]
    asked += [value for option, value in pairwise(args) if option == "--lang"]
    locale = next((environment[name] for name in LOCALE_VARIABLES if environment.get(name)), "")
    for lang in (*asked, locale[:2]):
        if lang.lower() in words.LANGUAGES:
            return lang.lower()
    return words.DEFAULT_LANGUAGE


def out() -> Console:
    """Standard output."""
    return Console(highlight=False, emoji=False)


def err() -> Console:
    """Standard error: errors and progress."""
    return Console(highlight=False, emoji=False, stderr=True)
