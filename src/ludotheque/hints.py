"""A computer player's hint, and the words for it: the same in the terminal and on the page.

The sentences are in `words/`, under [search.thought].
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludotheque import words

if TYPE_CHECKING:
    from ludotheque.search.players import Thought

SURE = 0.9  # how likely the move must be the best of all for a hint to say so
MIN_SHARE = 0.05  # of a mix: choices that are rarer are not named


@dataclass(frozen=True)
class MoveHint:
    """What a strong player would do at a seat, seeing what it sees. No move means that it would say nothing now."""

    move: str | None
    expected: float | None
    """What the seat can hope for, from 0 (all lost) to 1 (all won); None if nobody had to think about it."""

    sure: bool
    proven: bool
    mix: tuple[tuple[str, float], ...] = ()
    """For a choice in secret: how likely each move should be made."""

    line: tuple[str, ...] = ()
    """Moves that may follow."""

    @classmethod
    def of(cls, thought: "Thought", role: int, *, sealed: bool, ahead: int = 0) -> "MoveHint":
        """The hint in a thought, for the role that thought, with so many of the moves that may follow."""
        return cls(
            thought.move,
            thought.expected[role] if thought.expected else None,
            thought.sure > SURE,
            thought.proven,
            tuple((each.move, each.attention) for each in thought.candidates if each.attention > MIN_SHARE)
            if sealed
            else (),
            tuple(text for _, text in thought.line[1 : 1 + ahead]),
        )

    @classmethod
    def read(cls, given: dict[str, Any]) -> "MoveHint":
        """From JSON, as `dataclasses.asdict` writes it."""
        mix = tuple((move, share) for move, share in given["mix"])
        return cls(**given | {"mix": mix, "line": tuple(given["line"])})

    def say(self, lang: str) -> str:
        """The hint in words, which always name the move if there is one."""
        if self.move is None:
            return _say(lang, "wait")
        if len(self.mix) > 1:
            return _say(lang, "mixed", mix=", ".join(f"{move} ({round(share * 100)} %)" for move, share in self.mix))
        parts = [self._move(self.move, lang)]
        if self.proven:
            parts.append(_say(lang, "proven"))
        elif self.expected is not None:
            parts.append(_say(lang, "sure" if self.sure else "unsure"))
        if self.line:
            parts.append(_say(lang, "line", line=", ".join(self.line)))
        return " ".join(parts)

    def _move(self, move: str, lang: str) -> str:
        if self.expected is None:
            return _say(lang, "only", move=move)
        return _say(lang, "best", move=move, expected=round(self.expected * 100))


def _say(lang: str, name: str, **values: object) -> str:
    return words.say(None, lang, "search", "thought", name, **values)
