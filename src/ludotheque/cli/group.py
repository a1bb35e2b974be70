"""The group of all commands: help in the user's language, and one-sentence errors instead of tracebacks."""

import contextlib
import difflib
import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import typer
from rich.markup import escape
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from ludotheque.cli.messages import CommandError, Messages, chosen_language, err
from ludotheque.errors import LudothequeError
from ludotheque.words import LANGUAGES

AnyCommand: TypeAlias = TyperCommand | TyperGroup


class CommandGroup(TyperGroup):
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
        """Choose the language, translate the help, run; an error ends in a sentence and an exit code."""
        given = list(sys.argv[1:] if args is None else args)
        messages = Messages(chosen_language(given, os.environ))
        _replace_unencodable()
        self._translate(messages)
        try:
            code = super().main(given, prog_name, complete_var, False, windows_expand_args, **extra, obj=messages)
        except CommandError as error:
            code = _print_error(messages(*error.names, **error.values), error.code)
        except LudothequeError as error:
            code = _print_error(messages.refusal(None, error), 1)
        except typer.TyperException as error:
            code = _print_error(self._usage(messages, error, given), 2)
        if standalone_mode:
            sys.exit(code if isinstance(code, int) else 0)
        return code

    def _translate(self, messages: Messages) -> None:
        """Help texts in the chosen language: Typer only knows what the code says."""
        for name, command in (("main", self), *_commands(self)):
            command.help = messages("help", name)
            command.epilog = messages("examples", name)
            if isinstance(command, TyperCommand | TyperGroup):
                command.rich_help_panel = messages("help", "commands")
            for parameter in (*command.params, command.get_help_option(typer.Context(command))):
                if isinstance(parameter, TyperOption | TyperArgument):
                    parameter.help = messages("parameters", parameter.name)

    def _usage(self, messages: Messages, error: typer.TyperException, given: list[str]) -> str:
        """Typer's usage error, in our words where we have them."""
        parameter = getattr(error, "param", None)
        words = [word for word in given if not word.startswith("-") and word not in LANGUAGES]
        if isinstance(parameter, TyperOption | TyperArgument):
            name = parameter.opts[0] if isinstance(parameter, TyperOption) else parameter.display_name_raw
            missing = type(error).__name__ == "MissingParameter"
            return messages("wrong", "missing" if missing else "value", name=name, help=parameter.help or "")
        group, rest = _group_of(self, words)
        if rest and rest[0] not in group.commands:
            near = difflib.get_close_matches(rest[0], group.commands, 1) or [", ".join(group.commands)]
            return messages("wrong", "command", command=rest[0], near=near[0])
        option = getattr(error, "option_name", None)
        if isinstance(option, str):
            return messages("wrong", "typer-option", option=option)
        return messages("wrong", "typer", why=error.format_message())


def _commands(group: TyperGroup, before: str = "") -> Iterator[tuple[str, AnyCommand]]:
    """Every command with its name; those within a group have the group's before theirs."""
    for name, command in group.commands.items():
        if isinstance(command, TyperCommand | TyperGroup):
            yield f"{before}{name}", command
        if isinstance(command, TyperGroup):
            yield from _commands(command, f"{before}{name}-")


def _group_of(group: TyperGroup, words: list[str]) -> tuple[TyperGroup, list[str]]:
    """The group that these words lead to, and those that are left."""
    inner = group.commands.get(words[0]) if words else None
    return _group_of(inner, words[1:]) if isinstance(inner, TyperGroup) else (group, words)


def _print_error(sentence: str, code: int) -> int:
    err().print(f"[red]{escape('✗')}[/] {sentence}", soft_wrap=True)
    return code


def _replace_unencodable() -> None:
    """Characters that cannot be decoded or encoded become question marks instead of errors."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors="replace")
