"""`ludotheque puzzle`, and what a solitaire offers at the table: check, hint, solution, redo, time and praise."""

import time
from datetime import date
from random import Random
from typing import Annotated

import typer
from rich.text import Text

from ludotheque import Match, words
from ludotheque.board.square import CELLS
from ludotheque.cli.keyboard import Answer, Keyboard
from ludotheque.cli.options import Lang
from ludotheque.cli.session import Session
from ludotheque.cli.speech import Complaint, Markup, Voice, plain
from ludotheque.errors import BadOption, quoted
from ludotheque.match import Actor
from ludotheque.pictures.outlines import EMPTY, Look, outlined
from ludotheque.pictures.picture import draw
from ludotheque.puzzles.human.praise import praise
from ludotheque.puzzles.making.names import KEYS

FEW = 6  # moves named in a hint

Id = Annotated[str, typer.Argument(metavar="ID")]
Day = Annotated[str | None, typer.Option("--day", metavar="YYYY-MM-DD")]


def puzzle(context: typer.Context, *, name: Id, day: Day = None, _lang: Lang = None) -> None:
    from ludotheque.puzzles.making import puzzles  # noqa: PLC0415 - numba takes long to import

    voice: Voice = context.obj
    try:
        found = puzzles.of_the_day(name, _date(day)) if name in KEYS else puzzles.puzzle(name)
    except BadOption:
        raise Complaint("wrong", "puzzle", id=quoted(name)) from None
    session = PuzzleSession(voice, found.match(draw), {0}, Random())
    session.say(Markup(f"[dim]{plain(' · '.join(filter(None, (found.seed, found.description))))}[/]"))
    session.run()


def _date(day: str | None) -> date:
    try:
        return date.today() if day is None else date.fromisoformat(day)  # noqa: DTZ011 - the player's own day
    except ValueError:
        raise Complaint("wrong", "day", day=quoted(day)) from None


class PuzzleKeyboard(Keyboard):
    """The keyboard of someone who solves a puzzle."""

    def __init__(self, voice: Voice, match: Match, humans: set[int]) -> None:
        super().__init__(voice, match, humans)
        self.orders |= {"check": self._check, "hint": self._hint, "solution": self._solution, "redo": self._redo}
        self.begun = time.monotonic()
        self.hints = 0
        self.undone: list[str] = []
        self.told: tuple[object, int] = ((), 0)  # the position hinted at, and how many deductions were told

    def report(self) -> Markup:
        """How long it took, and how much help."""
        seconds = round(time.monotonic() - self.begun)
        spent = f"{seconds // 60}:{seconds % 60:02}"
        return self._words("report" if self.hints else "report-none", time=spent, hints=str(self.hints))

    def praise(self) -> Markup | None:
        """For Pegs alone: what the number of cards deserves."""
        name = praise(self.match)
        return self._words(name) if name else None

    # Commands

    def _undo(self, actor: Actor, rest: str) -> Answer:
        last = [text for _, text in self.match.events][-1:]
        answer = super()._undo(actor, rest)
        self.undone += last if answer == "done" else []
        return answer

    def _move(self, actor: Actor, text: str) -> Answer:
        answer = super()._move(actor, text)
        if answer == "done":
            self.undone.clear()
        return answer

    def _redo(self, actor: Actor, _rest: str) -> Answer:
        if not self.undone:
            return self._again(self._words("no-redo"))
        text = self.undone.pop()
        self.match.play(actor, text)
        self.say(self._words("again", move=text))
        return "done"

    def _check(self, _actor: Actor, _rest: str) -> Answer:
        from ludotheque.puzzles.human.helping import check  # noqa: PLC0415 - numba takes long to import

        found = check(self.match)
        return self._again(self._words(found.name, moves=", ".join(found.moves)))

    def _solution(self, _actor: Actor, _rest: str) -> Answer:
        from ludotheque.puzzles.human.helping import solution  # noqa: PLC0415 - numba takes long to import

        moves = solution(self.match)
        self.hints += 1
        return self._again(self._words("solution", moves="  ".join(moves)) if moves else self._words("lost"))

    def _hint(self, _actor: Actor, _rest: str) -> Answer:
        """The next deduction, those told already left out; the last of them lays a piece."""
        from ludotheque.puzzles.human.helping import hint  # noqa: PLC0415 - numba takes long to import

        told = self.told[1] if self.told[0] == self.match.state else 0
        found = hint(self.match, told)
        self.hints += found.name not in {"done", "lost"}
        if found.step is None:
            return self._again(self._words(found.name, move=found.move))
        self.told = (self.match.state, told + 1)
        self.say(f"[bold]{found.number}/{found.last}[/] {plain(found.step.say(self.voice.lang))}")
        if found.out:
            more = f" {self._words('more', number=len(found.out) - FEW)}" if len(found.out) > FEW else ""
            self.say(self._words("out", moves=", ".join(found.out[:FEW]) + more))
        self.say(_marked(found.cells))
        return "again"

    def _words(self, name: str, **values: object) -> Markup:
        shown = {key: plain(str(value)) for key, value in values.items()}
        return Markup(words.say(None, self.voice.lang, "puzzles", "hints", name, **shown))


class PuzzleSession(Session):
    """A puzzle at the table."""

    def __init__(self, voice: Voice, match: Match, humans: set[int], chance: Random) -> None:
        super().__init__(voice, match, humans, chance)
        self.keyboard: PuzzleKeyboard = PuzzleKeyboard(voice, match, humans)
        self.say = self.keyboard.say
        self.say(Markup(words.say(None, voice.lang, "puzzles", "hints", "welcome")))

    def _end(self) -> None:
        self.say(self.keyboard.praise() or "")
        self.say(self.keyboard.report())
        super()._end()


def _marked(cells: int) -> Text:
    """A board with the cells that a hint is about."""
    mark, other = Look(EMPTY, " ◆ ", "bold yellow"), Look(EMPTY, " · ", "dim")
    return Text.from_markup(outlined([mark if cells >> cell & 1 else other for cell in range(CELLS)]))
