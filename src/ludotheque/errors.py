"""The exceptions of the library: each has a stable code and a sentence for whoever can act on it."""

from collections.abc import Mapping


class LudothequeError(ValueError):
    """Any refusal of the library; nothing has changed when it is raised.

    Code and values are enough to say the sentence in another language.
    """

    def __init__(self, reason: str, code: str = "refused", values: Mapping[str, object] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason  #: the sentence, in English
        self.code = code  #: the name of the sentence in `words/`, which stays the same from version to version
        self.values = dict(values or {})  #: what the sentence names

    def __reduce__(self) -> tuple[type["LudothequeError"], tuple[str, str, dict[str, object]]]:
        return type(self), (self.reason, self.code, self.values)


class IllegalMove(LudothequeError):  # noqa: N818 - the name other programs rely on
    """A move that may not be played, and why."""


class UndoRefused(LudothequeError):  # noqa: N818 - reads as what happened
    """A move that may not be taken back, and why."""


class UnknownGame(LudothequeError):  # noqa: N818
    """No game of this name is on the shelf."""


class BadOption(LudothequeError):  # noqa: N818
    """An option, or a number of seats, that the game does not have."""


class BadRecord(LudothequeError):  # noqa: N818
    """A record that is damaged, forged or of another version."""


class MissingExtra(LudothequeError, ImportError):  # noqa: N818
    """A package that is not installed, since it belongs to an extra (`extras.py`)."""


def quoted(value: object) -> str:
    """Any value, safe to quote in a sentence: one line, no control characters, at most 40 characters."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except ValueError:  # a number too long to be written
        text = f"a {type(value).__name__}"
    clean = "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text[:41])
    return f"“{clean[:40]}…”" if len(clean) > 40 else f"“{clean}”"
