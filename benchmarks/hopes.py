"""Whether what hints expect is what happens.

    scripts/benchmark hopes [--games 40] [--write docs/benchmarks/hopes.md]

Computer players play each other, with few simulations a move, so that there are many games. Whoever is to move says
how the game will end; afterwards it is known. Hopes of the same size are put together, so that a column can be read
as: of the positions that seemed worth so much, so much came. Only the last leg of a series counts, where the win is
decided.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from joblib import delayed

import ludotheque
from ludotheque import Box, Match
from ludotheque.luck import Luck
from ludotheque.search.parallel import results
from ludotheque.search.players import PlayerMemory, think_for

BUCKETS = 5  # of expected results
HEAD = """# Calibration of hints

Written by `scripts/benchmark hopes`: {games} games of each kind, {simulations:,} simulations a move. Each column has
the positions in which the seat to move expected a result in that range, from 0 % (all lost) to 100 % (all won): the
mean expected result → the mean actual result. “Off” is the mean difference between the two, in points, weighted by
positions. Positions of one game share its result, so a column with few of them says little.

| game | seats | positions | off | {columns} |
|---|--:|--:|--:|{rules}|
"""


class Hope(NamedTuple):
    """What somebody expected of a position, and what came of it."""

    expected: float
    came: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="of each kind")
    parser.add_argument("--simulations", type=int, default=1000, help="for each move")
    parser.add_argument("--only", help="one game")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    columns = [f"{100 * bucket // BUCKETS} to {100 * (bucket + 1) // BUCKETS} %" for bucket in range(BUCKETS)]
    rules = "|".join(["--:"] * BUCKETS)
    page = HEAD.format(games=wanted.games, simulations=wanted.simulations, columns=" | ".join(columns), rules=rules)
    print(page, end="")
    for box in ludotheque.games():
        for seats in box.seats if wanted.only in (None, box.key) else ():
            if seats > 1:
                line = row(box, seats, hopes(box, seats, wanted.games, wanted.simulations, wanted.jobs))
                print(line, flush=True)
                page += f"{line}\n"
    if wanted.write:
        wanted.write.write_text(page, encoding="utf-8")


def hopes(box: Box, seats: int, games: int, simulations: int, jobs: int) -> list[Hope]:
    """Of all positions of so many games."""
    tasks = [delayed(one_game)(box.key, seats, number, simulations) for number in range(games)]
    return [hope for found in results(tasks, jobs) for hope in found]


def one_game(key: str, seats: int, number: int, simulations: int) -> list[Hope]:
    match = Match(ludotheque.game(key).rules, seats, Luck(f"hopes {number}"))
    memories, said = [PlayerMemory() for _ in range(seats)], list[tuple[int, float]]()
    while not match.over:
        for seat in match.to_act:
            assert isinstance(seat, int)
            how = {"simulations": simulations, "seed": number, "memory": memories[seat]}
            thought = think_for(match, seat, model_opponents=False, **how)
            if thought.move is not None:
                if match.leg == match.legs - 1:
                    said.append((seat, thought.expected[match.role(seat)]))
                match.play(seat, thought.move)
                break
    share = 1 / max(len(match.winners), 1)
    return [Hope(expected, share if seat in match.winners else 0.0) for seat, expected in said]


def row(box: Box, seats: int, found: Sequence[Hope]) -> str:
    cells, off = [], 0.0
    for bucket in range(BUCKETS):
        alike = [hope for hope in found if min(int(hope.expected * BUCKETS), BUCKETS - 1) == bucket]
        if not alike:
            cells.append("–")
            continue
        expected, came = (sum(each) / len(alike) for each in zip(*alike, strict=True))
        off += abs(expected - came) * len(alike) / len(found)
        cells.append(f"{100 * expected:.0f} → {100 * came:.0f}")
    return f"| {box.key} | {seats} | {len(found)} | {100 * off:.1f} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
