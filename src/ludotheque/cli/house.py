"""The command as a whole: its help in the language it is spoken to in, and complaints instead of tracebacks."""

import contextlib
import difflib
import io
import os
import sys
from collections.abc import Sequence

import typer
from rich.markup import escape
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from ludotheque.cli.speech import Complaint, Voice, err, spoken
from ludotheque.errors import LudothequeError
from ludotheque.words import LANGUAGES


class House(TyperGroup):
    """The group of all commands."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: object,
    ) -> object:
        """Find the language, put the help into it, run; a refusal ends in a sentence and an exit code."""
        given = list(sys.argv[1:] if args is None else args)
        voice = Voice(spoken(given, os.environ))
        _take_any_character()
        self._translate(voice)
        try:
            code = super().main(given, prog_name, complete_var, False, windows_expand_args, **extra, obj=voice)
        except Complaint as error:
            code = _say(voice(*error.names, **error.values), error.code)
        except LudothequeError as error:
            code = _say(voice.refusal(None, error), 1)
        except typer.TyperException as error:
            code = _say(self._usage(voice, error, given), 2)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code

    def _translate(self, voice: Voice) -> None:
        """Help in the language of the house: Typer only knows what the code says."""
        for name, command in {"main": self, **self.commands}.items():
            command.help = voice("help", name)
            command.epilog = voice("examples", name)
            if isinstance(command, TyperCommand):
                command.rich_help_panel = voice("help", "commands")
            for parameter in (*command.params, command.get_help_option(typer.Context(command))):
                if isinstance(parameter, TyperOption | TyperArgument):
                    parameter.help = voice("parameters", parameter.name)

    def _usage(self, voice: Voice, error: typer.TyperException, given: list[str]) -> str:
        """What Typer found wrong, in our words where we have them."""
        parameter = getattr(error, "param", None)
        words = [word for word in given if not word.startswith("-") and word not in LANGUAGES]
        if isinstance(parameter, TyperOption | TyperArgument):
            name = parameter.opts[0] if isinstance(parameter, TyperOption) else parameter.display_name_raw
            missing = type(error).__name__ == "MissingParameter"
            return voice("wrong", "missing" if missing else "value", name=name, help=parameter.help or "")
        if words and words[0] not in self.commands:
            near = difflib.get_close_matches(words[0], self.commands, 1) or [", ".join(self.commands)]
            return voice("wrong", "command", command=words[0], near=near[0])
        option = getattr(error, "option_name", None)
        if isinstance(option, str):
            return voice("wrong", "typer-option", option=option)
        return voice("wrong", "typer", why=error.format_message())


def _say(sentence: str, code: int) -> int:
    err().print(f"[red]{escape('✗')}[/] {sentence}", soft_wrap=True)
    return code


def _take_any_character() -> None:
    """What cannot be read or shown becomes a question mark, not a failure."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors="replace")
