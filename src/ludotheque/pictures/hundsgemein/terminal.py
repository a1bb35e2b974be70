"""Hundsgemein as coloured text.

A flea is its type's letter, with its owner's sign if that may be known; the last one placed is lit. Beside every
street are its dog, what it is worth and the sign of the seat that takes it. Below, for each seat: a pointer if it is
to play, its sign, its open fleas, how many it has in stock, its points once they are known, a hand if it may object.
"""

from ludotheque.board.square import SIDE, at
from ludotheque.game import NOBODY
from ludotheque.games.hundsgemein.scoring import scores, taker
from ludotheque.games.hundsgemein.state import (
    CENTRE,
    DOGS,
    KINDS,
    OVER,
    STREETS,
    VALUES,
    State,
    dog,
    open_fleas,
    pile,
    secret,
)
from ludotheque.pictures.hundsgemein.geometry import UP_STREETS

SIGNS = ("●", "■", "▲", "◆")
STYLES = ("red", "green3", "yellow", "dodger_blue1")
BLOCK_COLUMNS = 7  # from one block to the next
MARGIN_COLUMNS = 4


def text(state: State) -> str:
    lines = [_heads(state, part) for part in range(3)]
    for rank in reversed(range(SIDE)):
        blocks = "[dim]  │  [/]".join(_block(state, at(file, rank)) for file in range(SIDE))
        lines.append(f" [dim]{rank + 1}[/]  {blocks}")
        if rank:
            lines.append(_sideways(state, rank - 1))
    lines.append(" " * MARGIN_COLUMNS + (" " * (BLOCK_COLUMNS - 1)).join(f"[dim]{file}[/]" for file in "abcdefg"))
    return "\n".join([*lines, "", *(_seat(state, seat) for seat in range(state.seats))])


def _heads(state: State, part: int) -> str:
    """Over the streets that run up: their names, their dogs, their values and takers."""
    rows = (
        [f"[dim]{STREETS[street]:^{BLOCK_COLUMNS}}[/]" for street in UP_STREETS],
        [f"{dog(state, street) or '':^{BLOCK_COLUMNS}}" for street in UP_STREETS],
        [f"  {_value(state, street)} {_sign(state, street)}  " for street in UP_STREETS],
    )
    return " " * (MARGIN_COLUMNS + 1) + "".join(rows[part])


def _sideways(state: State, street: int) -> str:
    road = "──┼──".join(["──"] * SIDE)
    name = dog(state, street) or ""
    return f"    [dim]{road}  {STREETS[street]}[/] {name:5} {_value(state, street)} {_sign(state, street)}"


def _value(state: State, street: int) -> str:
    name = dog(state, street)
    return str(VALUES[DOGS.index(name) + 1]) if name else " "


def _sign(state: State, street: int) -> str:
    """Who takes the dog, as far as it may be known; a cross for nobody in the end."""
    if secret(state):
        return " "
    seat = taker(state, street)
    if seat == NOBODY:
        return "[dim]×[/]" if state.phase == OVER else " "
    return f"[{STYLES[seat]}]{SIGNS[seat]}[/]"


def _block(state: State, cell: int) -> str:
    kind = next((kind for kind, fleas in zip(KINDS, state.fleas, strict=True) if fleas >> cell & 1), None)
    if kind is None:
        return "[dim]╳╳[/]" if cell == CENTRE else "[dim]░░[/]"
    style = "bold reverse" if cell == state.last else "bold"
    owner = next((seat for seat in range(4) if state.owners[seat] >> cell & 1), None)
    if owner is None:
        return f"[{style}]{kind}[/] "
    return f"[{style}]{kind}[/][{STYLES[owner]}]{SIGNS[owner]}[/]"


def _seat(state: State, seat: int) -> str:
    pointer = "▸" if seat == state.turn and state.phase != OVER else " "
    fleas = " ".join(open_fleas(state, seat))
    points = "" if secret(state) else f"  = {scores(state)[seat]}"
    hand = "  !" if state.objectors >> seat & 1 else ""
    return (
        f" {pointer} [{STYLES[seat]}]{SIGNS[seat]}[/]  [bold]{fleas:3}[/]  [dim]+{pile(state, seat)}[/]{points}{hand}"
    )
