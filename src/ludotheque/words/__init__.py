"""All texts that people read, by language: one page a game, `LANG/STEM.md`, and `LANG/site.toml` for the rest.

A page opens with a TOML block between two `+++` lines (names, credits, refusals, phases, …) and goes on with the
rules in Markdown. Beside it, `LANG/STEM.toml` has the sentences of the game's lesson; `positions/STEM.toml`, one for
all languages, the positions that rules and lesson show and the moves the lesson asks for. All of it is data. This
module imports no other of the package, so any module may import it.
"""

import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypeAlias

LANGUAGES = ("en", "fr")  # each has a folder here; the first is that of refusals and of whoever asks for no other
DEFAULT_LANGUAGE = LANGUAGES[0]

Table: TypeAlias = "dict[str, str | int | list[str] | list[Table] | Table]"


@cache
def site(lang: str) -> Table:
    """The sentences that belong to no game: of the site, the command, the puzzles, the computer players."""
    return tomllib.loads((files(__name__) / lang / "site.toml").read_text(encoding="utf-8"))


@cache
def page(stem: str, lang: str) -> Table:
    """The facts and sentences at the head of a game's page."""
    head = _parts(stem, lang)[0]
    try:
        return tomllib.loads(head)
    except tomllib.TOMLDecodeError as error:  # which names no file
        raise ValueError(f"{_page(stem, lang)}: {error}, counted from the first +++") from error


@cache
def has_page(stem: str, lang: str) -> bool:
    """Whether a game has a page of words: those of another package may still be without."""
    return _page(stem, lang).is_file()


@cache
def rules(stem: str, lang: str) -> str:
    """The rules of a game, in Markdown."""
    return _parts(stem, lang)[1]


@cache
def positions(stem: str) -> Table:
    """The positions that the rules and the lesson of a game show, and under `lesson` what it asks; empty if none."""
    return _data(stem, f"positions/{stem}.toml")


@cache
def lesson(stem: str, lang: str) -> Table:
    """The sentences of a game's lesson; empty if it has none."""
    return _data(stem, f"{lang}/{stem}.toml")


def say(stem: str | None, lang: str, *names: str, **values: object) -> str:
    """A sentence by its name, from the game's page or, if it has none, from `site.toml`; {values} filled in."""
    return _sentence(stem, lang, names).format(**values)


def in_every_language(*names: str) -> str:
    """A sentence of the site in all languages, for whoever cannot be asked for theirs."""
    return " / ".join(say(None, lang, *names) for lang in LANGUAGES)


@cache
def _sentence(stem: str | None, lang: str, names: tuple[str, ...]) -> str:
    sentence = _find(page(stem, lang), names) if stem and has_page(stem, lang) else None
    if sentence is None:
        sentence = _find(site(lang), names)
    if sentence is None:
        raise KeyError(f"no words for {'.'.join(names)} in {lang}/{stem or 'site'}")
    return sentence


def _find(table: Table, names: tuple[str, ...]) -> str | None:
    found: str | int | list[str] | list[Table] | Table | None = table
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, str) else None


def _parts(stem: str, lang: str) -> tuple[str, str]:
    parts = _page(stem, lang).read_text(encoding="utf-8").split("+++\n", 2)
    if len(parts) != 3:
        raise ValueError(f"{_page(stem, lang)}: a page of words opens with TOML between two lines of +++")
    return parts[1], parts[2]


def _page(stem: str, lang: str) -> Traversable:
    return _package(stem) / lang / f"{stem}.md"


def _data(stem: str, path: str) -> Table:
    file = _package(stem).joinpath(*path.split("/"))
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _package(stem: str) -> Traversable:
    """The package with the pages of a game: ours, or that of a plug-in (entry point group `ludotheque.words`)."""
    ours = files(__name__)
    if not (ours / DEFAULT_LANGUAGE / f"{stem}.md").is_file():
        for entry in entry_points(group="ludotheque.words"):
            if entry.name.replace("-", "_") == stem:
                return files(entry.value)
    return ours
