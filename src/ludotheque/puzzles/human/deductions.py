"""Deductions as data and in words: what follows, from what, and what to mark on the picture.

steps_to_next(key, state)     the deductions that lead to the next piece, and none that it does not rest on
solved(key, state)            all of them, to the end
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ludotheque import words
from ludotheque.board.bits import Bits, cells, count
from ludotheque.board.drilled import PIECES as TETRODS
from ludotheque.board.drilled import PLACEMENTS, SINGLE
from ludotheque.board.square import CELLS, FULL, name
from ludotheque.puzzles import hepta_solo, tetrods
from ludotheque.puzzles.human import thinking
from ludotheque.puzzles.human.thinking import FIELDS, LONGEST, Puzzle, Thought, think, trim
from ludotheque.puzzles.solving.cover import Ints, Task, laid, stock, tagged
from ludotheque.puzzles.solving.hepta_solo import WORDS as HEPTA_WORDS
from ludotheque.puzzles.solving.tetrods import CORNERS, HOLES, SOLIDS
from ludotheque.search.compiled import built

MANY = 600  # deductions, more than any puzzle has taken
WORDS = np.array([tagged(placement.cells, placement.piece) for placement in PLACEMENTS])
AnyState: TypeAlias = Any  # the state of whichever puzzle the key names


class Position(NamedTuple):
    """A puzzle as the compiled part sees it, and which move each option is."""

    puzzle: Puzzle
    moves: Ints
    texts: tuple[str, ...]
    pieces: tuple[str, ...]


class Deduction(NamedTuple):
    """What follows in every solution; a `choice` alone is one way of several."""

    kind: str
    """The name of its sentence."""

    lays: int | None
    """The move it lays, or"""

    out: tuple[int, ...]
    """the moves it rules out."""

    cells: Bits
    """What to mark on the picture."""

    tried: int | None
    """The move that a what-if begins with."""

    steps: int
    """How many forced moves it follows."""

    values: tuple[tuple[str, str], ...]

    def say(self, lang: str) -> str:
        """The deduction in words."""
        return words.say(None, lang, "puzzles", "deductions", self.kind, **dict(self.values))


def solved(key: str, state: AnyState, longest: int = LONGEST) -> list[Deduction]:
    """All deductions from here to the end; fewer if what-ifs of so many moves do not lead there."""
    position = POSITIONS[key](state)
    thoughts, number, _ = _thought(position.puzzle, longest, one=False)
    return _told(position, thoughts[:number])


def steps_to_next(key: str, state: AnyState) -> list[Deduction]:
    """The deductions that lead to the next piece laid; none if the board is full or cannot be filled."""
    position = POSITIONS[key](state)
    thoughts, number, reached = _thought(position.puzzle, LONGEST, one=True)
    if not reached or thoughts[number - 1, 3] < 0:
        return []
    number = built(trim)(position.puzzle, np.ones(len(position.moves), np.int64), thoughts, number)
    return _told(position, thoughts[:number])


def thoughts_on(key: str, state: AnyState, longest: int = LONGEST) -> tuple[Ints, bool]:
    """The deductions without words, as rows, for whoever counts them; and whether they lead to the end."""
    thoughts, number, reached = _thought(POSITIONS[key](state).puzzle, longest, one=False)
    return thoughts[:number], reached


def _thought(puzzle: Puzzle, longest: int, *, one: bool) -> tuple[Ints, int, bool]:
    thoughts = np.zeros((MANY, FIELDS), np.int64)
    number, reached = built(think)(puzzle, np.ones(len(puzzle.task.options), np.int64), thoughts, longest, one=one)
    return thoughts, number, reached


def _told(position: Position, thoughts: Ints) -> list[Deduction]:
    """Thoughts as deductions, each with what it changed."""
    options = position.puzzle.task.options
    alive, told = np.ones(len(options), np.int64), []
    need, left = position.puzzle.task.board, position.puzzle.task.left
    for row in thoughts.tolist():
        thought, before = Thought(*row), alive.copy()
        if thought.kind in (thinking.LAY, thinking.CHOICE):
            barred, need, left = laid(int(options[thought.option]), need, left)
            alive[options & barred != 0] = 0
            told.append(_deduction(position, thought, np.empty(0, np.int64)))
        else:
            built(thinking.rule_out)(position.puzzle, alive, thought)
            told.append(_deduction(position, thought, np.flatnonzero(before > alive)))
    return told


def _deduction(position: Position, thought: Thought, out: Ints) -> Deduction:
    lays = thought.kind in (thinking.LAY, thinking.CHOICE)
    move = None if thought.option < 0 else int(position.moves[thought.option])
    mushrooms = position.puzzle.mushrooms
    option = 0 if move is None else int(position.puzzle.task.options[thought.option]) & FULL
    values = {
        "move": "" if move is None else position.texts[move],
        "steps": str(thought.steps),
        "things": _names(thought.thing, position.pieces),
        "others": _names(thought.other, position.pieces),
        "area": str(count(thought.thing & FULL)),
        "mushrooms": str(count(thought.thing & mushrooms)),
    }
    return Deduction(
        _kind(thought, mushrooms),
        move if lays else None,
        tuple(int(position.moves[option]) for option in out),
        (thought.thing | thought.other * (thought.kind in (thinking.POINT, thinking.PAIR)) | option) & FULL,
        None if lays else move,
        thought.steps,
        tuple(values.items()),
    )


def _kind(thought: Thought, mushrooms: Bits) -> str:
    thing, other = _sort(thought.thing, mushrooms), _sort(thought.other, mushrooms)
    size = "region" if mushrooms else "size"
    return {
        thinking.LAY: f"lay-{thing}",
        thinking.POINT: f"point-{thing}-{other}",
        thinking.COLOUR: "colour",
        thinking.PAIR: f"pair-{thing}",
        thinking.REGION: size,
        thinking.STARVE: f"starve-{thing}",
        thinking.WHAT_IF: f"what-if-{size if thought.other == thinking.REGION else thing}",
        thinking.TRIAL: "trial",
        thinking.CHOICE: "choice",
    }[thought.kind]


def _sort(thing: int, mushrooms: Bits) -> str:
    if not thing & FULL:
        return "piece"
    return "mushroom" if thing & FULL & ~mushrooms == 0 else "cell"


def _names(things: int, pieces: tuple[str, ...]) -> str:
    """Cells, or pieces."""
    return name(things & FULL) if things & FULL else ", ".join(pieces[tag] for tag in cells(things >> CELLS))


def _tetrods(state: tetrods.State) -> Position:
    free = HOLES & state.mushrooms != 0
    free &= (SOLIDS & state.mushrooms == 0) & (WORDS & FULL & state.covered == 0)
    free &= ~np.isin(np.array([placement.piece for placement in PLACEMENTS]), _laid(state))
    moves = np.flatnonzero(free)
    task = Task(WORDS[moves], FULL & ~state.covered, stock(*(int(move < 0) for move in state.laid)))
    puzzle = Puzzle(task, state.mushrooms & ~state.covered, 4, 1 << CELLS + SINGLE, FULL & ~CORNERS)
    return Position(puzzle, moves, tetrods.TEXTS, TETRODS)


def _laid(state: tetrods.State) -> list[int]:
    return [piece for piece, move in enumerate(state.laid) if move != tetrods.NOWHERE]


def _hepta(state: hepta_solo.State) -> Position:
    eyes, ells = hepta_solo.left(state)
    barred = state.blockers | state.covered | (0 if eyes else 1 << CELLS) | (0 if ells else 1 << CELLS + 1)
    moves = np.flatnonzero(HEPTA_WORDS & barred == 0)
    task = Task(HEPTA_WORDS[moves], FULL & ~(state.blockers | state.covered), stock(eyes, ells))
    return Position(Puzzle(task, 0, 3, 0, 0), moves, hepta_solo.TEXTS, ("I", "L"))


POSITIONS: dict[str, Callable[[AnyState], Position]] = {"tetrods": _tetrods, "hepta-solo": _hepta}
