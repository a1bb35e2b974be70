"""`ludotheque play`: a game in the terminal."""

from pathlib import Path
from random import Random
from typing import Annotated

import typer

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.computer import LEVELS, RANDOM, USUAL, Computer
from ludotheque.cli.messages import CommandError, Messages
from ludotheque.cli.options import Lang, Rest, Seats
from ludotheque.cli.puzzle import TerminalPuzzle
from ludotheque.cli.terminal_table import TerminalTable
from ludotheque.puzzles.kinds import kind_keys

Game = Annotated[str | None, typer.Argument(metavar="GAME", autocompletion=options.keys)]
Human = Annotated[list[int] | None, typer.Option("--human", metavar="SEAT", parser=options.number("human", 0))]
Level = Annotated[list[str] | None, typer.Option("--level", metavar="LEVEL")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="TEXT")]
Load = Annotated[Path | None, typer.Option("--load", metavar="FILE")]
Save = Annotated[Path | None, typer.Option("--save", metavar="FILE")]


def play(
    context: typer.Context,
    *,
    game: Game = None,
    rest: Rest = None,
    human: Human = None,
    level: Level = None,
    seats: Seats = None,
    seed: Seed = None,
    load: Load = None,
    save: Save = None,
    _lang: Lang = None,
) -> None:
    messages: Messages = context.obj
    match = _new(game, rest, seats, seed) if load is None else _loaded(load, game, [*(rest or ()), seats, seed])
    humans = _humans(human or [0], match)
    terminal = TerminalPuzzle if match.game.key in kind_keys() else TerminalTable
    chance = Random(None if seed is None else f"computer {seed}")
    computer = Computer(messages, match, _levels(level or [USUAL], humans, match), chance)
    table = terminal(messages, match, humans, computer)
    table.run()
    if save is not None:
        table.keyboard.save(save)


def _new(game: str | None, rest: list[str] | None, seats: int | None, seed: str | None) -> Match:
    if game is None or game.startswith("-"):
        raise CommandError("wrong", "which-game")
    box = options.box(game)
    return options.new_match(box, seats, options.only_options(box, rest), seed=seed)


def _loaded(path: Path, game: str | None, settings: list[object]) -> Match:
    """The match of a record, which settles the game, its options and its luck."""
    match = options.opened(path)
    if game is not None and options.box(game).key != match.game.key:
        raise CommandError("wrong", "other-game", file=path, game=match.game.key)
    if any(setting is not None for setting in settings):
        raise CommandError("wrong", "settled", file=path)
    return match


def _humans(seats: list[int], match: Match) -> set[int]:
    for seat in seats:
        if seat >= match.seats:
            raise CommandError("wrong", "human", seat=seat, last=match.seats - 1)
    return set(seats)


def _levels(given: list[str], humans: set[int], match: Match) -> dict[int, str]:
    """The level of each seat that nobody took, in the order given; the last one holds for all the others."""
    for level in given:
        if level not in (*LEVELS, RANDOM):
            raise CommandError("wrong", "choice", name="--level", value=level, choices=", ".join((*LEVELS, RANDOM)))
    empty = [seat for seat in range(match.seats) if seat not in humans]
    return {seat: given[min(number, len(given) - 1)] for number, seat in enumerate(empty)}
