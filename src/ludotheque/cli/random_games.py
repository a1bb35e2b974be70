"""`ludotheque random`: random games in numbers."""

import secrets
import time
from collections.abc import Iterable
from random import Random
from typing import Annotated, NamedTuple

import typer
from rich import box as boxes
from rich.progress import track
from rich.table import Table

from ludotheque import Match
from ludotheque.cli import options
from ludotheque.cli.messages import Messages, err, out
from ludotheque.cli.options import GameKey, Lang, Rest, Seats
from ludotheque.cli.screen import person

Games = Annotated[int, typer.Option("--games", metavar="N", parser=options.number("games", 1))]
Seed = Annotated[str | None, typer.Option("--seed", metavar="TEXT")]
Limit = Annotated[int, typer.Option("--limit", metavar="N", parser=options.number("limit", 1))]


class Result(NamedTuple):
    """One random game."""

    moves: int
    over: bool
    draw: bool
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def random(
    context: typer.Context,
    *,
    game: GameKey,
    rest: Rest = None,
    games: Games = 100,
    seed: Seed = None,
    limit: Limit = 5000,
    seats: Seats = None,
    _lang: Lang = None,
) -> None:
    messages: Messages = context.obj
    box = options.box(game)
    values = options.only_options(box, rest)
    said = seed or secrets.token_hex(4)
    matches = (options.new_match(box, seats, values, seed=f"{said}/{number}") for number in range(games))
    begun = time.perf_counter()
    results = _played(messages, matches, games, limit, Random(said))
    seconds = time.perf_counter() - begun
    out().print(_numbers(messages, results, said))
    out().print(_seats(messages, options.new_match(box, seats, values, fair=False), results))
    err().print(messages("random", "speed", moves=f"{sum(result.moves for result in results) / seconds:,.0f}"))


def _played(messages: Messages, matches: Iterable[Match], games: int, limit: int, chance: Random) -> list[Result]:
    console = err()
    bar = track(
        matches,
        messages("random", "playing"),
        total=games,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    return [_play(match, limit, chance) for match in bar]


def _play(match: Match, limit: int, chance: Random) -> Result:
    """A game to its end, or to the limit: a solitaire can go on for ever."""
    while not match.over and len(match.events) < limit:
        actor = chance.choice(match.to_act)
        match.play(actor, chance.choice(match.moves(actor)))
    return Result(len(match.events), match.over, match.draw, match.scores, match.winners)


def _numbers(messages: Messages, results: list[Result], seed: str) -> str:
    lines = [
        messages("random", "games", number=len(results), seed=seed),
        messages("random", "moves", spread=_spread([result.moves for result in results])),
        messages("random", "draws", number=_share([result.draw for result in results])),
        messages("random", "lost", number=_share([r.over and not r.winners and not r.draw for r in results])),
        messages("random", "unfinished", number=_share([not result.over for result in results])),
    ]
    return "\n".join(lines)


def _seats(messages: Messages, match: Match, results: list[Result]) -> Table:
    table = Table(box=boxes.SIMPLE_HEAD, pad_edge=False)
    for column in ("seat", "wins", "scores"):
        table.add_column(messages("random", column))
    for seat in range(match.seats):
        wins = _share([seat in result.winners and not result.draw for result in results])
        table.add_row(person(messages, match, seat), wins, _spread([result.scores[seat] for result in results]))
    return table


def _share(hits: list[bool]) -> str:
    return f"{sum(hits)} ({100 * sum(hits) / len(hits):.1f} %)"


def _spread(numbers: list[int]) -> str:
    return f"{sum(numbers) / len(numbers):.2f} ({min(numbers)}–{max(numbers)})"
