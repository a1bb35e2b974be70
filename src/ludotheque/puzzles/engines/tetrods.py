"""Tetrods: puzzles with one solution, graded by the longest what-if that cannot be avoided.

One forced move, two, three, up to six; beyond that, or where only trying helps, it is the fifth grade.
"""

from ludotheque.board.bits import Bits
from ludotheque.board.drilled import PIECES, PLACEMENTS, SINGLE
from ludotheque.board.square import CELLS, FULL, names
from ludotheque.extras import extra
from ludotheque.puzzles.engines.engine import Moves, PuzzleEngine
from ludotheque.puzzles.human.candidates import TRIAL, CoverPuzzle
from ludotheque.puzzles.human.effort import Rating, effort
from ludotheque.puzzles.human.explain import Position, inferences_to_the_end, next_hint, opening_hints
from ludotheque.puzzles.human.guess import SEED, fills_board
from ludotheque.puzzles.human.hints import Hint
from ludotheque.puzzles.human.mistakes import wrong_pieces
from ludotheque.puzzles.human.techniques import MAX_WHAT_IF_MOVES
from ludotheque.puzzles.making.noise import drawn
from ludotheque.puzzles.making.tilings import LOOKS, tables, unique_board
from ludotheque.puzzles.solving.cover import Task, stock, tagged
from ludotheque.puzzles.solving.tetrods import CORNERS, HOLES, SOLIDS, count, solutions
from ludotheque.puzzles.tetrods import GAME, NOWHERE, TEXTS, State
from ludotheque.search.compiled import built
from ludotheque.search.playouts import Noise

with extra("players"):
    import numpy as np

WORDS = np.array([tagged(placement.cells, placement.piece) for placement in PLACEMENTS])
PIECE_OF = np.array([placement.piece for placement in PLACEMENTS])
SQUARES = 4  # of a piece

FORCED_MOVES = {1: 1, 2: 2, 3: 3, 4: 6, 5: MAX_WHAT_IF_MOVES}
"""How many forced moves a what-if of each grade follows at most."""


def generate(grade: int, noise: Noise) -> dict[str, object]:
    """Boards of one look with one solution, until one has the grade."""
    look, noise = drawn(len(LOOKS), noise)
    while True:
        noise, mushrooms = built(unique_board)(tables(), np.uint64(noise), look)
        state = State(mushrooms, 0, (NOWHERE,) * len(PIECES))
        if promising(state, grade) and rate(state).grade == grade:
            return {"mushrooms": names(mushrooms)}


def rate(state: State) -> Rating:
    """The rating of a puzzle that has exactly one solution."""
    inferences, _ = inferences_to_the_end(position(state))
    longest, tries = int(inferences[:, 4].max()), TRIAL in inferences[:, 0]
    grade = next(grade for grade, moves in FORCED_MOVES.items() if longest <= moves)
    return Rating(max(FORCED_MOVES) if tries else grade, effort(inferences))


def promising(state: State, grade: int) -> bool:
    """Whether what-ifs of this grade solve the puzzle: much quicker than rating it, and nearly always right."""
    hardest = grade == max(FORCED_MOVES)
    return bool(hardest or built(fills_board)(position(state).puzzle, FORCED_MOVES[grade], SEED)[1])


def position(state: State) -> Position:
    """What is possible, without the colours, which a person has to find."""
    open_cells = FULL & ~state.covered
    laid = [piece for piece, move in enumerate(state.laid) if move != NOWHERE]
    possible = (HOLES & state.mushrooms != 0) & (SOLIDS & state.mushrooms == 0) & (WORDS & state.covered == 0)
    moves = np.flatnonzero(possible & ~np.isin(PIECE_OF, laid))
    task = Task(WORDS[moves], open_cells, stock(*(int(move == NOWHERE) for move in state.laid)))
    puzzle = CoverPuzzle(task, state.mushrooms & open_cells, SQUARES, 1 << CELLS + SINGLE, FULL & ~CORNERS)
    return Position(puzzle, moves, TEXTS, PIECES)


def hint(state: State, _solution: Moves, strength: int) -> Hint:
    return next_hint(GAME, position(state), strength)


def first_hints(state: State, _solution: Moves) -> list[Hint]:
    return opening_hints(position(state))


def mistakes(fresh: State, state: State) -> set[int]:
    return wrong_pieces(GAME, solutions, fresh, {move for move in state.laid if move != NOWHERE})


def covered(move: int) -> Bits:
    return PLACEMENTS[move].cells


ENGINE = PuzzleEngine(
    count=count,
    solutions=solutions,
    generate=generate,
    hint=hint,
    opening_hints=first_hints,
    mistakes=mistakes,
    covered=covered,
    position=position,
    rate=rate,
)
