"""A game learned by playing it: a few positions, each with a task, and an answer to every move one may try.

A lesson is data. `words/positions/STEM.toml` has its steps, once for all languages, in tables `[[lesson]]`:

    name = "corridor"               # of its sentences
    position = "two-holes"          # one of the positions in the same file
    seat = 1                        # who is asked; else the first to act
    right = ["a1-b1-c1"]            # any of these is right; * and ? stand for any signs
    then = ["d1-d2-d3"]             # what others, or luck, do next
    wrong = [{ name = "too-early", moves = ["e5-*"] }, { name = "full", moves = ["d4"], refused = "occupied" }]

`words/LANG/STEM.toml` has the sentences: `[corridor]` with `say` (what to see and what to do), `right`, and one named
after each wrong answer. Where patterns of both fit the move is wrong, unless `right` spells it out. A legal move that
is neither gets `other`, or the sentence that all lessons share; a refused one the sentence of its refusal.

Terminal and web walk through the same steps, so `say` names neither keys nor fingers. How to do it by hand is told by
`hand` of the step, else by `[hand]` of the lesson, which goes by phases; a terminal shows how a move is written.

`[tips.phases]` and `[tips.steps]` in the same file are for a first game: what to tell when that phase or step comes
up for the first time. Their names are those of the tables at the head of `STEM.md`.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, NamedTuple, TypeAlias

from ludotheque import words
from ludotheque.errors import IllegalMove
from ludotheque.game import AnyGame
from ludotheque.match import Match
from ludotheque.pictures.output import diagrams

HAND, TIPS = "hand", "tips"  # tables beside those of the steps
TIP_KINDS = ("phases", "steps")
Verdict: TypeAlias = Literal["right", "wrong", "other", "refused"]


class Wrong(NamedTuple):
    """A wrong answer that has a sentence of its own; `refused` is the code of the refusal if it is not even legal."""

    name: str  #: of its sentence
    moves: tuple[str, ...]  #: patterns of move texts
    refused: str  #: the code of the refusal; empty if these moves are legal


class Answer(NamedTuple):
    """What the lesson says to a move; after the right one the match is how it goes on."""

    verdict: Verdict  #: what kind of answer it was
    sentence: str  #: what to tell the learner
    match: Match  #: the match after the move, and after what others do next if it was right


@dataclass(frozen=True)
class Task:
    """One step of a lesson."""

    game: AnyGame  #: the game that is learned
    name: str  #: of its sentences
    position: str  #: the name of the position in `words/positions/STEM.toml`
    seat: int  #: who is asked
    right: tuple[str, ...]  #: patterns of the right moves
    wrong: tuple[Wrong, ...]  #: wrong answers that have a sentence of their own
    then: tuple[str, ...]  #: what others, or luck, do after the right move

    def match(self) -> Match:
        """The position, ready for the move."""
        return diagrams.position(self.game, self.position)[0]

    def say(self, lang: str) -> str:
        """What there is to see and to do."""
        return self._sentence(lang, "say")

    def hand(self, lang: str) -> str:
        """How to do it by hand, on the picture."""
        match, lesson = self.match(), words.lesson(self.game.stem, lang)
        phase = self.game.phase(match.seen(self.seat), match.role(self.seat))
        return (
            _text(lesson.get(self.name), HAND)
            or _text(lesson.get(HAND), phase)
            or words.say(None, lang, "lesson", HAND)
        )

    def example(self) -> str:
        """How a move is written here: one that gives nothing away, if there is one."""
        legal, solutions = self.match().moves(self.seat), self.solutions()
        return next((text for text in reversed(legal) if text not in solutions), legal[-1])

    def answer(self, text: str, lang: str) -> Answer:
        """Try a move."""
        match = self.match()
        group = self._wrong_group(text)
        try:
            match.play(self.seat, text)
        except IllegalMove as error:
            said = self._sentence(lang, group.name) if group else _refusal(self.game, error, lang)
            return Answer("refused", said, match)
        if group:
            return Answer("wrong", self._sentence(lang, group.name), match)
        if not _fits(text, self.right):
            return Answer("other", self._sentence(lang, "other"), match)
        for move in self.then:
            diagrams.play(match, move)
        return Answer("right", self._sentence(lang, "right"), match)

    def solutions(self) -> list[str]:
        """The legal moves that are right, in the game's order."""
        legal = self.match().moves(self.seat)
        return [text for text in legal if _fits(text, self.right) and not self._wrong_group(text)]

    def _wrong_group(self, text: str) -> Wrong | None:
        """The wrong answers that a move is one of; a move that `right` spells out is none."""
        return None if text in self.right else next((each for each in self.wrong if _fits(text, each.moves)), None)

    def _sentence(self, lang: str, name: str) -> str:
        said = _text(words.lesson(self.game.stem, lang).get(self.name), name)
        if not said and name == "other":
            return words.say(None, lang, "lesson", "other")
        if not said:
            raise KeyError(f"no words for {self.name}.{name} in {lang}/{self.game.stem}.toml")
        return said


def tasks(game: AnyGame) -> tuple[Task, ...]:
    """The steps of a game's lesson, in order; none if nobody has written one."""
    steps = words.positions(game.stem).get("lesson", [])
    assert isinstance(steps, list)
    return tuple(_task(game, step) for step in steps if isinstance(step, dict))


def tips(game: AnyGame, lang: str) -> dict[str, dict[str, str]]:
    """What to tell in a first game, by phase and step; nothing where nobody has written any."""
    table = words.lesson(game.stem, lang).get(TIPS)
    found = {kind: table.get(kind, {}) if isinstance(table, dict) else {} for kind in TIP_KINDS}
    return {
        kind: {name: str(sentence) for name, sentence in told.items()} if isinstance(told, dict) else {}
        for kind, told in found.items()
    }


def _task(game: AnyGame, step: words.Table) -> Task:
    position = str(step["position"])
    seat = step.get("seat")
    return Task(
        game,
        str(step["name"]),
        position,
        seat if isinstance(seat, int) else _first(game, position),
        _texts(step["right"]),
        tuple(_wrong(group) for group in _tables(step.get("wrong", []))),
        _texts(step.get("then", [])),
    )


def _first(game: AnyGame, position: str) -> int:
    seat = diagrams.position(game, position)[0].to_act[0]
    if not isinstance(seat, int):
        raise ValueError(f"luck is to act in {position} of {game.key}")  # noqa: TRY004 - a fault in the data
    return seat


def _wrong(group: words.Table) -> Wrong:
    return Wrong(str(group["name"]), _texts(group["moves"]), str(group.get("refused", "")))


def _tables(found: object) -> list[words.Table]:
    return [table for table in found if isinstance(table, dict)] if isinstance(found, list) else []


def _texts(found: object) -> tuple[str, ...]:
    return tuple(str(text) for text in found) if isinstance(found, list) else ()


def _text(table: object, name: str) -> str:
    found = table.get(name) if isinstance(table, dict) else None
    return found if isinstance(found, str) else ""


def _fits(text: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


def _refusal(game: AnyGame, error: IllegalMove, lang: str) -> str:
    return words.say(game.stem, lang, "refusals", error.code, **error.values)
