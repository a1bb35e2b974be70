"""Arguments and options of the commands: games, the options of a game, numbers, words, files."""

import difflib
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

import ludotheque
from ludotheque import Box, Match
from ludotheque.cli.messages import CommandError
from ludotheque.errors import BadOption, LudothequeError, quoted
from ludotheque.options import Choice, Flag, Number, Option, Value
from ludotheque.words import LANGUAGES

YES_OR_NO = ("true", "false", "yes", "no", "1", "0")
NO_LIMIT = 1_000_000_000
FILE_ERRORS = {FileNotFoundError: "no-file", IsADirectoryError: "folder", PermissionError: "forbidden"}


def number(name: str, least: int, most: int = NO_LIMIT) -> Callable[[str | int], int]:
    """A parser of whole numbers whose errors are in the user's language."""
    reader = Number(name, least, least, most)

    def read(text: str | int) -> int:  # Typer reads its own defaults too
        try:
            return reader.read(str(text))
        except BadOption:
            raise bad_value(reader, str(text)) from None

    return read


def choice(name: str, values: tuple[str, ...]) -> Callable[[str], str]:
    """A parser of one of these words, in any case, whose errors are in the user's language."""
    reader = Choice(name, values)

    def read(text: str) -> str:
        try:
            return reader.read(text.lower())
        except BadOption:
            raise bad_value(reader, text) from None

    return read


def keys(incomplete: str) -> list[tuple[str, str]]:
    """The games a word may become, for the shell."""
    return [(box.key, box.name) for box in ludotheque.games() if box.key.startswith(incomplete)]


GameKey: TypeAlias = Annotated[str, typer.Argument(metavar="GAME", autocompletion=keys)]
Rest: TypeAlias = Annotated[list[str] | None, typer.Argument(metavar="--OPTION VALUE")]
File: TypeAlias = Annotated[Path, typer.Argument(metavar="FILE")]
Seats: TypeAlias = Annotated[int | None, typer.Option("--seats", metavar="N", parser=number("seats", 1))]
Lang: TypeAlias = Annotated[
    str | None, typer.Option("--lang", metavar=f"<{'|'.join(LANGUAGES)}>", parser=choice("lang", LANGUAGES))
]
Backend: TypeAlias = Annotated[Literal["dask", "ray"] | None, typer.Option("--backend")]

ANY_OPTION = {"ignore_unknown_options": True}  # a game's own options are read here, not by Typer


def box(key: str) -> Box:
    """The game of this key, in any case."""
    shelf = {found.key: found for found in ludotheque.games()}
    if key.lower() in shelf:
        return shelf[key.lower()]
    if key.lower().partition(":")[0] in shelf:
        raise CommandError("wrong", "game-puzzle", game=quoted(key), puzzle=key)
    near = difflib.get_close_matches(key.lower(), shelf, 1)
    if near:
        raise CommandError("wrong", "game-near", game=quoted(key), near=near[0])
    raise CommandError("wrong", "game", game=quoted(key), games=", ".join(shelf))


def new_match(
    game: Box, seats: int | None, values: dict[str, Value], *, seed: str | None = None, fair: bool = True
) -> Match:
    """A match of the game with these options."""
    if seats is not None and seats not in game.seats:
        numbers = ", ".join(str(each) for each in game.seats)
        raise CommandError("wrong", "seats", game=game.key, numbers=numbers, seats=seats)
    luck = "fair" if fair else None
    return game.match(seats=seats, seed=seed, luck=luck, table="", entropy=(), **values)


def read(game: Box, given: Sequence[str] | None) -> tuple[dict[str, Value], list[str]]:
    """The game's options among the words given, checked, and the other words."""
    values: dict[str, Value] = {}
    others: list[str] = []
    queue = deque(given or ())
    while queue:
        word = queue.popleft()
        if word.startswith("-"):
            name, equals, text = word.lstrip("-").partition("=")
            option = _option(game, name)
            values[option.name] = _value(option, name, text if equals else None, queue)
        else:
            others.append(word)
    return values, others


def only_options(game: Box, given: Sequence[str] | None) -> dict[str, Value]:
    """The game's options, where nothing else may be given."""
    values, others = read(game, given)
    if others:
        raise CommandError("wrong", "word", word=quoted(others[0]))
    return values


def bad_value(option: Option, text: str) -> CommandError:
    """What is wrong with the value given to an option."""
    name, value = f"--{option.name}", quoted(text)
    if isinstance(option, Flag):
        return CommandError("wrong", "flag", name=name, value=value)
    if isinstance(option, Choice):
        return CommandError("wrong", "choice", name=name, value=value, choices=", ".join(option.words))
    if isinstance(option, Number):
        kind = "least" if option.most == NO_LIMIT else "number"
        return CommandError("wrong", kind, name=name, value=value, least=option.least, most=option.most)
    least = str(option.least) if option.least == option.most else f"{option.least}–{option.most}"
    return CommandError(
        "wrong", "cells", name=name, value=value, number=least, first=option.board[0], last=option.board[-1]
    )


def opened(path: Path) -> Match:
    """The match a file holds."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise CommandError("wrong", "not-text", file=path, code=1) from None
    except OSError as error:
        raise unreachable(path, error) from None
    try:
        return ludotheque.load(text)
    except LudothequeError as error:
        forged = "forged" if error.code == "forged-luck" else "record"
        raise CommandError("wrong", forged, file=path, why=error.reason, code=1) from error


def unreachable(path: Path, error: OSError) -> CommandError:
    """Why a file can be neither read nor written."""
    for kind, name in FILE_ERRORS.items():
        if isinstance(error, kind):
            return CommandError("wrong", name, file=path, code=1)
    return CommandError("wrong", "file", file=path, why=error.strerror, code=1)


def _option(game: Box, name: str) -> Option:
    plain = name.replace("-", "_").lower()
    for option in game.options:
        if option.name == plain or (isinstance(option, Flag) and f"no_{option.name}" == plain):
            return option
    known = [f"--{option.name}" for option in game.options]
    near = difflib.get_close_matches(f"--{name}", known, 1)
    if near:
        raise CommandError("wrong", "option-near", game=game.key, option=f"--{name}", near=near[0])
    if known:
        raise CommandError("wrong", "option", game=game.key, option=f"--{name}", options=", ".join(known))
    raise CommandError("wrong", "no-options", game=game.key, option=f"--{name}")


def _value(option: Option, name: str, text: str | None, queue: deque[str]) -> Value:
    if isinstance(option, Flag):
        said = name.replace("-", "_").lower() == option.name
        if text is None and not (queue and queue[0].lower() in YES_OR_NO):
            return said
        return _checked(option, queue.popleft() if text is None else text) is said
    if text is None and not queue:
        raise CommandError("wrong", "no-value", option=f"--{option.name}")
    return _checked(option, queue.popleft() if text is None else text)


def _checked(option: Option, text: str) -> Value:
    try:
        return option.read(text)
    except BadOption:
        raise bad_value(option, text) from None
