"""Other people's solvers, to solve our puzzles again: `exact-cover` and CP-SAT. They share nothing with ours but the
rules' tables of pieces."""

import numpy as np
from exact_cover import get_all_solutions, get_solution_count
from exact_cover.error import NoSolution
from ortools.sat.python import cp_model

from ludotheque.board.drilled import PIECES, PLACEMENTS
from ludotheque.board.punched import HOLES, PLACES, RECTANGLES
from ludotheque.board.square import CELLS, NUMBERS
from ludotheque.games.hepta import ELLS, EYES


def tetrods(mushrooms: tuple[str, ...]) -> int:
    """The number of solutions by exact cover: a column for every cell and every piece."""
    bits = sum(1 << NUMBERS[cell] for cell in mushrooms)
    rows = [
        [*(placement.cells >> cell & 1 for cell in range(CELLS)), *(placement.piece == n for n in range(len(PIECES)))]
        for placement in PLACEMENTS
        if bits >> placement.hole & 1 and not bits & placement.solid
    ]
    return int(get_solution_count(np.array(rows, dtype=bool)))


def hepta(blockers: tuple[str, ...]) -> int:
    """The number of solutions by exact cover of the cells, of which those with seven of each shape are kept."""
    bits = sum(1 << NUMBERS[cell] for cell in blockers)
    masks = [mask for mask in EYES + ELLS if not mask & bits]
    table = np.array([[mask >> cell & 1 for cell in range(CELLS) if not bits >> cell & 1] for mask in masks], bool)
    straight = np.array([mask in EYES for mask in masks])
    try:
        return sum(int(straight[list(rows)].sum()) == 7 for rows in get_all_solutions(table))
    except NoSolution:
        return 0


def pegs(layout: tuple[str, ...]) -> int | None:
    """The fewest cards that cover the board over these pegs, by CP-SAT; None if none do."""
    bits = sum(1 << NUMBERS[cell] for cell in layout)
    model = cp_model.CpModel()
    used = {
        place: model.new_bool_var(str(PLACES[place]))
        for place in range(len(PLACES))
        if bits & RECTANGLES[place] == HOLES[place]
    }
    for cell in range(CELLS):
        model.add_at_least_one(var for place, var in used.items() if RECTANGLES[place] >> cell & 1)
    for card in range(1, 36):
        model.add_at_most_one(var for place, var in used.items() if PLACES[place].card == card)
    model.minimize(sum(used.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    return round(solver.objective_value) if solver.solve(model) == cp_model.OPTIMAL else None
