"""Hepta alone: puzzles graded by how far ahead one has to look.

A puzzle nearly always has many solutions, and one may go far by laying what one likes. Its grade is how far ahead one
has to look for that: someone who makes every deduction, with what-ifs of so many forced moves, and lays anything
where nothing follows, fills the board at least every other time. The effort is what the puzzle costs the same person
at every grade, one who sees one forced move ahead, guesses, and begins again when that was wrong.
"""

from collections.abc import Callable

from ludotheque.board.bits import Bits
from ludotheque.board.bits import count as size
from ludotheque.board.square import CELLS, FULL, SIDE, names
from ludotheque.extras import extra
from ludotheque.games.hepta import BLOCKERS
from ludotheque.puzzles.engines.engine import Moves, PuzzleEngine
from ludotheque.puzzles.hepta_solo import GAME, MASKS, NOTHING, SHAPES, TEXTS, State, left, start
from ludotheque.puzzles.human.candidates import INFERENCE_FIELDS, CoverPuzzle
from ludotheque.puzzles.human.effort import Rating, effort
from ludotheque.puzzles.human.explain import MAX_DEDUCTIONS, Position, next_hint, opening_hints
from ludotheque.puzzles.human.guess import SEED, fills_often, solve_with_guesses
from ludotheque.puzzles.human.hints import Hint
from ludotheque.puzzles.human.mistakes import wrong_pieces
from ludotheque.puzzles.making.noise import drawn
from ludotheque.puzzles.solving.cover import Task, stock
from ludotheque.puzzles.solving.hepta_solo import WORDS, count, solutions
from ludotheque.search.compiled import built
from ludotheque.search.playouts import Noise

with extra("players"):
    import numpy as np

SQUARES = 3  # of a piece
MAX_PATTERNS = 200  # symmetric patterns tried before blockers are scattered instead

LOOKAHEAD = {1: 0, 2: 1, 3: 2, 4: 4}
"""How many forced moves the what-ifs of each grade follow; the fifth knows no limit."""

HARDEST = 5
GRADING_TRIES = 32
PERSON_LOOKAHEAD = 1  # forced moves that the person sees whose effort is told
PERSON_SUCCESSES, PERSON_MAX_TRIES = 8, 400  # enough for an average, and when to give up

SYMMETRIES: tuple[Callable[[int], int], ...] = (
    lambda cell: CELLS - 1 - cell,  # a half turn
    lambda cell: cell // SIDE * SIDE + SIDE - 1 - cell % SIDE,  # above and below
    lambda cell: (SIDE - 1 - cell // SIDE) * SIDE + cell % SIDE,  # left and right
    lambda cell: cell % SIDE * SIDE + cell // SIDE,  # across the diagonal
)


def generate(wanted: int, noise: Noise) -> dict[str, object]:
    """Blockers, every other time in a symmetric pattern, until they have the grade."""
    symmetric, noise = drawn(2, noise)
    tried = 0
    while True:
        tried += 1
        blockers, noise = (_pattern if symmetric and tried < MAX_PATTERNS else _scattered)(noise)
        state = start(1, blockers=tuple(names(blockers)))
        if count(state, 1) and grade(state) == wanted:
            return {"blockers": names(blockers)}


def _scattered(noise: Noise) -> tuple[Bits, Noise]:
    bits = 0
    while size(bits) < BLOCKERS:
        cell, noise = drawn(CELLS, noise)
        bits |= 1 << cell
    return bits, noise


def _pattern(noise: Noise) -> tuple[Bits, Noise]:
    """Seven cells that a symmetry of the board leaves in place."""
    way, noise = drawn(len(SYMMETRIES), noise)
    bits = 0
    while size(bits) != BLOCKERS:
        cell, noise = drawn(CELLS, noise)
        bits |= 1 << cell | 1 << SYMMETRIES[way](cell)
        if size(bits) > BLOCKERS:
            bits = 0
    return bits, noise


def rate(state: State) -> Rating:
    """The rating of a puzzle that has a solution."""
    return Rating(grade(state), _effort(state))


def grade(state: State) -> int:
    """How far ahead one has to look."""
    puzzle = position(state).puzzle
    enough = (each for each, moves in LOOKAHEAD.items() if built(fills_often)(puzzle, moves, GRADING_TRIES))
    return next(enough, HARDEST)


def _effort(state: State) -> int:
    """What the puzzle costs a person who begins again after a wrong guess, on average."""
    puzzle, noise = position(state).puzzle, SEED
    inferences = np.zeros((MAX_DEDUCTIONS, INFERENCE_FIELDS), np.int64)
    spent = successes = tries = 0
    while successes < PERSON_SUCCESSES and tries < PERSON_MAX_TRIES:
        noise, number, full = built(solve_with_guesses)(puzzle, inferences, PERSON_LOOKAHEAD, np.uint64(noise))
        spent += effort(inferences[:number])
        successes += full
        tries += 1
    return round(spent / max(successes, 1))


def position(state: State) -> Position:
    """What is possible."""
    eyes, ells = left(state)
    barred = state.blockers | state.covered | (0 if eyes else 1 << CELLS) | (0 if ells else 1 << CELLS + 1)
    moves = np.flatnonzero(WORDS & barred == 0)
    task = Task(WORDS[moves], FULL & ~(state.blockers | state.covered), stock(eyes, ells))
    return Position(CoverPuzzle(task, 0, SQUARES, 0, 0), moves, TEXTS, SHAPES)


def hint(state: State, _solution: Moves, strength: int) -> Hint:
    return next_hint(GAME, position(state), strength)


def first_hints(state: State, _solution: Moves) -> list[Hint]:
    return opening_hints(position(state))


def mistakes(fresh: State, state: State) -> set[int]:
    return wrong_pieces(GAME, solutions, fresh, {move for move in state.laid if move != NOTHING})


def covered(move: int) -> Bits:
    return MASKS[move]


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
