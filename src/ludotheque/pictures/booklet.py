"""Puzzles on paper: a booklet, easy to hard, with rules in front and hints and solutions at the end.

The pictures are ours, the pages are set by Typst. Hints and solutions need the compiler, so the module is imported
only by whoever prints.
"""

import re
import tempfile
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import typst

from ludotheque import words
from ludotheque.match import Match
from ludotheque.pictures.boards import cropped
from ludotheque.pictures.picture import draw
from ludotheque.pictures.raster import settled
from ludotheque.puzzles.kinds import kind
from ludotheque.puzzles.making.names import PuzzleSpec

SPECIAL = re.compile(r"([\\#$@<>_*`\[\]~=+/])")
OPTIONS = re.compile(r"^## Options\n.*?(?=^## )", re.MULTILINE | re.DOTALL)  # what paper has none of
CODE = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)")


def printed(puzzles: Sequence[PuzzleSpec], *, paper: str, lang: str) -> bytes:
    """A booklet of these puzzles, all of one kind, as PDF."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "booklet.typ"
        source.write_text(_Booklet(lang, puzzles[0].key, paper, Path(folder)).text(puzzles), encoding="utf-8")
        return typst.compile(str(source))


class _Booklet:
    """One booklet being set: its text, and its pictures as files beside it."""

    def __init__(self, lang: str, key: str, paper: str, folder: Path) -> None:
        self.lang, self.kind, self.paper, self.folder = lang, kind(key), paper, folder
        self.stem = self.kind.stem

    def text(self, puzzles: Sequence[PuzzleSpec]) -> str:
        """The whole booklet in Typst's language."""
        cards, hints, solved = [], [], []
        for number, puzzle in enumerate(puzzles, 1):
            match, grade = puzzle.match(), self._grade(puzzle.grade or 0)
            cards.append(f'card("{number}", "{grade}", "{puzzle.seed}", "{self._picture(match, f"p{number}")}")')
            hints.append(f"/ {number}: {_plain(self._hint(match))}")
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

    def _head(self, count: int, shown: PuzzleSpec) -> str:
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
  #text(size: 2.6em, weight: "bold")[{_plain(name)}]

  #text(size: 1.3em)[{_plain(title)}]

  #v(2em)
  #image("{cover}", width: 62%)
  #v(2em)
  #text(style: "italic")[{_plain(words.say(self.stem, self.lang, "credits"))}]

  {_plain(self._say("ids"))}
]
#set page(numbering: "1")
#pagebreak()
"""

    def _rules(self, shown: PuzzleSpec) -> str:
        whole = self._picture(shown.match(), "whole", crop=False)
        text = _typst(OPTIONS.sub("", words.rules(self.stem, self.lang)))
        picture = f'#align(center, image("{whole}", width: {"42%" if self.paper == "a4" else "58%"}))'
        return f"= {_plain(self._say('rules'))}\n{text}\n{picture}\n#pagebreak()\n"

    def _part(self, name: str) -> str:
        return f"= {_plain(self._say(name))}\n#set par(justify: false)\n"

    def _closing(self) -> str:
        return "#pagebreak()\n"

    def _ends(self, hints: list[str], solved: list[str]) -> list[str]:
        columns = "#columns(2)[" if self.paper == "a4" else "#block["
        first = (self._part("hints"), "#set text(size: 0.9em)\n", columns, *hints, "]", "#pagebreak()\n")
        return [*first, self._part("solutions"), f"#answers({', '.join(solved)})"]

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
        svg, _ = settled(draw(match, 0, night=False))
        (self.folder / f"{name}.svg").write_text(cropped(svg) if crop else svg, encoding="utf-8")
        return f"{name}.svg"

    def _say(self, name: str, **values: str) -> str:
        return words.say(None, self.lang, "puzzles", "booklet", name, **values)


def _plain(text: str) -> str:
    """A text set as it is."""
    return SPECIAL.sub(r"\\\1", text)


def _typst(markdown: str) -> str:
    """Our Markdown in Typst's language: headings, lists, tables, emphasis, code; pictures are left out."""
    lines = [line for line in markdown.splitlines() if not line.startswith("![")]
    blocks = groupby(lines, key=lambda line: line.startswith("|"))
    return "\n".join(_table(list(some)) if table else "\n".join(map(_line, some)) for table, some in blocks)


def _table(lines: list[str]) -> str:
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    head, _, *rest = rows
    cells = [f"[#strong[{_inline(cell)}]]" for cell in head] + [f"[{_inline(cell)}]" for row in rest for cell in row]
    look = "stroke: none, inset: (x: 0.8em, y: 0.3em)"
    return f"#table(columns: {len(head)}, {look}, {', '.join(cells)})"


def _line(line: str) -> str:
    if line.startswith("#"):
        level, _, title = line.partition(" ")
        return f"{'=' * max(2, len(level))} {_inline(title)}"
    bullet = re.match(r"(\s*)([-*]|\d+\.) (.*)", line)
    if bullet:
        return f"{bullet[1]}{'-' if bullet[2] in '-*' else '+'} {_inline(bullet[3])}"
    return _inline(line)


def _inline(text: str) -> str:
    return "".join(_span(part) for part in CODE.split(text))


def _span(part: str) -> str:
    if part.startswith("`") and len(part) > 1:
        return part
    if part.startswith("**") and len(part) > 4:
        return f"#strong[{_plain(part[2:-2])}]"
    if part.startswith("*") and len(part) > 2:
        return f"#emph[{_plain(part[1:-1])}]"
    return _plain(part)
