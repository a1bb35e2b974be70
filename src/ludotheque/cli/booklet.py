"""`ludotheque booklet`: puzzles on paper, easy to hard, with rules in front and hints and solutions at the end.

The pictures are ours, the pages are set by Typst.
"""

import re
import tempfile
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.progress import track

from ludotheque import Match, words
from ludotheque.cli import options
from ludotheque.cli.options import Lang
from ludotheque.cli.speech import Complaint, Voice, err, out

Key = Annotated[Literal["tetrods", "hepta-solo", "pegs-solo"], typer.Option("--puzzle", metavar="PUZZLE")]
Count = Annotated[int, typer.Option("--count", metavar="N", parser=options.number("count", 1, 500))]
Paper = Annotated[Literal["a4", "a5"], typer.Option("--paper")]
First = Annotated[int, typer.Option("--first", metavar="N", parser=options.number("first", 0))]
To = Annotated[Path, typer.Option("--output", "-o", metavar="FILE")]

BOARD = 'viewBox="0 0 820 820"'  # of any picture of a 7×7 board, without what stands beside it
SPECIAL = re.compile(r"([\\#$@<>_*`\[\]~=+/])")
CODE = re.compile(r"(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)")


def booklet(
    context: typer.Context,
    *,
    output: To,
    puzzle: Key = "tetrods",
    count: Count = 48,
    paper: Paper = "a4",
    first: First = 1,
    _lang: Lang = None,
) -> None:
    import typst  # noqa: PLC0415 - seldom needed

    voice: Voice = context.obj
    if output.suffix.lower() != ".pdf":
        raise Complaint("wrong", "kind", file=output, kinds=".pdf")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "booklet.typ"
        source.write_text(_Booklet(voice.lang, puzzle, paper, Path(folder)).text(count, first), encoding="utf-8")
        pages = typst.compile(str(source))
    try:
        output.write_bytes(pages)
    except OSError as error:
        raise options.unreachable(output, error) from None
    out().print(voice("booklet", "written", file=output, count=count))


class _Booklet:
    """One booklet being set: its text, and its pictures as files beside it."""

    def __init__(self, lang: str, key: str, paper: str, folder: Path) -> None:
        from ludotheque.puzzles.making import puzzles  # noqa: PLC0415 - numba takes long to import

        self.lang, self.key, self.paper, self.folder, self.making = lang, key, paper, folder, puzzles
        self.stem = key.replace("-", "_")

    def text(self, count: int, first: int) -> str:
        """The whole booklet in Typst's language."""
        grades = self.making.grades(self.key)
        chosen = [grades[number * len(grades) // count] for number in range(count)]
        puzzles = [self.making.made(self.key, grade, first + number) for number, grade in self._followed(chosen)]
        matches = [puzzle.match() for puzzle in puzzles]
        cards, hints, solved = [], [], []
        for number, (puzzle, match) in enumerate(zip(puzzles, matches, strict=True), 1):
            grade = self._grade(puzzle.grade or 0)
            cards.append(f'card("{number}", "{grade}", "{puzzle.seed}", "{self._picture(match, f"p{number}")}")')
            hints.append(f"/ {number}: {_plain(self._hint(match))}")
            moves = self._solve(match)
            solved.append(f'#answer("{number}", "{self._picture(match, f"s{number}")}", "{moves}")')
        return "\n".join(
            (
                self._head(count),
                self._rules(),
                self._part("puzzles"),
                f"#cards({', '.join(cards)})",
                self._closing(),
                *self._ends(hints, solved),
            )
        )

    def _followed(self, grades: list[int]) -> Iterable[tuple[int, int]]:
        """Each grade with its place, and a bar while puzzles are made."""
        return track(list(enumerate(grades)), description="", console=err())

    def _head(self, count: int) -> str:
        name = words.say(self.stem, self.lang, "name")
        title = self._say("title", count=str(count))
        cover = self._picture(self.making.made(self.key, self.making.grades(self.key)[2], 1).match(), "cover")
        wide, across = ("84%", 2) if self.paper == "a4" else ("66%", 1)
        return f"""#set page(paper: "{self.paper}", margin: (x: 9%, y: 7%), numbering: none)
#set text(lang: "{self.lang}", size: {"10.5pt" if self.paper == "a4" else "9pt"}, font: "Libertinus Serif")
#set par(justify: true)
#set terms(separator: [ ], hanging-indent: 1.6em)
#show heading.where(level: 1): it => align(center, text(size: 1.5em, it.body)) + v(1em)
#show heading.where(level: 2): it => v(0.6em) + text(size: 1.1em, it.body) + v(0.2em)
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
#let answer(number, picture, moves) = box(width: 31%, inset: (bottom: 0.6em), {{
  text(weight: "bold", number)
  v(-0.8em)
  image(picture, width: 100%)
  text(size: 0.75em, moves)
}}) + h(1fr, weak: true)
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

    def _rules(self) -> str:
        whole = self._picture(
            self.making.made(self.key, self.making.grades(self.key)[0], 1).match(), "whole", crop=False
        )
        text = _typst(words.rules(self.stem, self.lang))
        shown = f'#align(center, image("{whole}", width: 60%))'
        return f"= {_plain(self._say('rules'))}\n{text}\n{shown}\n#pagebreak()\n"

    def _part(self, name: str) -> str:
        return f"= {_plain(self._say(name))}\n#set par(justify: false)\n"

    def _closing(self) -> str:
        return "#pagebreak()\n"

    def _ends(self, hints: list[str], solved: list[str]) -> list[str]:
        columns = "#columns(2)[" if self.paper == "a4" else "#block["
        opening = "#set text(size: 0.9em)\n"
        return [
            self._part("hints"), opening, columns, *hints, "]", "#pagebreak()\n", self._part("solutions"), *solved
        ]  # fmt: skip

    def _grade(self, grade: int) -> str:
        table = "grades-pegs" if self.key == "pegs-solo" else "grades"
        return words.say(None, self.lang, "puzzles", table, str(grade))

    def _hint(self, match: Match) -> str:
        """Where to begin: the last steps on the way to the first piece."""
        from ludotheque.puzzles.human.deductions import steps_to_next  # noqa: PLC0415 - numba
        from ludotheque.puzzles.solving.solver import SOLVERS  # noqa: PLC0415

        if self.key == "pegs-solo":
            moves = SOLVERS[self.key].first(match.state) or ()
            return words.say(None, self.lang, "puzzles", "hints", "card", move=match.game.texts[moves[-1]])
        return " ".join(step.say(self.lang) for step in steps_to_next(self.key, match.state)[-2:])

    def _solve(self, match: Match) -> str:
        """Play a solution. Cards cover each other, so those of Pegs are also named."""
        from ludotheque.puzzles.solving.solver import SOLVERS  # noqa: PLC0415 - numba takes long to import

        moves = [match.game.texts[move] for move in SOLVERS[self.key].first(match.state) or ()]
        for text in moves:
            match.play(0, text)
        return ", ".join(moves) if self.key == "pegs-solo" else ""

    def _picture(self, match: Match, name: str, *, crop: bool = True) -> str:
        """The board, or the whole picture, as a file of its own, in plain colours, by day."""
        from ludotheque.pictures.picture import draw  # noqa: PLC0415
        from ludotheque.pictures.raster import settled  # noqa: PLC0415 - slow to import, and seldom needed

        svg, _ = settled(draw(match, 0, night=False))
        shown = re.sub(r'viewBox="[^"]*"', BOARD, svg, count=1) if crop else svg
        (self.folder / f"{name}.svg").write_text(shown, encoding="utf-8")
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
