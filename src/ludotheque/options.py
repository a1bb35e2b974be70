"""The kinds of options a game can have: each validates a value, parses text, and says what it accepts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ludotheque.errors import BadOption, quoted

Value: TypeAlias = bool | int | str | tuple[str, ...]


@dataclass(frozen=True)
class _Option(ABC):
    name: str
    """Of the keyword argument, and of its sentence under [options]."""

    def _refuse(self, value: object) -> BadOption:
        return BadOption(f"{self.name} is {self.accepts}, not {quoted(value)}.", "bad-option")

    @property
    @abstractmethod
    def accepts(self) -> str:
        """The values it takes, in words."""

    @abstractmethod
    def check(self, value: object) -> "Value":
        """The value as the rules get it; one that the option does not take raises `BadOption`."""

    @abstractmethod
    def read(self, text: str) -> "Value":
        """The value that somebody typed, checked."""


@dataclass(frozen=True)
class Flag(_Option):
    """Yes or no."""

    default: bool = False  #: the value where nobody gives one

    @property
    def accepts(self) -> str:
        return "true or false"

    def check(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise self._refuse(value)
        return value

    def read(self, text: str) -> bool:
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return self.check(words.get(text.strip().lower(), text))


@dataclass(frozen=True)
class Choice(_Option):
    """One word of several; the first is the default."""

    words: tuple[str, ...]  #: the values it takes

    @property
    def default(self) -> str:
        """The value where nobody gives one."""
        return self.words[0]

    @property
    def accepts(self) -> str:
        return " or ".join(f"“{word}”" for word in self.words)

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise self._refuse(value)
        return value

    def read(self, text: str) -> str:
        return self.check(text.strip())


@dataclass(frozen=True)
class Number(_Option):
    """A whole number between two others."""

    default: int  #: the value where nobody gives one
    least: int  #: the smallest value it takes
    most: int  #: the greatest value it takes

    @property
    def accepts(self) -> str:
        return f"a whole number from {self.least} to {self.most}"

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise self._refuse(value)
        return value

    def read(self, text: str) -> int:
        plain = text.strip()
        return self.check(int(plain) if plain.isdecimal() and len(plain) < 10 else text)


@dataclass(frozen=True)
class Cells(_Option):
    """Different cells of the board, in any order."""

    default: tuple[str, ...]  #: the value where nobody gives one
    board: tuple[str, ...]  #: all cells there are, in the order in which values name them
    least: int  #: the fewest cells it takes
    most: int  #: the most cells it takes

    @property
    def accepts(self) -> str:
        number = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{number} different cells from {self.board[0]} to {self.board[-1]}"

    def check(self, value: object) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > len(self.board):
            raise self._refuse(value)
        found = {cell for cell in value if isinstance(cell, str) and cell in self.board}
        if len(found) != len(value) or not self.least <= len(found) <= self.most:
            raise self._refuse(list(value))
        return tuple(cell for cell in self.board if cell in found)

    def read(self, text: str) -> tuple[str, ...]:
        return self.check(text.replace("-", " ").replace(",", " ").split())


Option: TypeAlias = Flag | Choice | Number | Cells
