"""Pegs alone: layouts that need just as many cards as their grade says; a hint is a card or a peg."""

import numpy as np

from ludotheque.board.bits import Bits, cells
from ludotheque.board.bits import count as size
from ludotheque.board.punched import HOLES, RECTANGLES
from ludotheque.board.square import FULL, names
from ludotheque.puzzles.engines.engine import Moves, PuzzleEngine
from ludotheque.puzzles.human.hints import Hint
from ludotheque.puzzles.human.mistakes import subsets
from ludotheque.puzzles.making.noise import drawn
from ludotheque.puzzles.pegs_solo import LAY_0, PEGS, TEXTS, State, places_of
from ludotheque.puzzles.solving.layouts import bare, images, layouts
from ludotheque.puzzles.solving.pegs_solo import count, covers, solutions
from ludotheque.search.playouts import Noise

IMAGES = 8  # of a layout under the symmetries of the board
MAX_LAYOUTS = 40  # looked at for mistakes, the nearest first


def generate(cards: int, noise: Noise) -> dict[str, object]:
    """A layout that needs just so many cards, in any of its eight images."""
    some = bare()[cards]
    which, noise = drawn(len(some), noise)
    way, _ = drawn(IMAGES, noise)
    return {"cards": cards, "pegs": names(FULL & ~images(some[which])[way])}


def hint(state: State, solution: Moves, _told: int) -> Hint:
    """A card of a solution if all pegs are there, else the first peg."""
    ready = size(state.pegs) == PEGS
    move = next(move for move in solution if not ready or move >= LAY_0)
    return Hint("card" if move >= LAY_0 else "peg", covered(move), TEXTS[move])


def opening_hints(_state: State, solution: Moves) -> list[Hint]:
    """A card that is not the plainest."""
    return [Hint("card", move=TEXTS[solution[len(solution) // 2]])]


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
