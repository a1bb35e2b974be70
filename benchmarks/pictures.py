"""How long a picture takes to be drawn, and how large it is, over random games of every game and number of seats.

    scripts/benchmark pictures [--games 5] [--write docs/benchmarks/pictures.md]

Our limits: 5 ms to draw, 60 kB with the stylesheets inside.
"""

import argparse
import platform
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import ludotheque
from ludotheque import Box, Match
from ludotheque.pictures.output.render import render_match

MAX_EVENTS = 120  # events of a game
HEAD = """# Drawing a position

Written by `scripts/benchmark pictures`, over {games} random games a row, every position from every seat, on one core
with Python {python}. Sizes include the stylesheets: what all pictures share, and the game's own.

| game | seats | pictures | median, ms | slowest of a hundred, ms | median, kB | largest, kB |
|---|--:|--:|--:|--:|--:|--:|"""


@dataclass
class Drawn:
    """Seconds and characters of many pictures."""

    seconds: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5, help="for each line")
    parser.add_argument("--write", type=Path, help="a Markdown page to write the table to")
    wanted = parser.parse_args()
    page = report(wanted.games)
    print(page)
    if wanted.write:
        wanted.write.parent.mkdir(parents=True, exist_ok=True)
        wanted.write.write_text(page, encoding="utf-8")


def report(games: int) -> str:
    lines = [HEAD.format(games=games, python=platform.python_version())]
    lines += [row(box, seats, measure(box, seats, games)) for box in ludotheque.games() for seats in box.seats]
    return "\n".join(lines) + "\n"


def row(box: Box, seats: int, drawn: Drawn) -> str:
    middle, worst = statistics.median(drawn.seconds), statistics.quantiles(drawn.seconds, n=100)[-1]
    sizes = f"{statistics.median(drawn.sizes) / 1000:.0f} | {max(drawn.sizes) / 1000:.0f}"
    return f"| {box.key} | {seats} | {len(drawn.sizes)} | {1000 * middle:.2f} | {1000 * worst:.2f} | {sizes} |"


def measure(box: Box, seats: int, games: int) -> Drawn:
    drawn = Drawn()
    for seed in range(games):
        match, random = box.match(seats, seed), Random(seed)
        while not match.over and len(match.events) < MAX_EVENTS:
            look(match, drawn)
            actor = random.choice(match.to_act)
            match.play(actor, random.choice(match.moves(actor)))
        look(match, drawn)
    return drawn


def look(match: Match, drawn: Drawn) -> None:
    for seat in (None, *range(match.seats)):
        begun = time.perf_counter()
        picture = render_match(match, seat)
        drawn.seconds.append(time.perf_counter() - begun)
        drawn.sizes.append(len(picture))


if __name__ == "__main__":
    main()
