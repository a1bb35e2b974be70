"""Puzzles on paper: a booklet, easy to hard, with rules in front and hints and solutions at the end.

The pictures are ours, the pages are set by Typst. Hints and solutions need the compiler, so the module is imported
only by whoever prints.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from typst import compile as compile_typst

from ludotheque import words
from ludotheque.match import Match
from ludotheque.pictures.output.raster import flattened
from ludotheque.pictures.output.render import cropped, render_match
from ludotheque.pictures.output.typst_markup import escaped, typst
from ludotheque.puzzles.human.deductions import steps_to_next
from ludotheque.puzzles.making.names import PuzzleOf
from ludotheque.puzzles.solving.solver import SOLVERS

OPTIONS = "Options"  # the heading of a section that paper has no use for, in both languages


def printed(puzzles: Sequence[PuzzleOf], *, paper: str, lang: str) -> bytes:
    """A booklet of these puzzles, all of one kind, as PDF."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "booklet.typ"
        source.write_text(_Booklet(lang, puzzles[0].key, paper, Path(folder)).text(puzzles), encoding="utf-8")
        return compile_typst(str(source))


class _Booklet:
    """One booklet being set: its text, and its pictures as files beside it."""

    def __init__(self, lang: str, key: str, paper: str, folder: Path) -> None:
        self.lang, self.key, self.paper, self.folder = lang, key, paper, folder
        self.stem = key.replace("-", "_")

    def text(self, puzzles: Sequence[PuzzleOf]) -> str:
        """The whole booklet in Typst's language."""
        cards, hints, solved = [], [], []
        for number, puzzle in enumerate(puzzles, 1):
            match, grade = puzzle.match(), self._grade(puzzle.grade or 0)
            cards.append(f'card("{number}", "{grade}", "{puzzle.seed}", "{self._picture(match, f"p{number}")}")')
            hints.append(f"/ {number}: {escaped(self._hint(match))}")
            moves = self._solve(match)
            solved.append(f'answer("{number}", "{self._picture(match, f"s{number}")}", "{moves}")')
        return "\n".join(
            (
                self._head(len(puzzles), puzzles[len(puzzles) // 2]),
                self._rules(puzzles[0]),
                self._part("puzzles"),
                f"#cards({', '.join(cards)})",
                self._closing(),
                *self._ends(hints, solved),
            )
        )

    def _head(self, count: int, shown: PuzzleOf) -> str:
        name = words.say(self.stem, self.lang, "name")
        title = self._say("title", count=str(count))
        cover = self._picture(shown.match(), "cover")
        wide, across = ("84%", 2) if self.paper == "a4" else ("60%", 1)
        return f"""#set page(paper: "{self.paper}", margin: (x: 9%, y: 7%), numbering: none)
#set text(lang: "{self.lang}", size: {"10.5pt" if self.paper == "a4" else "9pt"}, font: "Libertinus Serif")
#set par(justify: true)
#set terms(separator: [ ], hanging-indent: 1.6em)
#show heading: set block(above: 1.6em, below: 0.9em, sticky: true)
#show heading.where(level: 1): set block(below: 1.6em)
#show heading.where(level: 1): it => align(center, text(size: 1.1em, it))
#let cards(..all) = grid(columns: (1fr,) * {across}, row-gutter: 0.8em, ..all)
#let card(number, grade, id, picture) = align(center, block(width: {wide}, breakable: false, {{
  set align(left)
  text(weight: "bold", size: 1.3em, number)
  h(0.6em)
  text(style: "italic", grade)
  h(1fr)
  text(size: 0.7em, fill: luma(110), id)
  v(-0.6em)
  image(picture, width: 100%)
}}))
#let answers(..all) = grid(columns: (1fr,) * 3, gutter: 1.2em, ..all)
#let answer(number, picture, moves) = block(breakable: false, {{
  text(weight: "bold", number)
  v(-0.8em)
  image(picture, width: 100%)
  text(size: 0.75em, moves)
}})
#align(center + horizon)[
  #text(size: 2.6em, weight: "bold")[{escaped(name)}]

  #text(size: 1.3em)[{escaped(title)}]

  #v(2em)
  #image("{cover}", width: 62%)
  #v(2em)
  #text(style: "italic")[{escaped(words.say(self.stem, self.lang, "credits"))}]

  {escaped(self._say("ids"))}
]
#set page(numbering: "1")
#pagebreak()
"""

    def _rules(self, shown: PuzzleOf) -> str:
        whole = self._picture(shown.match(), "whole", crop=False)
        text = typst(words.rules(self.stem, self.lang), without=OPTIONS)
        picture = f'#align(center, image("{whole}", width: {"42%" if self.paper == "a4" else "58%"}))'
        return f"= {escaped(self._say('rules'))}\n{text}\n{picture}\n#pagebreak()\n"

    def _part(self, name: str) -> str:
        return f"= {escaped(self._say(name))}\n#set par(justify: false)\n"

    def _closing(self) -> str:
        return "#pagebreak()\n"

    def _ends(self, hints: list[str], solved: list[str]) -> list[str]:
        columns = "#columns(2)[" if self.paper == "a4" else "#block["
        first = (self._part("hints"), "#set text(size: 0.9em)\n", columns, *hints, "]", "#pagebreak()\n")
        return [*first, self._part("solutions"), f"#answers({', '.join(solved)})"]

    def _grade(self, grade: int) -> str:
        table = "grades-pegs" if self.key == "pegs-solo" else "grades"
        return words.say(None, self.lang, "puzzles", table, str(grade))

    def _hint(self, match: Match) -> str:
        """Where to begin: the last steps on the way to the first piece; for Pegs, a card that is not the plainest."""
        if self.key == "pegs-solo":
            moves = SOLVERS[self.key].first(match.state) or ()
            return words.say(
                None, self.lang, "puzzles", "hints", "card", move=match.game.texts[moves[len(moves) // 2]]
            )
        return " ".join(step.say(self.lang) for step in steps_to_next(self.key, match.state)[-2:])

    def _solve(self, match: Match) -> str:
        """Play a solution. Cards cover each other, so those of Pegs are also named."""
        moves = [match.game.texts[move] for move in SOLVERS[self.key].first(match.state) or ()]
        for text in moves:
            match.play(0, text)
        return ", ".join(moves) if self.key == "pegs-solo" else ""

    def _picture(self, match: Match, name: str, *, crop: bool = True) -> str:
        """The board, or the whole picture, as a file of its own, in plain colours, by day."""
        svg, _ = flattened(render_match(match, 0, night=False))
        (self.folder / f"{name}.svg").write_text(cropped(svg) if crop else svg, encoding="utf-8")
        return f"{name}.svg"

    def _say(self, name: str, **values: str) -> str:
        return words.say(None, self.lang, "puzzles", "booklet", name, **values)
