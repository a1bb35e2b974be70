"""`ludotheque arena`: computer players against each other, and what that proves."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages, err, out
from ludotheque.cli.options import Backend, GameKey, Lang, Rest, Seats

Players = Annotated[str, typer.Option("--players", metavar="A,B")]
Games = Annotated[int, typer.Option("--games", metavar="N", parser=options.number("games", 1))]
Seed = Annotated[int, typer.Option("--seed", metavar="N", parser=options.number("seed", 0))]
Jobs = Annotated[int, typer.Option("--jobs", metavar="N", parser=options.number("jobs", 1))]
Kept = Annotated[Path | None, typer.Option("--keep", metavar="FILE")]
Json = Annotated[Path | None, typer.Option("--json", metavar="FILE")]

ALL_CORES = 0


def arena(
    context: typer.Context,
    *,
    game: GameKey,
    rest: Rest = None,
    players: Players = "3,5",
    games: Games = 100,
    seats: Seats = None,
    seed: Seed = 0,
    jobs: Jobs | None = None,
    keep: Kept = None,
    json_: Json = None,
    backend: Backend = None,
    _lang: Lang = None,
) -> None:
    from ludotheque.search import arena as contests  # noqa: PLC0415 - numba takes long to import

    messages: Messages = context.obj
    box = options.box(game)
    values = options.only_options(box, rest)
    match = options.new_match(box, seats, values, fair=False)
    names = tuple(name.strip() for name in players.split(","))
    unknown = [name for name in names if not contests.known(name)]
    if match.seats == 1:
        raise CommandError("arena", "solo", game=box.key)
    if unknown:
        raise CommandError("arena", "player", player=unknown[0])
    if len(names) not in (2, match.seats):
        raise CommandError("arena", "players", seats=match.seats)
    wanted = contests.Contest(box.rules, match.seats, names, games, seed, tuple(sorted(match.options.items())))
    console, played = err(), []
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(messages("arena", "playing"), total=games)
        for each in contests.contest(wanted, keep, jobs or -1, backend):
            played.append(each)
            progress.advance(task)
    verdict = contests.verdict(wanted, played)
    elo, least, most = verdict.elo
    out().print(
        messages(
            "arena",
            "result",
            player=names[-1],
            others=", ".join(names[:-1]),
            games=verdict.games,
            share=f"{100 * verdict.share:.1f}",
            margin=f"{100 * verdict.margin:.1f}",
            fair=f"{verdict.times_fair:.2f}",
            elo=f"{elo:+.0f}",
            least=f"{least:+.0f}",
            most=f"{most:+.0f}",
        ),
        soft_wrap=True,
    )
    if json_:
        found = {"game": box.key, "seats": match.seats, "players": names, **asdict(verdict)}
        json_.write_text(json.dumps(found | {"played": [asdict(each) for each in played]}), encoding="utf-8")
