"""`ludotheque learn`: a lesson, played at the keyboard."""

import contextlib

import typer
from rich.rule import Rule

from ludotheque import lessons, move_words
from ludotheque.cli import options, screen
from ludotheque.cli.keyboard import PlayerLeft, ask
from ludotheque.cli.messages import CommandError, Messages, out, plain
from ludotheque.cli.options import GameKey, Lang
from ludotheque.cli.rules import markdown
from ludotheque.cli.typed import meant
from ludotheque.errors import quoted
from ludotheque.lessons import Answer, Task
from ludotheque.match import Match


def learn(context: typer.Context, game: GameKey, _lang: Lang = None) -> None:
    messages: Messages = context.obj
    box = options.box(game)
    tasks = lessons.tasks(box.rules)
    if not tasks:
        raise CommandError("learn", "none", game=box.key, code=1)
    lesson = Lesson(messages, tasks)
    out().print(Rule(f"[bold]{messages.fact(box.rules.stem, 'name')}[/]"), messages("learn", "welcome"))
    with contextlib.suppress(PlayerLeft):
        for number in range(len(tasks)):
            lesson.step(number)
        out().print(messages("learn", "done", game=box.key))


class Lesson:
    """The lesson as it goes on in a terminal."""

    def __init__(self, messages: Messages, tasks: tuple[Task, ...]) -> None:
        self.messages = messages
        self.tasks = tasks
        self.console = out()

    def step(self, number: int) -> None:
        """One task, until it is done or shown."""
        task = self.tasks[number]
        self.console.print(
            Rule(self.messages("learn", "step", number=number + 1, last=len(self.tasks)), align="left")
        )
        self._board(task, task.match())
        self.console.print(markdown(task.say(self.messages.lang)))
        self.console.print(self.messages("learn", "written", example=task.example()))
        while not self._tried(task):
            pass

    def _tried(self, task: Task) -> bool:
        """Take a line; True when the task is done."""
        line = ask(self.console)
        if line in ("quit", *self.messages("commands", "quit").split()):
            raise PlayerLeft
        if not line or line in ("?", *self.messages("commands", "help").split()):
            self.console.print(
                self.messages("learn", "hint", move=self.messages.written(task.match(), task.solutions()[0]))
            )
            return False
        match = task.match()
        found = meant(move_words.read(match.game.stem, line), match.moves(task.seat), match.game.texts)
        if len(found) != 1:
            key = "which" if found else "unknown"
            example, *moves = (self.messages.written(match, text) for text in (match.moves(task.seat)[0], *found))
            self.console.print(
                self.messages("learn", key, typed=quoted(line), example=example, moves=", ".join(moves))
            )
            return False
        return self._answered(task, task.answer(found[0], self.messages.lang))

    def _answered(self, task: Task, answer: Answer) -> bool:
        mark = "[green]✓[/]" if answer.verdict == "right" else "[red]✗[/]"
        if answer.verdict == "right":
            self._board(task, answer.match)
        self.console.print(f"{mark} {plain(answer.sentence)}")
        if answer.verdict != "right":
            self.console.print(self.messages("learn", "again"))
        return answer.verdict == "right"

    def _board(self, task: Task, match: Match) -> None:
        self.console.print(screen.board(self.messages, match.game, match.seen(task.seat)))
