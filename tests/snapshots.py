"""The structure of every game's picture as data: which elements stand where, with which ids; no colours, no numbers.

python tests/snapshots.py [GAME …]     # write tests/data/pictures/*.txt anew, after having looked at the pictures
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import ludotheque
from ludotheque import Box
from ludotheque.pictures.output import diagrams

FOLDER = Path(__file__).parent / "data" / "pictures"


def structure(box: Box) -> str:
    """An outline of the picture on the box: tags with ids and classes, indented; the same in a row are counted."""
    root = ET.fromstring(diagrams.on_the_box(box.rules).picture())  # noqa: S314
    return "\n".join(_outline(root, 0)) + "\n"


def _outline(element: ET.Element, depth: int) -> list[str]:
    tag = element.tag.rpartition("}")[2]
    name = "".join((f"#{element.get('id')}" if element.get("id") else "", *_classes(element)))
    inside: list[list[str]] = [_outline(child, depth + 1) for child in element]
    return ["  " * depth + tag + name, *_counted(inside)]


def _classes(element: ET.Element) -> list[str]:
    return [f".{name}" for name in (element.get("class") or "").split()]


def _counted(parts: list[list[str]]) -> list[str]:
    found: list[str] = []
    number = 0
    for place, part in enumerate(parts):
        number += 1
        if place + 1 == len(parts) or parts[place + 1] != part:
            times = f" ×{number}" if number > 1 else ""
            found += [part[0] + times, *part[1:]]
            number = 0
    return found


def path(box: Box) -> Path:
    return FOLDER / f"{box.key}.txt"


def main(keys: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for box in ludotheque.games():
        if not keys or box.key in keys:
            path(box).write_text(structure(box), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
