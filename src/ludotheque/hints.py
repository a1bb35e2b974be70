"""A computer player's hint, and the words for it: the same in the terminal and on the page.

A hint names a move and says why: what it gains and what it prevents, as far as the rules prove it. The sentences are
in `words/`: those of the hint under [search.thought], those of reasons under [reasons] (`search/reasons`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludotheque import move_words, words
from ludotheque.game import AnyGame
from ludotheque.search.reasons import Position, Reason, Witnessed, find

if TYPE_CHECKING:
    from ludotheque.search.players import Thought

SURE = 0.9  # how likely the move must be the best of all for a hint to say so
CLOSE = 0.03  # another move that promises this much less is about as good
MIN_SHARE = 0.05  # of a mix: choices that are rarer are not named


@dataclass(frozen=True)
class MoveHint:
    """What a strong player would do at a seat, seeing what it sees. No move means that it would say nothing now."""

    move: str | None  #: its text in the rules
    expected: float | None
    """What the seat can hope for, from 0 (all lost) to 1 (all won); None if nobody had to think about it."""

    sure: bool  #: whether the move is very likely the best
    proven: bool  #: whether what the seat can expect is certain if all play well
    mix: tuple[tuple[str, float], ...] = ()
    """For a choice in secret: how likely each move should be made."""

    line: tuple[str, ...] = ()
    """Moves that may follow."""

    stem: str = ""
    """The game's."""

    seats: int = 0
    """How many play."""

    reasons: tuple[Reason, ...] = ()  #: why, as far as the rules prove it, the strongest first
    second: str | None = None
    """The move that is next best, and whether it is about as good."""

    close: bool = False  #: whether the second move is about as good

    @classmethod
    def of(
        cls,
        thought: "Thought",
        game: AnyGame,
        view: Position,
        witnessed: Witnessed,
        role: int,
        *,
        seats: int,
        banked: tuple[int, ...] = (),
        left: int = 0,
        ahead: int = 0,
    ) -> "MoveHint":
        """The hint in a thought, for the role that thought from this view, with so many moves that may follow."""
        expected = {each.move: each.expected for each in thought.candidates}
        second = next((move for move in expected if move != thought.move), None)
        best = expected.get(thought.move or "")
        sealed = game.sealed(view) >> role & 1
        return cls(
            thought.move,
            thought.expected[role] if thought.expected else None,
            thought.sure > SURE,
            thought.proven,
            tuple((each.move, each.attention) for each in thought.candidates if each.attention > MIN_SHARE)
            if sealed
            else (),
            tuple(text for _, text in thought.line[1 : 1 + ahead]),
            game.stem,
            seats,
            find(game, view, witnessed, role, thought.move, banked=banked, left=left),
            second,
            second is not None and best is not None and best - expected[second] < CLOSE,
        )

    @classmethod
    def read(cls, given: dict[str, Any]) -> "MoveHint":
        """From JSON, as `dataclasses.asdict` writes it."""
        mix = tuple((move, share) for move, share in given["mix"])
        reasons = tuple(
            Reason(name, strength, tuple((key, value) for key, value in values))
            for name, strength, values in given["reasons"]
        )
        return cls(**given | {"mix": mix, "line": tuple(given["line"]), "reasons": reasons})

    def say(self, lang: str, names: Sequence[str] = ()) -> str:
        """The hint in words, which always name the move if there is one; `names` are the players', by role."""
        if self.move is None:
            return " ".join([_say(lang, "wait"), *self.why(lang, names)])
        parts = [_say(lang, "best", move=self._named(self.move, lang)), *self.why(lang, names)]
        if len(self.mix) > 1:
            mix = ", ".join(f"{self._named(move, lang)} ({round(share * 100)} %)" for move, share in self.mix)
            parts.append(_say(lang, "mixed", mix=mix))
        elif self.expected is not None:
            parts.append(self._confidence(lang))
        if self.line:
            parts.append(_say(lang, "line", line=", ".join(self._named(move, lang) for move in self.line)))
        return " ".join(parts)

    def why(self, lang: str, names: Sequence[str] = ()) -> list[str]:
        """The reasons in words. If the rules prove none, how the move compares with the next best."""
        told = [self._reason(reason, lang, names) for reason in self.reasons]
        if told or self.second is None:
            return told
        return [_say(lang, "as-good" if self.close else "better", second=self._named(self.second, lang))]

    def _confidence(self, lang: str) -> str:
        assert self.expected is not None
        name = "proven" if self.proven else "sure" if self.sure else "unsure"
        return _say(lang, name, expected=round(self.expected * 100))

    def _reason(self, reason: Reason, lang: str, names: Sequence[str]) -> str:
        values: dict[str, object] = {}
        for name, value in reason.values:
            is_seat = name.startswith("seat:")
            values[name.removeprefix("seat:")] = self._player(int(value), lang, names) if is_seat else value
        form = ".one" if values.get("number") == 1 else ""
        try:
            return words.say(self.stem, lang, "reasons", reason.name + form, **values)
        except KeyError:  # the sentence has no form of its own for one
            return words.say(self.stem, lang, "reasons", reason.name, **values)

    def _player(self, role: int, lang: str, names: Sequence[str]) -> str:
        """A player as others call them, else as the rules call the role; some have another name when fewer play."""
        if role < len(names):
            return names[role]
        seats = words.page(self.stem, lang)["seats"]
        assert isinstance(seats, dict)
        return str(seats.get(f"{self.seats}.{role}") or seats[str(role)])

    def _named(self, move: str, lang: str) -> str:
        """A move as a hint names it."""
        return move_words.written(self.stem, move, lang)


def _say(lang: str, name: str, **values: object) -> str:
    return words.say(None, lang, "search", "thought", name, **values)
