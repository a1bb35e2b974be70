"""Write the pictures of the docs, the gallery and the notebook: run by `scripts/pictures`, checked by a test."""

import ast
import contextlib
import io
import json
import re
from pathlib import Path

import ludotheque
from ludotheque import Box
from ludotheque.pictures.kit.svg import el
from ludotheque.pictures.output import diagrams
from ludotheque.pictures.output.diagrams import Diagram
from ludotheque.pictures.output.registry import picture_of, stylesheet_of_all

DOCS = Path(__file__).parent.parent
NOTEBOOK = DOCS.parent / "examples" / "first-look.ipynb"
ID = re.compile(r' id="([^"]*)"')
REFERENCE = re.compile(r'(href="#|url\(#)([\w-]+)')
WIDTHS_PX = (96, 360, 900)
# Colour matrices: no colour, and each kind of colour blindness (after Machado and others, 2009).
COLOUR_VISION = {
    "grey": ".299 .587 .114 0 0 .299 .587 .114 0 0 .299 .587 .114 0 0",
    "protanopia": ".152 1.053 -.205 0 0 .115 .786 .099 0 0 -.004 -.048 1.052 0 0",
    "deuteranopia": ".367 .861 -.228 0 0 .280 .673 .047 0 0 -.012 .043 .969 0 0",
    "tritanopia": "1.256 -.077 -.179 0 0 -.078 .931 .148 0 0 .005 .691 .304 0 0",
}
ABOUT = "Every game by day and by night, small and large, in grey and as colour-blind eyes see it."
STYLE = """
body { margin: 2rem auto; max-width: 78rem; padding: 0 1rem; font: 16px/1.5 Optima, Candara, sans-serif; }
section { margin: 3rem 0; } h2 { border-bottom: 2px solid; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-end; margin: 1rem 0; }
figure { margin: 0; padding: 10px; border-radius: 8px; background: #faf5ea; color: #2b2622; }
figure.night { background: #1d1c22; color: #f1ebdf; }
figure svg { display: block; height: auto; max-width: 100%; } figcaption { font-size: .8rem; max-width: 360px; }
"""
SCRIPT = """
for (const figure of document.querySelectorAll("figure[data-of]")) {
  const drawing = document.getElementById(figure.dataset.of).content.firstElementChild.cloneNode(true);
  drawing.classList.add(figure.className || "day");
  drawing.style.width = figure.dataset.width + "px";
  if (figure.dataset.eyes) drawing.style.filter = `url(#${figure.dataset.eyes})`;
  figure.prepend(drawing);
}
"""


def files() -> dict[Path, str]:
    """The content of every file to write."""
    on_boxes = {DOCS / "pictures" / f"{box.key}.svg": diagrams.on_the_box(box.rules).picture() for box in boxes()}
    return {**on_boxes, DOCS / "gallery.html": gallery(), NOTEBOOK: notebook()}


def notebook() -> str:
    """The example notebook with all it shows: its cells run one after the other."""
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    for number, cell in enumerate((cell for cell in book["cells"] if cell["cell_type"] == "code"), 1):
        cell |= {"execution_count": number, "outputs": _run("".join(cell["source"]), names, number)}
    return json.dumps(book, ensure_ascii=False, indent=1) + "\n"


def _run(source: str, names: dict[str, object], number: int) -> list[dict[str, object]]:
    """What a cell prints, and what its last line is, as a notebook keeps it."""
    *lines, last = ast.parse(source).body
    shown = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module([*lines, *([] if shown else [last])], []), "cell", "exec"), names)  # noqa: S102
        value = eval(compile(shown, "cell", "eval"), names) if shown else None  # noqa: S307
    said = {"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)}
    return [*([said] if printed.getvalue() else []), *([_result(value, number)] if shown else [])]


def _result(value: object, number: int) -> dict[str, object]:
    data: dict[str, object] = {"text/plain": [repr(value)]}
    if hasattr(value, "_repr_svg_"):
        data = {"image/svg+xml": [value._repr_svg_()], "text/plain": ["a picture"]}
    return {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}


def gallery() -> str:
    """Every game and position by day and by night, in three sizes, in grey and as colour-blind people see it."""
    body = "\n".join(f'<section id="{box.key}"><h2>{box.name}</h2>{drawings(box)}</section>' for box in boxes())
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Ludothèque: the gallery</title>\n'
        f"<style>{stylesheet_of_all(box.rules for box in boxes())}{STYLE}</style>\n"
        f"{filters()}\n"
        f"<h1>The gallery</h1>\n<p>{ABOUT} Drawn by <code>scripts/pictures</code>, never by hand.</p>\n"
        f"<noscript>The gallery copies each drawing by a few lines of script.</noscript>\n{body}\n"
        f"<script>{SCRIPT}</script>\n</html>\n"
    )


def filters() -> str:
    """What shows a drawing in grey, and as colour-blind people see it."""
    found = "".join(
        el("filter", el("feColorMatrix", type="matrix", values=f"{matrix} 0 0 0 1 0"), id=name)
        for name, matrix in COLOUR_VISION.items()
    )
    return f'<svg width="0" height="0" style="position:absolute" color-interpolation-filters="sRGB">{found}</svg>'


def drawings(box: Box) -> str:
    """All drawings of one game."""
    name = f"{box.key}-box"
    shown = [part for part in diagrams.parts(box.rules, "en") if isinstance(part, Diagram)]
    large = "".join(_figure(name, width, "", f"{width} px") for width in WIDTHS_PX)
    eyes = "".join(_figure(name, 240, "", each, each) for each in COLOUR_VISION)
    lights = "".join(
        _figure(f"{box.key}-{each.name}", 360, light, each.caption) for each in shown for light in ("", "night")
    )
    stored = "".join(_template(box, each) for each in (diagrams.on_the_box(box.rules), *shown))
    return (
        f"{stored}\n"
        f'<div class="row">{large}{_figure(name, 900, "night", "by night")}</div>\n'
        f'<div class="row">{eyes}</div>\n<div class="row">{lights}</div>'
    )


def _template(box: Box, shown: Diagram) -> str:
    """One drawing, stored once for all the figures that show it."""
    picture = picture_of(box.rules)
    match, role = shown.match, -1 if shown.seat is None else shown.match.role(shown.seat)
    inside = _own_ids(picture.draw(match.seen(shown.seat), role, match.story(shown.seat)), f"{box.key}-{shown.name}")
    width, height = picture.size
    drawing = el("svg", inside, viewBox=f"0 0 {width} {height}", class_=f"picture {box.rules.stem}", role="img")
    return f'<template id="{box.key}-{shown.name}">{drawing}</template>'


def _own_ids(drawing: str, name: str) -> str:
    """The drawing with unique ids, and only those that it refers to: the page holds many drawings."""
    wanted = {found[2] for found in REFERENCE.finditer(drawing)}
    kept = ID.sub(lambda found: f' id="{name}-{found[1]}"' if found[1] in wanted else "", drawing)
    return REFERENCE.sub(rf"\1{name}-\2", kept)


def _figure(name: str, width: int, light: str, caption: str, eyes: str = "") -> str:
    classes, filtered = (f' class="{light}"' if light else ""), (f' data-eyes="{eyes}"' if eyes else "")
    opening = f'<figure data-of="{name}" data-width="{width}"{classes}{filtered}>'
    return f"{opening}<figcaption>{caption}</figcaption></figure>"


def boxes() -> list[Box]:
    """Our own games, without those of plug-ins."""
    return [box for box in ludotheque.games() if box.rules.start.__module__.startswith("ludotheque.")]


def main() -> None:
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
