"""Pegs alone: layouts that need just as many cards as their grade says; a hint is a card or a peg."""

from ludotheque.board.bits import Bits, cells, lowest
from ludotheque.board.bits import count as size
from ludotheque.board.punched import HOLES, PLACES, RECTANGLES
from ludotheque.board.square import FULL, NAMES, name, names
from ludotheque.extras import extra
from ludotheque.puzzles.engines.engine import Moves, PuzzleEngine
from ludotheque.puzzles.human.hints import WHERE, Hint
from ludotheque.puzzles.human.mistakes import subsets
from ludotheque.puzzles.human.pencil import mark_of
from ludotheque.puzzles.making.noise import drawn
from ludotheque.puzzles.pegs_solo import (
    LAY_0,
    LIFT_0,
    PEGS,
    TEXTS,
    State,
    legal,
    open_cells,
    places_of,
    play,
    winners,
)
from ludotheque.puzzles.solving.layouts import bare, images, layouts
from ludotheque.puzzles.solving.pegs_solo import count, covers, solutions
from ludotheque.search.playouts import Noise

with extra("players"):
    import numpy as np

IMAGES = 8  # of a layout under the symmetries of the board
MAX_LAYOUTS = 40  # looked at for mistakes, the nearest first


def generate(cards: int, noise: Noise) -> dict[str, object]:
    """A layout that needs just so many cards, in any of its eight images."""
    some = bare()[cards]
    which, noise = drawn(len(some), noise)
    way, _ = drawn(IMAGES, noise)
    return {"cards": cards, "pegs": names(FULL & ~images(some[which])[way])}


def hint(state: State, solution: Moves, strength: int) -> Hint:
    """A card over the cell that is hardest to cover if all pegs are there, else a peg that a card needs."""
    return (_card_hint if size(state.pegs) == PEGS else _peg_hint)(state, solution, strength)


def _peg_hint(state: State, solution: Moves, strength: int) -> Hint:
    """A peg for the card of the solution that lacks the fewest."""
    lacking = {
        move - LAY_0: size(HOLES[move - LAY_0] & ~state.pegs)
        for move in solution
        if move >= LAY_0 and HOLES[move - LAY_0] & ~state.pegs
    }
    place = min(lacking, key=lambda place: lacking[place])
    move = lowest(HOLES[place] & ~state.pegs)
    values = (("things", name(RECTANGLES[place])), ("card", str(PLACES[place].card)), ("cell", NAMES[move]))
    if strength == WHERE:
        return Hint("where-peg", RECTANGLES[place], strength=strength, values=values)
    return Hint("peg", covered(move), TEXTS[move], strength, (str(PLACES[place].card),), values)


def _card_hint(state: State, solution: Moves, strength: int) -> Hint:
    ways = {
        cell: [move for move in range(LAY_0, LIFT_0) if covered(move) >> cell & 1 and legal(state, 0, move)]
        for cell in cells(open_cells(state))
    }
    cell = min(ways, key=lambda cell: len(ways[cell]))
    values = (("things", NAMES[cell]), ("ways", str(len(ways[cell]))), ("cards", str(state.most)))
    if strength == WHERE:
        return Hint("where-card", 1 << cell, strength=strength, values=values)
    good = [move for move in ways[cell] if _leads_on(play(state, 0, move))]
    move = next(move for move in solution if move in good)
    sentence = "card-only" if len(ways[cell]) == 1 else "card-last" if len(good) == 1 else "card-any"
    marks = sorted({_card(move) for move in ways[cell]} - {_card(move) for move in good})
    return Hint(
        sentence,
        covered(move),
        TEXTS[move],
        strength,
        (str(_card(move)),),
        (*values, *PLACES[move - LAY_0].told),
        marks=tuple(mark_of(str(card), cell) for card in marks),
    )


def _leads_on(state: State) -> bool:
    return bool(winners(state) or solutions(state, 1))


def _card(move: int) -> int:
    return PLACES[move - LAY_0].card


def opening_hints(_state: State, solution: Moves) -> list[Hint]:
    """A card that is not the plainest."""
    move = solution[len(solution) // 2]
    return [Hint("card", move=TEXTS[move], values=PLACES[move - LAY_0].told)]


def mistakes(_fresh: State, state: State) -> set[int]:
    """The pegs and cards that are not as in the nearest layout that can be covered; cards too many on top."""
    put, places = state.pegs & ~state.given, places_of(state)
    possible = layouts(state.most)
    possible = possible[possible & state.given == state.given]
    missed = np.bitwise_count(put & ~possible).astype(np.int64)
    for place in places:
        missed += possible & RECTANGLES[place] != HOLES[place]
    nearest = [int(possible[number]) for number in np.argsort(missed, kind="stable")[:MAX_LAYOUTS]]
    return min((_mistakes_for(state, pegs) for pegs in nearest), key=len)


def _mistakes_for(state: State, pegs: Bits) -> set[int]:
    """What has to go for the pegs to become these, and the board to be covered then."""
    places = places_of(state)
    fitting = {place for place in places if pegs & RECTANGLES[place] == HOLES[place]}
    for some in subsets(fitting, len(fitting)):
        kept = tuple(fitting - some)
        if covers(pegs, state.most - len(kept), 1, kept):
            break
    gone = {LAY_0 + place for place in set(places) - (fitting - some)}
    return gone | set(cells(state.pegs & ~pegs))


def covered(move: int) -> Bits:
    """The cells of a card, or the one of a peg."""
    return 1 << move if move < LAY_0 else RECTANGLES[move - LAY_0]


ENGINE = PuzzleEngine(
    count=count,
    solutions=solutions,
    generate=generate,
    hint=hint,
    opening_hints=opening_hints,
    mistakes=mistakes,
    covered=covered,
)
