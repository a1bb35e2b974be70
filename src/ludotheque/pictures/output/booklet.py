"""Puzzles on paper: a booklet, easy to hard, with rules in front and hints and solutions at the end.

The pictures are ours, the pages are set by Typst. The layout is in `booklet.typ`. Hints and solutions need
numba's compiler, so the module is imported only by whoever prints.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ludotheque import words
from ludotheque.extras import extra
from ludotheque.match import Match
from ludotheque.pictures.output.raster import flattened
from ludotheque.pictures.output.render import cropped, render_match
from ludotheque.pictures.output.typst_markup import escaped, typst
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec

with extra("booklet"):
    from typst import compile as compile_typst

OPTIONS = "Options"  # the heading of a section that paper has no use for, in both languages


LAYOUT = Path(__file__).with_suffix(".typ")


class Paper(NamedTuple):
    """What depends on the size of the paper."""

    puzzle_columns: int  #: how many puzzles stand side by side
    puzzle_width: str  #: of a puzzle, as a part of its column
    rules_picture_width: str  #: of a diagram in the rules, as a part of the page
    hints: str  #: what the list of hints begins with


PAPERS = {"a4": Paper(2, "84%", "42%", "#columns(2)["), "a5": Paper(1, "60%", "58%", "#block[")}


def printed(puzzles: Sequence[PuzzleSpec], *, paper: str, lang: str) -> bytes:
    """A booklet of these puzzles, all of one kind, as PDF."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "puzzles.typ"
        source.write_text(_Booklet(lang, puzzles[0].key, paper, folder).text(puzzles), encoding="utf-8")
        (folder / LAYOUT.name).write_bytes(LAYOUT.read_bytes())
        return compile_typst(str(source))


class _Booklet:
    """One booklet being set: its text, and its pictures as files beside it."""

    def __init__(self, lang: str, key: str, paper: str, folder: Path) -> None:
        self.lang, self.kind, self.paper, self.folder = lang, kind(key), paper, folder
        self.stem, self.sizes = self.kind.stem, PAPERS[paper]

    def text(self, puzzles: Sequence[PuzzleSpec]) -> str:
        """The whole booklet in Typst's language."""
        cards, hints, solved = [], [], []
        for number, puzzle in enumerate(puzzles, 1):
            match = puzzle.match()
            cards.append(self._card(number, puzzle, match))
            hints.append(f"/ {number}: {escaped(self._hint(match))}")
            moves = self._solve(match)
            solved.append(f'answer("{number}", "{self._picture(match, f"s{number}")}", "{moves}")')
        return "\n".join(
            (
                self._cover(len(puzzles), puzzles[len(puzzles) // 2]),
                self._rules(puzzles[0]),
                self._part("puzzles"),
                f"#cards({self.sizes.puzzle_columns}, {', '.join(cards)})",
                "#pagebreak()\n",
                self._part("hints"),
                "#set text(size: 0.9em)\n",
                self.sizes.hints,
                *hints,
                "]",
                "#pagebreak()\n",
                self._part("solutions"),
                f"#answers({', '.join(solved)})",
            )
        )

    def _cover(self, count: int, shown: PuzzleSpec) -> str:
        self._picture(shown.match(), "cover")
        name, makers = (words.say(self.stem, self.lang, each) for each in ("name", "credits"))
        texts = (name, self._say("title", count=str(count)), makers, self._say("ids"))
        return f"""#import "{LAYOUT.name}": *
#show: booklet.with(paper: "{self.paper}", lang: "{self.lang}")
#cover({", ".join(f"[{escaped(text)}]" for text in texts)})
#set page(numbering: "1")
#pagebreak()
"""

    def _rules(self, shown: PuzzleSpec) -> str:
        whole = self._picture(shown.match(), "whole", crop=False)
        text = typst(words.rules(self.stem, self.lang), without=OPTIONS)
        picture = f'#align(center, image("{whole}", width: {self.sizes.rules_picture_width}))'
        return f"= {escaped(self._say('rules'))}\n{text}\n{picture}\n#pagebreak()\n"

    def _part(self, name: str) -> str:
        """The heading of a part."""
        return f"= {escaped(self._say(name))}\n#set par(justify: false)\n"

    def _card(self, number: int, puzzle: PuzzleSpec, match: Match) -> str:
        """A puzzle with its number, its grade and its name."""
        texts = (str(number), self._grade(puzzle.grade or 0), str(puzzle.seed), self._picture(match, f"p{number}"))
        quoted = ", ".join(f'"{text}"' for text in texts)
        return f"card({self.sizes.puzzle_width}, {quoted})"

    def _grade(self, grade: int) -> str:
        return words.say(self.stem, self.lang, "puzzles", "grades", str(grade))

    def _hint(self, match: Match) -> str:
        """Where to begin."""
        solution = self.kind.engine.first(match.state) or ()
        return " ".join(hint.say(self.lang) for hint in self.kind.engine.opening_hints(match.state, solution))

    def _solve(self, match: Match) -> str:
        """Play a solution; where pieces cover each other its moves are also named."""
        moves = [match.game.texts[move] for move in self.kind.engine.first(match.state) or ()]
        for text in moves:
            match.play(0, text)
        return ", ".join(moves) if self.kind.overlaps else ""

    def _picture(self, match: Match, name: str, *, crop: bool = True) -> str:
        """The board, or the whole picture, as a file of its own, in plain colours, by day."""
        svg, _ = flattened(render_match(match, 0, night=False))
        (self.folder / f"{name}.svg").write_text(cropped(svg) if crop else svg, encoding="utf-8")
        return f"{name}.svg"

    def _say(self, name: str, **values: str) -> str:
        return words.say(None, self.lang, "puzzles", "booklet", name, **values)
