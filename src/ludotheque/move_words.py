"""Moves in the players' language: as they are written, as they are told of, and as a button offers them.

Records, the Python interface and the wire have the texts of `Game.texts`: `cut 3`. Four tables of a game's page put
moves into words:

- [notation] has the words within move texts: `cut = "couper"` makes `cut 3` read `couper 3`. A word stands for one
  word, so that what was typed can be read back, in any language.
- [steps] has the sentence of each kind of move, as `Game.tell` names them: `cut = "{owner} cuts along line {cut}."`
- [labels] has what a button says that makes the move: `cut = "Cut along line {cut}"`.
- [setup] has the parts of the one line that sums up a set-up: `block = "{count} blockers on {cell}"`, and `"block.1"`
  for a single one.

A game without such words, as a plug-in may be, goes by the texts themselves.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import TypeAlias
from unicodedata import combining, normalize

from ludotheque import words
from ludotheque.game import AnyGame, Telling

WORD = re.compile(r"[^\W\d_]{2,}")  # a letter alone is a cell's, a piece's or a type's

NameOf: TypeAlias = Callable[[int], str]
"""What whoever has a role is called."""


@lru_cache(50_000)
def written(stem: str, text: str, lang: str) -> str:
    """A move text as it is written in this language."""
    meanings = _table(stem, lang, "notation")
    return WORD.sub(lambda word: meanings.get(word[0], word[0]), text) if meanings else text


def read(stem: str, typed: str) -> str:
    """The move text that was typed in any language; case, accents and the number of spaces do not matter."""
    meanings = _meanings(stem)
    return " ".join(WORD.sub(lambda word: meanings.get(_folded(word[0]), word[0]), typed).split())


def understood(game: AnyGame, typed: str) -> str:
    """The move that somebody typed in their own language; as it was typed if that is no move in any."""
    if typed in game.numbers:
        return typed
    text = read(game.stem, typed)
    return text if text in game.numbers else typed


def sentence(stem: str, lang: str, told: Telling, seat: str, name_of: NameOf) -> str | None:
    """What somebody called `seat` has done; None if there are no words for it."""
    found = _table(stem, lang, "steps").get(told.sentence)
    return None if found is None else found.format(seat=seat, **_values(told, name_of))


@lru_cache(50_000)
def label(stem: str, lang: str, told: Telling) -> str:
    """What a button says that makes this move; empty if there are no words for it."""
    found = _table(stem, lang, "labels").get(told.sentence, "")
    return found.format(**dict(told.values)) if found else ""


def setup(stem: str, lang: str, told: Iterable[Telling]) -> str:
    """A whole set-up in one line: each kind of move once, with how many there were and what they name."""
    kinds: dict[str, list[Telling]] = {}
    for each in told:
        kinds.setdefault(each.sentence, []).append(each)
    parts = [part for kind, tellings in kinds.items() if (part := _summary(stem, lang, kind, tellings))]
    return words.say(None, lang, "web", "setup", parts=", ".join(parts))


def _summary(stem: str, lang: str, kind: str, told: list[Telling]) -> str:
    table = _table(stem, lang, "setup")
    found = table.get(f"{kind}.{len(told)}") or table.get(kind, "")
    named = {name: ", ".join(dict(each.values)[name] for each in told) for name, _ in told[0].values}
    return found.format(count=len(told), **named)


def _values(told: Telling, name_of: NameOf) -> dict[str, str]:
    return {
        name.removeprefix("seat:"): name_of(int(value)) if name.startswith("seat:") else value
        for name, value in told.values
    }


@cache
def _meanings(stem: str) -> dict[str, str]:
    """The English word of move texts that each word stands for, in every language."""
    return {
        _folded(word): name for lang in words.LANGUAGES for name, word in _table(stem, lang, "notation").items()
    } | {name: name for name in _table(stem, words.DEFAULT_LANGUAGE, "notation")}


def _folded(word: str) -> str:
    """Without case and accents."""
    return "".join(mark for mark in normalize("NFKD", word.casefold()) if not combining(mark))


@cache
def _table(stem: str, lang: str, name: str) -> dict[str, str]:
    try:
        found = words.page(stem, lang).get(name)
    except FileNotFoundError:
        return {}
    return {key: text for key, text in found.items() if isinstance(text, str)} if isinstance(found, dict) else {}
