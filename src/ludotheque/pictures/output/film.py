"""A whole match as an animation: one SVG whose frames share what stays the same. `gif.py` makes a GIF."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ludotheque.pictures.kit.svg import el, short, title
from ludotheque.pictures.output.frames import Frame
from ludotheque.pictures.output.registry import picture_of, stylesheet_of

LAST_FRAME_BEATS = 4  # how many times as long the last frame is shown


@dataclass
class Layer:
    """An element and the numbers of the frames that show it; a group that stays has layers of its own."""

    element: str  #: the element as SVG
    key: str  #: what tells it from others: elements with one key are one
    shown: list[int]  #: the numbers of its frames
    opening: str = ""  #: of a group: its opening tag
    inside: "list[Layer]" = field(default_factory=list)  #: of a group: its layers


def svg(frames: Sequence[Frame], seconds: float, *, night: bool | None = None) -> str:
    """All frames in one SVG file, each shown for so many seconds, over and over."""
    layers: list[Layer] = []
    for number, frame in enumerate(frames):
        root = ET.fromstring(f"<svg>{_inside(frame)}</svg>")  # noqa: S314 - our own drawing
        layers = _merged(layers, list(root), number)
    game = frames[0].game
    width, height = picture_of(game).size
    beats = len(frames) - 1 + LAST_FRAME_BEATS
    theme = {None: "", True: " night", False: " day"}[night]
    return el(
        "svg",
        title(game.key),
        el("style", stylesheet_of(game)),
        el("rect", width=width, height=height, class_="paper"),
        "".join(_written(layer, len(frames), beats, seconds * beats) for layer in layers),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        class_=f"picture {game.stem}{theme}",
        role="img",
    )


def _inside(frame: Frame) -> str:
    """The drawing alone; where roles have changed, in a group that gives them their colours."""
    drawn = picture_of(frame.game).draw(frame.state, frame.role, frame.story)
    looks = f"picture {frame.game.stem}{frame.seating}"
    return el("g", drawn, id=f"leg-{frame.leg}", class_=looks) if frame.seating else drawn


def _merged(layers: list[Layer], elements: list[ET.Element], number: int) -> list[Layer]:
    """The layers with one frame more: what it shares with the frame before, in the same order, is kept."""
    before = [place for place, layer in enumerate(layers) if number - 1 in layer.shown]
    keys = [_key(element) for element in elements]
    blocks = SequenceMatcher(None, [layers[place].key for place in before], keys, autojunk=False)
    fresh: dict[int, list[Layer]] = {}
    for tag, i1, _, j1, j2 in blocks.get_opcodes():
        for offset, j in enumerate(range(j1, j2)):
            if tag == "equal":
                _grow(layers[before[i1 + offset]], elements[j], number)
            else:
                place = before[i1 - 1] + 1 if i1 else 0
                fresh.setdefault(place, []).append(_layer(elements[j], number))
    return [
        layer for place in range(len(layers) + 1) for layer in (*fresh.get(place, ()), *layers[place : place + 1])
    ]


def _layer(element: ET.Element, number: int) -> Layer:
    if not _is_open(element):
        return Layer(_bare(element), _key(element), [number])
    opening = "".join(f' {name}="{value}"' for name, value in element.items() if name != "id")
    return Layer("", _key(element), [number], f"<g{opening}>", [_layer(child, number) for child in element])


def _grow(layer: Layer, element: ET.Element, number: int) -> None:
    layer.shown.append(number)
    if layer.opening:
        layer.inside = _merged(layer.inside, list(element), number)


def _is_open(element: ET.Element) -> bool:
    """Whether the inside of a group may change while the group stays."""
    return element.tag == "g" and "id" in element.attrib and len(element) > 1


def _key(element: ET.Element) -> str:
    """Equal for what stays the same from one frame to the next."""
    return f"<g {sorted(element.items())}" if _is_open(element) else ET.tostring(element, encoding="unicode")


def _bare(element: ET.Element) -> str:
    """An element as text; only definitions keep their ids, since a thing may be drawn several times in one film."""
    text = ET.tostring(element, encoding="unicode")
    return text if element.tag == "defs" else re.sub(r' id="[^"]*"', "", text)


def _written(layer: Layer, frames: int, beats: int, length: float) -> str:
    inside = "".join(_written(child, frames, beats, length) for child in layer.inside)
    text = f"{layer.opening}{inside}</g>" if layer.opening else layer.element
    if len(layer.shown) == frames or layer.element.startswith("<defs"):
        return text
    changes = [n for n in range(frames) if (n in layer.shown) != (n - 1 in layer.shown)]
    times = sorted({0, *changes})
    values = ";".join("visible" if time in layer.shown else "hidden" for time in times)
    moments = ";".join(f"{time / beats:.5f}".rstrip("0").rstrip(".") for time in times)
    blink = el(
        "animate",
        attributeName="visibility",
        values=values,
        keyTimes=moments,
        calcMode="discrete",
        dur=f"{short(length)}s",
        repeatCount="indefinite",
    )
    return f'<g visibility="{"visible" if 0 in layer.shown else "hidden"}">{blink}{text}</g>'
