"""Other people's solvers, to solve our puzzles again: `exact-cover` and CP-SAT. They share nothing with ours but the
rules' tables of pieces."""

import numpy as np
from exact_cover import get_solution_count
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


class Counter(cp_model.CpSolverSolutionCallback):
    """Counts solutions."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def on_solution_callback(self) -> None:
        self.number += 1


def hepta(blockers: tuple[str, ...]) -> int:
    """The number of solutions by CP-SAT, which can be told that there are seven of each shape."""
    bits = sum(1 << NUMBERS[cell] for cell in blockers)
    model = cp_model.CpModel()
    eyes = {mask: model.new_bool_var(f"I{mask}") for mask in EYES if not mask & bits}
    ells = {mask: model.new_bool_var(f"L{mask}") for mask in ELLS if not mask & bits}
    both = eyes | ells
    for cell in range(CELLS):
        if not bits >> cell & 1:
            model.add_exactly_one(var for mask, var in both.items() if mask >> cell & 1)
    model.add(sum(eyes.values()) == 7)
    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, counter)
    return counter.number


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
