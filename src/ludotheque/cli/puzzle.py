"""`ludotheque puzzle`: a puzzle in the terminal, with hints, pencil marks, check, solution, redo, time and praise."""

from datetime import date
from random import Random
from typing import Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from ludotheque import Match, words
from ludotheque.board.bits import Bits
from ludotheque.cli.computer import Computer
from ludotheque.cli.keyboard import Answer, Keyboard
from ludotheque.cli.messages import CommandError, Markup, Messages, plain
from ludotheque.cli.options import Lang
from ludotheque.cli.terminal_table import TerminalTable
from ludotheque.errors import BadOption, UndoRefused, quoted
from ludotheque.match import Actor
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.human import pencil
from ludotheque.puzzles.human.hints import LAY, WHY
from ludotheque.puzzles.human.session import PuzzleSession
from ludotheque.puzzles.kinds import kind, kind_keys

Id = Annotated[str, typer.Argument(metavar="ID")]
Day = Annotated[str | None, typer.Option("--day", metavar="YYYY-MM-DD")]


def puzzle(context: typer.Context, *, name: Id, day: Day = None, _lang: Lang = None) -> None:
    from ludotheque.puzzles.making import puzzles  # noqa: PLC0415 - numba takes long to import

    messages: Messages = context.obj
    try:
        found = puzzles.of_the_day(name, _date(day)) if name in kind_keys() else puzzles.puzzle(name)
    except BadOption:
        raise CommandError("wrong", "puzzle", id=quoted(name)) from None
    match = found.match(render_match)
    table = TerminalPuzzle(messages, match, {0}, Computer(messages, match, {}, Random()))
    table.say(Markup(f"[dim]{plain(' · '.join(filter(None, (found.seed, found.description))))}[/]"))
    table.run()


def _date(day: str | None) -> date:
    try:
        return date.today() if day is None else date.fromisoformat(day)  # noqa: DTZ011 - the player's own day
    except ValueError:
        raise CommandError("wrong", "day", day=quoted(day)) from None


class PuzzleKeyboard(Keyboard):
    """The keyboard of someone who solves a puzzle."""

    hint_help = "hint-puzzle"

    def __init__(self, messages: Messages, match: Match, humans: set[int], computer: Computer) -> None:
        super().__init__(messages, match, humans, computer)
        self.commands |= {
            "check": self._check,
            "hint": self._hint,
            "why": self._why_here,
            "lay": self._lay,
            "steps": self._steps,
            "mark": self._mark,
            "note": self._note,
            "solution": self._solution,
            "redo": self._redo,
        }
        self.session = PuzzleSession(match)

    def report(self) -> Markup:
        """How long it took, and how much help."""
        hints, seconds = self.session.hints, round(self.session.seconds)
        spent = f"{seconds // 60}:{seconds % 60:02}"
        return self._words("report" if hints else "report-none", time=spent, hints=str(hints))

    def praise(self) -> Markup | None:
        """What this solution deserves to hear, if anything."""
        name = kind(self.match.game.key).praise(self.match.state) if self.match.solved else None
        return None if name is None else Markup(f"[bold]{self._words(name)}[/]")

    def _play(self, _actor: Actor, text: str) -> None:
        self.session.play(text)

    # Commands

    def _undo(self, _actor: Actor, _rest: str) -> Answer:
        try:
            self.session.undo()
        except UndoRefused:
            return self._again(self.messages("play", "no-undo"))
        return "done"

    def _redo(self, _actor: Actor, _rest: str) -> Answer:
        text = self.session.redo()
        if text is None:
            return self._again(self._words("no-redo"))
        self.say(self._words("again", move=self.messages.written(self.match, text)))
        return "done"

    def _check(self, _actor: Actor, _rest: str) -> Answer:
        found = self.session.check()
        if found.cells:
            self._show_marked(found.cells)
        return self._again(plain(found.say(self.messages.lang)))

    def _solution(self, _actor: Actor, _rest: str) -> Answer:
        moves = self.session.solution()
        if not moves:
            return self._again(self._words("done" if self.match.over else "lost"))
        return self._again(
            self._words("solution", moves="  ".join(self.messages.written(self.match, move) for move in moves))
        )

    def _hint(self, _actor: Actor, _rest: str) -> Answer:
        """Where to look; asked again, why; asked a third time, the piece laid."""
        return self._give(None)

    def _why_here(self, _actor: Actor, _rest: str) -> Answer:
        return self._give(WHY)

    def _lay(self, _actor: Actor, _rest: str) -> Answer:
        return self._give(LAY)

    def _give(self, strength: int | None) -> Answer:
        hint = self.session.hint(strength)
        if hint.helps and hint.strength < LAY:
            self._show_marked(hint.cells)
        self.say(plain(hint.say(self.messages.lang)))
        return "done" if hint.strength == LAY else "again"

    def _steps(self, _actor: Actor, _rest: str) -> Answer:
        """The eliminations that the deduction rests on; they count as the deduction does."""
        hint = self.session.hint(WHY)
        if not hint.helps:
            return self._again(plain(hint.say(self.messages.lang)))
        for number, sentence in enumerate(hint.steps(self.messages.lang), 1):
            self.say(plain(f"{number}. {sentence}"))
        return self._again(plain(hint.say(self.messages.lang)) if hint.chain else self._words("steps-none"))

    def _mark(self, _actor: Actor, rest: str) -> Answer:
        """Pencil marks set or taken away; alone, those that are there."""
        if not rest:
            return self._again(self._marks())
        try:
            marks = pencil.read(kind(self.match.game.key), rest)
        except BadOption as error:
            return self._again(self.messages.refusal(self.match.game.stem, error))
        self.session.mark(marks)
        there = marks[-1] in self.session.marks
        return self._again(self._words("marked" if there else "unmarked", marks=", ".join(marks)))

    def _note(self, _actor: Actor, _rest: str) -> Answer:
        """Pencil in what the deduction rules out."""
        hint = self.session.hint(WHY)
        if not hint.marks:
            return self._again(self._words("nothing-to-note") if hint.helps else plain(hint.say(self.messages.lang)))
        self.session.note(hint.marks)
        return self._again(self._marks())

    def _marks(self) -> Markup:
        marks = self.session.marks
        return self._words("marked", marks=", ".join(marks)) if marks else self._words("no-marks")

    def _show_marked(self, cells: Bits) -> None:
        """The board, with the cells that the next words are about."""
        marked_text = picture_of(self.match.game).marked_text
        if marked_text is not None:
            self.say(Padding(Text.from_markup(marked_text(self.match.state, cells)), (1, 2)))

    def _help(self, actor: Actor, rest: str) -> Answer:
        super()._help(actor, rest)
        return self._again(self.messages("play", "help-puzzle"))

    def _words(self, name: str, **values: object) -> Markup:
        shown = {key: plain(str(value)) for key, value in values.items()}
        return Markup(words.say(self.match.game.stem, self.messages.lang, "puzzles", "hints", name, **shown))


class TerminalPuzzle(TerminalTable):
    """A puzzle played in the terminal."""

    def __init__(self, messages: Messages, match: Match, humans: set[int], computer: Computer) -> None:
        super().__init__(messages, match, humans, computer)
        self.keyboard: PuzzleKeyboard = PuzzleKeyboard(messages, match, humans, computer)
        self.say = self.keyboard.say
        self.say(Markup(words.say(None, messages.lang, "puzzles", "hints", "welcome")))

    def _end(self) -> None:
        self.say(self.keyboard.praise() or "")
        self.say(self.keyboard.report())
        super()._end()
