"""Write the reference of observations from the layouts: `python tests/observations.py`."""

from pathlib import Path

import ludotheque
from ludotheque.env.layout import Part, layout_of

PAGE = Path(__file__).parent.parent / "docs/reference/observations.md"
HEAD = """# Observations

What a learner's seat sees of each game, and where: `observation[first : first + size]`. Boards come first, row by
row, then numbers; all are from 0 to 1. Everything comes from the seat's view, so it holds nothing that the seat may
not know. What belongs to seats is in the order of play: number 0 is one's own.

This page is about the smallest number of seats and the default options; `batch.layout.parts` has it for any other.
An action is the number of a move in the game's table of texts, `game.texts`; the last one is to wait.

Written by `python tests/observations.py`; the layouts are in `src/ludotheque/env/layouts/`.
"""


def page() -> str:
    duels = [box for box in ludotheque.games() if max(box.seats) > 1]
    return HEAD + "".join(_section(box) for box in duels)


def _section(box: ludotheque.Box) -> str:
    match = box.match(min(box.seats), luck=None)
    layout = layout_of(match.game, match.state, match.seats, match.options)
    boards, height, width = layout.boards
    lines = [
        f"\n## {box.name}, {match.seats} seats",
        "",
        f"{layout.size} values, of them {boards} boards of {height} × {width}; {len(match.game.texts) + 1} actions.",
        "",
        "| first | size | what | values |",
        "|--:|--:|---|---|",
        *(_row(part) for part in layout.parts),
    ]
    return "\n".join(lines) + "\n"


def _row(part: Part) -> str:
    return f"| {part.first} | {part.size} | {part.name} | {part.meaning} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
