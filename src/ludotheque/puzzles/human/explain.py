"""From a position to deductions in words: the compiled part finds them, this part tells them.

deductions_to_next_piece(position)    those that lead to the next piece, and none that it does not rest on
deductions_to_the_end(position)       all of them
"""

from collections.abc import Iterable
from typing import NamedTuple

from ludotheque.board.bits import Bits, cells, count
from ludotheque.board.square import CELLS, FULL, name
from ludotheque.extras import extra
from ludotheque.game import AnyGame
from ludotheque.puzzles.human.candidates import (
    CHOICE,
    COLOUR,
    INFERENCE_FIELDS,
    LAY,
    PAIR,
    POINT,
    REGION,
    STARVE,
    TRIAL,
    WHAT_IF,
    CoverPuzzle,
    Inference,
    rule_out,
)
from ludotheque.puzzles.human.chains import short_chain
from ludotheque.puzzles.human.deduce import deduce, rounds, trim
from ludotheque.puzzles.human.deductions import Deduction, collapsed
from ludotheque.puzzles.human.effort import effort
from ludotheque.puzzles.human.hints import WHERE, Hint
from ludotheque.puzzles.human.pencil import mark_of
from ludotheque.puzzles.human.techniques import MAX_WHAT_IF_MOVES
from ludotheque.puzzles.solving.cover import Ints, laid
from ludotheque.search.compiled import built

with extra("players"):
    import numpy as np

MAX_DEDUCTIONS = 600  # more than any puzzle has taken
OPENING_HINTS = 2
EASY_CHAIN = 6  # deductions, for which no shorter chain is looked for
LOOKAHEADS = (1, 2, 3, 4, 6, 9, MAX_WHAT_IF_MOVES)  # forced moves that the what-ifs of a shorter chain follow


class Position(NamedTuple):
    """A position as the compiled part sees it, and which move each of its options is."""

    puzzle: CoverPuzzle
    moves: Ints
    texts: tuple[str, ...]
    pieces: tuple[str, ...]


def next_hint(game: AnyGame, position: Position, strength: int) -> Hint:
    """A hint of this strength about the next piece: where to look for it, or how one finds it."""
    *chain, last = deductions_to_next_piece(position)
    assert last.lays is not None
    steps = collapsed(chain)
    if strength == WHERE:
        return Hint(
            f"where-{last.about}",
            last.around,
            strength=strength,
            pieces=last.pieces,
            values=last.values,
            hard=bool(steps),
        )
    return Hint(
        "step",
        last.cells,
        game.texts[last.lays],
        strength,
        last.pieces,
        deduction=last,
        chain=steps,
        marks=ruled_out(position, chain),
        hard=bool(steps),
    )


def ruled_out(position: Position, deductions: Iterable[Deduction]) -> tuple[str, ...]:
    """The pencil marks of some deductions: which piece lies no longer where, on mushrooms if there are any."""
    options, gone = position.puzzle.task.options, {move for each in deductions for move in each.out}
    alive = np.array([move not in gone for move in position.moves.tolist()], np.bool_)
    marks = []
    for cell in cells(position.puzzle.mushrooms or position.puzzle.task.board):
        for tag, piece in enumerate(position.pieces):
            both = 1 << cell | 1 << CELLS + tag
            fits = options & both == both
            if fits.any() and not (fits & alive).any():
                marks.append(mark_of(piece, cell))
    return tuple(marks)


def opening_hints(position: Position) -> list[Hint]:
    """The last deductions on the way to the first piece."""
    return [Hint("step", deduction=each) for each in deductions_to_next_piece(position)[-OPENING_HINTS:]]


def deductions_to_the_end(position: Position, max_moves: int = MAX_WHAT_IF_MOVES) -> list[Deduction]:
    """All deductions from here to the end; fewer if what-ifs of so many moves do not lead there."""
    inferences, _ = inferences_to_the_end(position, max_moves)
    return _explained(position, inferences)


def deductions_to_next_piece(position: Position) -> list[Deduction]:
    """The deductions that lead to the next piece laid; none if the board is full or cannot be filled.

    Those that can be made at the same time and say the same stand side by side.
    """
    inferences, number, reached = _deduced(position.puzzle, MAX_WHAT_IF_MOVES, one=True)
    if not number or not reached or inferences[number - 1, 3] < 0:
        return []
    alive = np.ones(len(position.moves), np.int64)
    number = built(trim)(position.puzzle, alive, inferences, number)
    chain = _easiest(position.puzzle, inferences[:number])
    when = built(rounds)(position.puzzle, alive, chain, len(chain) - 1)
    return _explained(position, chain[[*_side_by_side(chain[:-1], when), len(chain) - 1]])


def _easiest(puzzle: CoverPuzzle, nearest: Ints) -> Ints:
    """Of several chains to the next piece, the one that costs a person least; a short one is easy enough."""
    chains = [nearest]
    for max_moves in LOOKAHEADS if len(nearest) > EASY_CHAIN else ():
        inferences = np.zeros((len(puzzle.task.options) + MAX_DEDUCTIONS, INFERENCE_FIELDS), np.int64)
        number = built(short_chain)(puzzle, inferences, max_moves)
        if number:
            chains.append(inferences[:number])
    return min(chains, key=effort)


def _side_by_side(inferences: Ints, when: Ints) -> list[int]:
    """The rows in the order in which they are told: round by round, equal ones together."""
    firsts: dict[tuple[int, ...], int] = {}
    keys = []
    for row, told in enumerate(when.tolist()):
        kind, item, other, _, _ = inferences[row].tolist()
        keys.append((told, firsts.setdefault((told, kind, item, other), row), row))
    return [row for *_, row in sorted(keys)]


def inferences_to_the_end(position: Position, max_moves: int = MAX_WHAT_IF_MOVES) -> tuple[Ints, bool]:
    """The deductions without words, as rows, for whoever counts them; and whether they lead to the end."""
    inferences, number, reached = _deduced(position.puzzle, max_moves, one=False)
    return inferences[:number], reached


def _deduced(puzzle: CoverPuzzle, max_moves: int, *, one: bool) -> tuple[Ints, int, bool]:
    inferences = np.zeros((MAX_DEDUCTIONS, INFERENCE_FIELDS), np.int64)
    alive = np.ones(len(puzzle.task.options), np.int64)
    number, reached = built(deduce)(puzzle, alive, inferences, max_moves, one=one)
    return inferences, number, reached


def _explained(position: Position, inferences: Ints) -> list[Deduction]:
    """Rows as deductions, each with what it changed."""
    options = position.puzzle.task.options
    alive, explained = np.ones(len(options), np.int64), []
    need, left = position.puzzle.task.board, position.puzzle.task.left
    for row in inferences.tolist():
        inference, before = Inference(*row), alive.copy()
        if inference.kind in (LAY, CHOICE):
            barred, need, left = laid(int(options[inference.option]), need, left)
            alive[options & barred != 0] = 0
            explained.append(_deduction(position, inference, np.empty(0, np.int64)))
        else:
            built(rule_out)(position.puzzle, alive, inference)
            explained.append(_deduction(position, inference, np.flatnonzero(before > alive)))
    return explained


def _deduction(position: Position, inference: Inference, out: Ints) -> Deduction:
    lays = inference.kind in (LAY, CHOICE)
    move = None if inference.option < 0 else int(position.moves[inference.option])
    mushrooms = position.puzzle.mushrooms
    option = 0 if move is None else int(position.puzzle.task.options[inference.option]) & FULL
    pieces = [*_pieces(inference.item, position.pieces), *_pieces(inference.other, position.pieces)]
    values = {
        "move": "" if move is None else position.texts[move],
        "steps": str(inference.steps),
        "things": _names(inference.item, position.pieces),
        "others": _names(inference.other, position.pieces),
        "area": str(count(inference.item & FULL)),
        "mushrooms": str(count(inference.item & mushrooms)),
    }
    return Deduction(
        _kind(inference, mushrooms),
        _sort(inference.item, mushrooms),
        move if lays else None,
        tuple(int(position.moves[option]) for option in out),
        inference.item & FULL,
        (inference.item | inference.other * (inference.kind in (POINT, PAIR)) | option) & FULL,
        tuple(pieces),
        None if lays else move,
        inference.steps,
        tuple(values.items()),
    )


def _kind(inference: Inference, mushrooms: Bits) -> str:
    item, other = _sort(inference.item, mushrooms), _sort(inference.other, mushrooms)
    size = "region" if mushrooms else "size"
    return {
        LAY: f"lay-{item}",
        POINT: f"point-{item}-{other}",
        COLOUR: "colour",
        PAIR: f"pair-{item}",
        REGION: size,
        STARVE: f"starve-{item}",
        WHAT_IF: f"what-if-{size if inference.other == REGION else item}",
        TRIAL: "trial",
        CHOICE: "choice",
    }[inference.kind]


def _sort(item: int, mushrooms: Bits) -> str:
    if not item & FULL:
        return "piece"
    return "mushroom" if item & FULL & ~mushrooms == 0 else "cell"


def _names(items: int, pieces: tuple[str, ...]) -> str:
    """Cells, or pieces."""
    return name(items & FULL) if items & FULL else ", ".join(_pieces(items, pieces))


def _pieces(items: int, pieces: tuple[str, ...]) -> list[str]:
    """The pieces among some items, if none of these is a cell."""
    return [] if items & FULL else [pieces[tag] for tag in cells(items >> CELLS)]
