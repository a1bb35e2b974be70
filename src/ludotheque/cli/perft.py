"""`ludotheque perft`: sequences of moves, counted."""

from typing import Annotated

import typer

from ludotheque import IllegalMove, Match
from ludotheque.cli import options
from ludotheque.cli.messages import CommandError, Messages
from ludotheque.cli.options import GameKey, Lang, Seats
from ludotheque.errors import quoted
from ludotheque.search.perft import perfts

Depth = Annotated[int, typer.Option("--depth", metavar="N", parser=options.number("depth", 1, 99))]
Moves = Annotated[list[str] | None, typer.Argument(metavar="MOVE")]


def perft(
    context: typer.Context, game: GameKey, depth: Depth, moves: Moves = None, seats: Seats = None, _lang: Lang = None
) -> None:
    box = options.box(game)
    values, texts = options.read(box, moves)
    match = options.new_match(box, seats, values, fair=False)
    for text in texts:
        _play(match, text, context.obj)
    for deep, number in enumerate(perfts(box.rules, match.state, depth), 1):
        typer.echo(f"{deep} {number}")


def _play(match: Match, text: str, messages: Messages) -> None:
    """Play a move for whoever may: luck, or the first seat to act for which it is legal."""
    actor = next((actor for actor in match.to_act if text in match.moves(actor)), (*match.to_act, 0)[0])
    try:
        match.play(actor, text)
    except IllegalMove as error:
        why = messages.refusal(match.game.stem, error)
        raise CommandError("wrong", "move", move=quoted(text), why=why) from None
