"""What can be typed at the table: a move, its number, or a command."""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from rich.console import Console, RenderableType

from ludotheque import IllegalMove, Match, UndoRefused, move_words
from ludotheque.cli import options, screen
from ludotheque.cli.computer import Computer
from ludotheque.cli.messages import Markup, Messages, out
from ludotheque.cli.rules import markdown, page
from ludotheque.cli.typed import holding, meant
from ludotheque.errors import quoted
from ludotheque.match import Actor
from ludotheque.records import FORMAT

CLEAR_SCROLLBACK = "\x1b[3J"

Answer: TypeAlias = Literal["again", "waited", "done"]
Command: TypeAlias = Callable[[Actor, str], Answer]


class PlayerLeft(Exception):  # noqa: N818 - what happened
    """Somebody left the table."""


class Keyboard:
    """The keyboard and the screen of a table, and all that those who sit there can ask for."""

    hint_help = "hint-duel"  # the name of the sentence that says what `hint` does

    def __init__(self, messages: Messages, match: Match, humans: set[int], computer: Computer) -> None:
        self.messages = messages
        self.match = match
        self.humans = humans
        self.computer = computer
        self.console = out()
        self.commands: dict[str, Command] = {
            "board": self._board,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "save": self._save,
            "log": self._log,
            "rules": self._rules,
            "help": self._help,
            "quit": self._quit,
        }
        _edit_lines()

    def say(self, what: RenderableType) -> None:
        self.console.print(what)

    def read(self) -> str:
        """A line; leaving by the end of the input or by Ctrl-C is leaving too."""
        return ask(self.console)

    def wipe(self) -> None:
        """Clear the screen and its scrollback."""
        if self.console.is_terminal:
            self.console.file.write(CLEAR_SCROLLBACK)
            self.console.clear()

    def show_board(self, actor: Actor) -> None:
        """The position as the actor may know it; luck knows what a spectator knows."""
        seat = None if actor == "luck" else actor
        self.say(screen.board(self.messages, self.match.game, self.match.seen(seat)))
        standing = screen.standing(self.messages, self.match)
        if standing:
            self.say(standing)

    def save(self, path: Path) -> None:
        """Write the record, but never over a file that is none."""
        try:
            if path.exists() and FORMAT not in path.read_text(encoding="utf-8", errors="replace")[:100]:
                self.say(self.messages("play", "not-ours", file=path))
                return
            path.write_text(self.match.save() + "\n", encoding="utf-8")
        except OSError as error:
            found = options.unreachable(path, error)
            self.say(self.messages(*found.names, **found.values))
            return
        self.say(self.messages("play", "saved", file=path))

    def execute(self, actor: Actor, line: str) -> Answer:
        """Execute a line: a command, a number of the list, or a move."""
        legal = self.match.moves(actor)
        word, _, rest = line.partition(" ")
        command = self._command(word.lower())
        if line not in legal and command is not None:
            return command(actor, rest.strip())
        if line not in legal and line.isdecimal():
            return self._numbered(actor, legal, line)
        found = meant(move_words.read(self.match.game.stem, line), legal, self.match.game.texts)
        if len(found) == 1:
            return self._move(actor, found[0])
        return self._puzzled(line, found or self._holding(line, legal), legal)

    def _command(self, word: str) -> Command | None:
        """The command that a word names, in the default language or the chosen one."""
        name = word.removeprefix("/") or "board"
        for key, command in self.commands.items():
            if name in (key, *self.messages("commands", key).split()):
                return command
        return None

    def _move(self, actor: Actor, text: str) -> Answer:
        try:
            self._play(actor, text)
        except IllegalMove as error:
            return self._again(
                self.messages("play", "refused", move=self.messages.written(self.match, text), why=self._why(error))
            )
        return "done"

    def _play(self, actor: Actor, text: str) -> None:
        self.match.play(actor, text)

    def _numbered(self, actor: Actor, legal: list[str], line: str) -> Answer:
        chosen = dict(enumerate(legal, 1)).get(int(line[:9]))
        if chosen is None:
            return self._again(self.messages("play", "number", number=line, last=len(legal)))
        return self._move(actor, chosen)

    def _puzzled(self, line: str, near: list[str], legal: list[str]) -> Answer:
        """A line that is no move: show the moves it may be part of, or what a move looks like."""
        if near and line:
            self.say(self.messages("play", "which", typed=quoted(line)))
            return self._again(screen.listed(self.messages, self.match, legal, near))
        if legal:
            example = self.messages.written(self.match, legal[0])
            return self._again(self.messages("play", "unknown", typed=quoted(line), example=example))
        return self._again(self.messages("play", "after"))

    def _holding(self, part: str, legal: list[str]) -> list[str]:
        """The legal moves that contain what was typed, in the default language or the chosen one."""
        texts = {self.messages.written(self.match, text): text for text in legal}
        return holding(part, legal) or [texts[shown] for shown in holding(part, texts)]

    # Commands

    def _board(self, actor: Actor, _rest: str) -> Answer:
        self.show_board(actor)
        return "again"

    def _moves(self, actor: Actor, part: str) -> Answer:
        legal = self.match.moves(actor)
        if not legal:
            return self._again(self.messages("play", "after"))
        found = self._holding(part, legal)
        return self._again(
            screen.listed(self.messages, self.match, legal, found)
            if found
            else self.messages("play", "none", part=quoted(part))
        )

    def _hint(self, actor: Actor, _rest: str) -> Answer:
        if actor == "luck" or not self.match.moves(actor):
            return self._again(self.messages("play", "no-hint"))
        return self._again(self.computer.hint(actor, self.console))

    def _undo(self, _actor: Actor, _rest: str) -> Answer:
        """Take back the last move a human made. The computer always agrees; other humans are asked."""
        seats = [actor for actor, _ in self.match.events if actor in self.humans]
        if not seats or not isinstance(seats[-1], int):
            return self._again(self.messages("play", "no-undo"))
        try:
            self.match.undo(seats[-1], agreed=len(self.humans) == 1)
        except UndoRefused as error:
            self.say(self._why(error))
            if not self._agreed():
                return "again"
            self.match.undo(seats[-1], agreed=True)
        return "done"

    def _agreed(self) -> bool:
        self.say(self.messages("play", "agree"))
        return self.read().lower() in self.messages("commands", "yes").split()

    def _save(self, _actor: Actor, name: str) -> Answer:
        if not name:
            return self._again(self.messages("play", "save-where"))
        self.save(Path(name).expanduser())
        return "again"

    def _log(self, actor: Actor, _rest: str) -> Answer:
        return self._again(screen.log(self.messages, self.match, None if actor == "luck" else actor))

    def _rules(self, _actor: Actor, _rest: str) -> Answer:
        return self._again(page(self.messages, self.match.game) or self.messages("play", "no-rules"))

    def _help(self, _actor: Actor, _rest: str) -> Answer:
        forms = self.messages.page(self.match.game.stem).get("moves")
        self.say(markdown("\n".join(f"- {form}" for form in forms.values()) if isinstance(forms, dict) else ""))
        return self._again(self.messages("play", "help", hint=self.messages("play", self.hint_help)))

    def _quit(self, _actor: Actor, _rest: str) -> Answer:
        raise PlayerLeft

    # Private

    def _why(self, error: IllegalMove | UndoRefused) -> Markup:
        return self.messages.refusal(self.match.game.stem, error)

    def _again(self, what: RenderableType) -> Answer:
        self.say(what)
        return "again"


def ask(console: Console) -> str:
    """A line typed; leaving by the end of the input or by Ctrl-C is leaving too."""
    console.file.flush()
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        console.print()
        raise PlayerLeft from None


def _edit_lines() -> None:
    """Let lines be edited, but never called back: the arrow up would show a choice made in secret."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: PLC0415 - not on every system

        readline.set_auto_history(False)
