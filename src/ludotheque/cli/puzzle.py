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
from ludotheque.puzzles.pegs_solo import LAY_0, PEGS, State, places_of

KEYS = ("tetrods", "hepta-solo", "pegs-solo")
FEW = 6  # moves named in a hint
ELEVEN, TEN = 11, 10

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
        state = self.match.state
        if not self.match.solved or not isinstance(state, State):
            return None
        cards = len(places_of(state))
        if cards <= TEN:
            return self._words("praise-ten")
        return self._words("praise-eleven") if cards == ELEVEN else None

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
        from ludotheque.puzzles.human.checking import wrong  # noqa: PLC0415 - numba takes long to import

        found = wrong(self.match)
        if found is None:
            return self._again(self._words("unsolvable"))
        return self._again(self._words("wrong", moves=", ".join(found)) if found else self._words("right"))

    def _solution(self, _actor: Actor, _rest: str) -> Answer:
        moves = self._first()
        self.hints += 1
        if moves is None:
            return self._again(self._words("lost"))
        return self._again(self._words("solution", moves="  ".join(self.match.game.texts[move] for move in moves)))

    def _hint(self, _actor: Actor, _rest: str) -> Answer:
        """The next deduction, those told already left out; the last of them lays a piece."""
        moves = self._first()
        if not moves:
            return self._again(self._words("done" if self.match.over else "lost"))
        self.hints += 1
        if self.match.game.key == "pegs-solo":
            return self._again(self._peg_hint(moves))
        from ludotheque.puzzles.human.deductions import steps_to_next  # noqa: PLC0415 - numba

        steps = steps_to_next(self.match.game.key, self.match.state)
        number = self.told[1] if self.told[0] == self.match.state else 0
        step = steps[min(number, len(steps) - 1)]
        self.told = (self.match.state, number + 1)
        self.say(f"[bold]{min(number, len(steps) - 1) + 1}/{len(steps)}[/] {plain(step.say(self.voice.lang))}")
        out = [self.match.game.texts[move] for move in step.out if move != step.tried]
        if out:
            more = f" {self._words('more', number=len(out) - FEW)}" if len(out) > FEW else ""
            self.say(self._words("out", moves=", ".join(out[:FEW]) + more))
        self.say(_marked(step.cells))
        return "again"

    def _peg_hint(self, moves: tuple[int, ...]) -> Markup:
        """A card of a solution if its pegs are there, else the first peg."""
        state = self.match.state
        assert isinstance(state, State)
        ready = state.pegs.bit_count() == PEGS
        move = next(move for move in moves if not ready or move >= LAY_0)
        return self._words("card" if move >= LAY_0 else "peg", move=self.match.game.texts[move])

    def _first(self) -> tuple[int, ...] | None:
        from ludotheque.puzzles.solving.solver import SOLVERS  # noqa: PLC0415 - numba takes long to import

        return SOLVERS[self.match.game.key].first(self.match.state)

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
