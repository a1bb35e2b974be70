"""Whether grades mean something: the effort of the human solver over 500 new puzzles, by grade."""

import time

from ludotheque.game import Json
from ludotheque.puzzles.human.grading import rated
from ludotheque.puzzles.making.names import GRADES
from ludotheque.puzzles.making.puzzles import made
from ludotheque.puzzles.studies.study import Study

KEYS = ("tetrods", "hepta-solo")
EACH = 10
PARTS = [(key, grade, first) for key in KEYS for grade in GRADES for first in range(0, 50, EACH)]
QUARTERS = (0, 1, 2, 3, 4)


def study() -> Study:
    """500 puzzles: fifty of each grade, of two kinds."""
    return Study("grades", len(PARTS), count_part, total)


def count_part(part: int) -> Json:
    """Rows of effort and milliseconds of making, for some puzzles of a grade."""
    key, grade, first = PARTS[part]
    rows: list[Json] = []
    for number in range(first, first + EACH):
        begun = time.perf_counter()
        puzzle = made(key, grade, number)
        spent = round((time.perf_counter() - begun) * 1000)
        rows.append([rated(key, puzzle.match().state).effort, spent])
    return rows


def total(results: list[Json]) -> dict[str, Json]:
    """By puzzle and grade: least, quartiles and most of the effort, and the median time of making."""
    found: dict[str, Json] = {}
    for key in KEYS:
        table: dict[str, Json] = {}
        for grade in GRADES:
            rows = [
                row
                for part, result in zip(PARTS, results, strict=True)
                if part[:2] == (key, grade)
                for row in _rows(result)
            ]
            efforts, times = sorted(row[0] for row in rows), sorted(row[1] for row in rows)
            table[str(grade)] = {
                "effort": [efforts[min(len(efforts) - 1, len(efforts) * quarter // 4)] for quarter in QUARTERS],
                "made in ms, median": times[len(times) // 2],
            }
        found[key] = table
    return found


def _rows(result: Json) -> list[list[int]]:
    assert isinstance(result, list)
    return [[number for number in row if isinstance(number, int)] for row in result if isinstance(row, list)]
