"""The solitaire of Pegs to be seen: cards by their outlines and numbers, pegs looking out of the holes."""

from ludotheque.board.bits import count
from ludotheque.board.punched import PLACES
from ludotheque.board.square import CELLS
from ludotheque.pictures.outlines import EMPTY, Look, outlined
from ludotheque.puzzles.pegs_solo import NO_CARD, PEGS, Laid, State, places_of, topmost

STYLES = ("white on dodger_blue3", "black on sky_blue2", "white on blue3", "black on light_steel_blue1")
LINE = 5  # cards named in a line


def text(state: State) -> str:
    places = places_of(state)
    board = outlined([_look(state, places, cell) for cell in range(CELLS)])
    left = f"   ● {PEGS - count(state.pegs)}   ▤ {state.most - len(places)}"
    names = [f"[{_style(number)}] {PLACES[place]} [/]" for number, place in enumerate(places)]
    lines = ["   " + " ".join(names[first : first + LINE]) for first in range(0, len(names), LINE)]
    return "\n".join((board, "", left, *([""] if lines else []), *lines))


def _look(state: State, places: Laid, cell: int) -> Look:
    peg = state.pegs >> cell & 1
    number = topmost(places, cell)
    if number != NO_CARD:
        return Look(number, " ● " if peg else f" {PLACES[places[number]].card:<2}", _style(number))
    if state.given >> cell & 1:
        return Look(EMPTY, " ◉ ", "bold")
    return Look(EMPTY, " ● ", "bold") if peg else Look(EMPTY, " · ", "dim")


def _style(number: int) -> str:
    return STYLES[number % len(STYLES)]
