"""Solutions counted, ours beside other people's solvers: the same 200 Tetrods and 200 Hepta puzzles, in one run.

    scripts/benchmark puzzles [--puzzles 200] [--turns 3] [--write docs/benchmarks/puzzles.md]

All count up to 1,000 solutions on one core, from the same tables of options, which are made beforehand. Hepta's seven
pieces of each shape are no exact cover; the two solvers that know nothing else are given the cells alone, and what
they find is kept only if it has seven of each.
"""

import argparse
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median

import numpy as np
from exact_cover import get_all_solutions
from exact_cover.error import NoSolution
from numpy.typing import NDArray
from ortools.sat.python import cp_model
from xcover import covers_bool

from ludotheque.board.square import NAMES
from ludotheque.puzzles import hepta_solo, tetrods
from ludotheque.puzzles.engines import tetrods as tetrods_engine
from ludotheque.puzzles.making.tilings import ANY, tables, unique_board
from ludotheque.puzzles.solving import hepta_solo as hepta_solver
from ludotheque.puzzles.solving import tetrods as tetrods_solver
from ludotheque.puzzles.solving.cover import Task, solve
from ludotheque.search.compiled import built

LIMIT = 1000
TURN_S = 0.01  # in which the runs of a turn begin
CELLS, PIECES = 49, 13
Bools = NDArray[np.bool_]
HEAD = """# Solutions counted

Written by `scripts/benchmark puzzles`: {number} puzzles each, up to {limit} solutions, one core, Python {python}.
Times are CPU time for one puzzle. Solvers take turns ({turns} each); a turn is one run, or as many as begin in ten
milliseconds, and a solver's best run counts: so no solver starts with cold caches, though fast ones have more runs to
choose from. The tables of options are made beforehand for all. All solvers found the same counts.

| puzzle | solver | median, ms | mean, ms | ÷ ours, median | ÷ ours, mean |
|---|---|--:|--:|--:|--:|"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=200, help="of each kind")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    parser.add_argument("--turns", type=int, default=3, help="of each solver at each puzzle")
    wanted = parser.parse_args()
    page = report(wanted.puzzles, wanted.turns)
    print(page)
    if wanted.write:
        wanted.write.parent.mkdir(parents=True, exist_ok=True)
        wanted.write.write_text(page, encoding="utf-8")


def report(number: int, turns: int) -> str:
    lines = [HEAD.format(number=number, limit=LIMIT, python=platform.python_version(), turns=turns)]
    for name, tasks, pieces in (("Tetrods", tetrods_tasks(number), PIECES), ("Hepta", hepta_tasks(number), 2 * 7)):
        lines += compared(name, tasks, pieces, turns)
    return "\n".join(lines) + "\n"


def compared(name: str, pairs: list[tuple[Task, Task]], pieces: int, turns: int) -> Iterator[str]:
    """A line for each solver. They take turns, so that a busy minute of the machine hits all of them."""
    quota, none = name == "Hepta", np.empty((0, pieces), np.int64)
    solvers: dict[str, Callable[[Task], int]] = {
        "ours": lambda task: solve(task, LIMIT, none),
        "exact-cover": lambda task: by_exact_cover(matrices[id(task)], quota=quota),
        "xcover": lambda task: by_xcover(matrices[id(task)], quota=quota),
        "CP-SAT": lambda task: by_cp_sat(matrices[id(task)], quota=quota),
    }
    tasks = [task for task, _ in pairs]
    matrices = {id(task): matrix(plain, quota=quota) for task, plain in pairs}
    times: dict[str, list[float]] = {solver: [] for solver in solvers}
    for count in solvers.values():
        count(tasks[0])
    for task in tasks:
        rounds = [{solver: measured(count, task) for solver, count in solvers.items()} for _ in range(turns)]
        assert len({number for spent in rounds for number, _ in spent.values()}) == 1
        for solver in solvers:
            times[solver].append(min(spent[solver][1] for spent in rounds))
    for solver, spent in times.items():
        middle, mean = median(spent) / median(times["ours"]), sum(spent) / sum(times["ours"])
        row = (name, solver, f"{median(spent):.3f}", f"{sum(spent) / len(spent):.3f}", f"{middle:.1f}", f"{mean:.1f}")
        yield f"| {' | '.join(row)} |"


def measured(count: Callable[[Task], int], task: Task) -> tuple[int, float]:
    """What is counted, and in how many milliseconds of the processor, the best of a turn: what else the machine does
    counts for nobody."""
    first, best = time.process_time(), float("inf")
    while (begun := time.process_time()) - first < TURN_S:
        number = count(task)
        best = min(best, (time.process_time() - begun) * 1000)
    return number, best


def tetrods_tasks(number: int) -> list[tuple[Task, Task]]:
    """Puzzles with one solution, as we make them: as our solver sees them, and as the rules have them."""
    noise, found = np.uint64(20261115), []
    for _ in range(number):
        noise, mushrooms = built(unique_board)(tables(), np.uint64(noise), ANY)
        state = tetrods.State(mushrooms, 0, (tetrods.NOWHERE,) * PIECES)
        found.append((tetrods_solver.task(state), tetrods_engine.position(state).puzzle.task))
    return found


def hepta_tasks(number: int) -> list[tuple[Task, Task]]:
    random = Random(20261115)
    starts = (hepta_solo.start(1, blockers=tuple(random.sample(NAMES, 7))) for _ in range(number))
    tasks = [hepta_solver.task(state) for state in starts]
    return list(zip(tasks, tasks, strict=True))


def matrix(task: Task, *, quota: bool) -> Bools:
    """The same options as a table of cells and pieces; Hepta's two shapes come last, and are no columns to cover."""
    columns = [cell for cell in range(CELLS) if task.board >> cell & 1]
    tags = range(CELLS, CELLS + (2 if quota else PIECES))
    return np.array([[word >> column & 1 for column in (*columns, *tags)] for word in task.options.tolist()], bool)


def by_exact_cover(table: Bools, *, quota: bool) -> int:
    if not quota:
        return min(LIMIT, len(get_all_solutions(table, max_count=LIMIT)))
    try:
        found = get_all_solutions(table[:, :-2])
    except NoSolution:
        return 0
    return min(LIMIT, sum(int(table[rows, -2].sum()) == 7 for rows in found))


def by_xcover(table: Bools, *, quota: bool) -> int:
    number = 0
    for rows in covers_bool(table[:, :-2] if quota else table):
        number += not quota or int(table[rows, -2].sum()) == 7
        if number == LIMIT:
            break
    return number


class Counter(cp_model.CpSolverSolutionCallback):
    """Counts up to the limit."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def on_solution_callback(self) -> None:
        self.number += 1
        if self.number == LIMIT:
            self.stop_search()


def by_cp_sat(table: Bools, *, quota: bool) -> int:
    model = cp_model.CpModel()
    options = [model.new_bool_var("") for _ in table]
    for column in table.T[:-2] if quota else table.T:
        model.add_exactly_one(option for option, has in zip(options, column, strict=True) if has)
    if quota:
        model.add(sum(option for option, has in zip(options, table[:, -2], strict=True) if has) == 7)
    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, counter)
    return counter.number


if __name__ == "__main__":
    main()
