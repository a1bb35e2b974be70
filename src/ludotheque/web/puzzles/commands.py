"""What a solver can ask for on the page of a puzzle: one function a command, by the name the page sends."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from ludotheque import words
from ludotheque.errors import LudothequeError
from ludotheque.puzzles.human import pencil
from ludotheque.puzzles.human.hints import STRENGTHS
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec
from ludotheque.web import inputs
from ludotheque.web.puzzles import attempts
from ludotheque.web.puzzles.maker import PuzzleNotReady
from ludotheque.web.puzzles.worker import PageHint
from ludotheque.web.refusals import Refused
from ludotheque.web.words import language, refusal

Message: TypeAlias = Mapping[str, object]

MAX_MARKS_CHARS = 8000  # more than all pencil marks of a board


@dataclass(frozen=True)
class Answer:
    """What came of a command: a hint or a check, a question to confirm, or the reason of a refusal and its code."""

    hint: PageHint | None = None
    asking: bool = False
    mistake: str = ""
    code: str = ""


NOTHING_TO_SAY = Answer()
Command: TypeAlias = Callable[[str, PuzzleSpec, Message], Answer]


def execute(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
    """Do what a message asks for; a refusal is an answer too."""
    try:
        return _command(message)(visitor, puzzle, message)
    except PuzzleNotReady:
        return Answer(mistake=refusal(Refused("making"), language()), code="making")
    except LudothequeError as error:
        return Answer(mistake=refusal(error, language(), puzzle.match().game.stem), code=error.code)


def _command(message: Message) -> Command:
    name = message.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        raise Refused("bad-message")
    return COMMANDS[name]


def _spent(message: Message) -> float | None:
    """The seconds on the page's clock, if it has one."""
    spent = message.get("spent")
    return float(spent) if isinstance(spent, int | float) and not isinstance(spent, bool) and spent >= 0 else None


def _version(message: Message) -> int:
    return inputs.number(message.get("version"))


def _move(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
    text = message.get("move")
    wanted = text.strip()[: inputs.MAX_TEXT_CHARS] if isinstance(text, str) else ""
    attempts.move(visitor, puzzle, wanted, _version(message), _spent(message))
    return NOTHING_TO_SAY


def _plain(action: Callable[[str, PuzzleSpec, int, float | None], None]) -> Command:
    def command(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
        action(visitor, puzzle, _version(message), _spent(message))
        return NOTHING_TO_SAY

    return command


def _hint(strength: int | None) -> Command:
    """A hint of this strength, or the next one."""

    def command(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
        return Answer(attempts.hint(visitor, puzzle, strength, language(), _version(message), _spent(message)))

    return command


def _mark(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
    marks = _marks(puzzle, message)
    there = attempts.mark(visitor, puzzle, marks, _version(message), _spent(message))
    name, shown = "marked" if there else "unmarked", ", ".join(marks)
    return Answer(PageHint(name, words.say(None, language(), "puzzles", "hints", name, marks=shown)))


def _note(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
    attempts.note(visitor, puzzle, _marks(puzzle, message), _version(message), _spent(message))
    return NOTHING_TO_SAY


def _marks(puzzle: PuzzleSpec, message: Message) -> list[str]:
    text = message.get("marks")
    return pencil.read(kind(puzzle.key), text[:MAX_MARKS_CHARS] if isinstance(text, str) else "")


def _check(visitor: str, puzzle: PuzzleSpec, _message: Message) -> Answer:
    return Answer(attempts.check(visitor, puzzle, language()))


def _solution(visitor: str, puzzle: PuzzleSpec, message: Message) -> Answer:
    """Asks first."""
    if message.get("sure") != "yes":
        return Answer(asking=True)
    attempts.give_up(visitor, puzzle, _version(message), _spent(message))
    return NOTHING_TO_SAY


COMMANDS: dict[str, Command] = {
    "move": _move,
    "undo": _plain(attempts.undo),
    "redo": _plain(attempts.redo),
    "again": _plain(attempts.again),
    "pause": _plain(attempts.pause),
    "hint": _hint(None),
    **{name: _hint(strength) for name, strength in STRENGTHS.items()},
    "mark": _mark,
    "note": _note,
    "check": _check,
    "solution": _solution,
}
