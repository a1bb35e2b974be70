"""How the command speaks: the language it is spoken to in, its sentences, and what it complains of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.console import Console
from rich.markup import escape

from ludotheque import words
from ludotheque.errors import LudothequeError

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first one set decides
NO_WORDS = (KeyError, FileNotFoundError)  # a plug-in may come without a sentence, or without a page


class Complaint(Exception):  # noqa: N818 - what it is, not what class it has
    """A command that cannot be done as asked: the name of a sentence, and what to fill in."""

    def __init__(self, *names: str, code: int = 2, **values: object) -> None:
        super().__init__(*names)
        self.names = names
        self.code = code
        self.values = values


class Markup(str):
    """A text that is Rich markup already."""

    __slots__ = ()


@dataclass(frozen=True)
class Voice:
    """The house's sentences in one language, as Rich markup."""

    lang: str

    def __call__(self, *names: str, **values: object) -> Markup:
        """The house's own sentence of this name, values filled in."""
        return Markup(words.say(None, self.lang, "cli", *names, **self._shown(values)))

    def of(self, stem: str, *names: str) -> Markup | None:
        """A sentence of a game's page, if it has one."""
        try:
            return plain(words.say(stem, self.lang, *names))
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

    def refusal(self, stem: str | None, error: LudothequeError) -> Markup:
        """Why the library refused, in this language if it has the words."""
        values = {name: self._quotes(str(value)) for name, value in error.values.items()}
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


def spoken(args: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language to speak: that of `--lang`, wherever it stands, else the locale's, else the default."""
    asked = [word.removeprefix("--lang=") for word in args if word.startswith("--lang=")]
    asked += [value for option, value in pairwise(args) if option == "--lang"]
    locale = next((environment[name] for name in LOCALE if environment.get(name)), "")
    for wish in (*asked, locale[:2]):
        if wish.lower() in words.LANGUAGES:
            return wish.lower()
    return words.DEFAULT_LANGUAGE


def out() -> Console:
    """Where answers go."""
    return Console(highlight=False, emoji=False)


def err() -> Console:
    """Where complaints and progress go."""
    return Console(highlight=False, emoji=False, stderr=True)
