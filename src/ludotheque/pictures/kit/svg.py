"""Writing SVG: elements as text, numbers short, everything escaped."""

from collections.abc import Iterable
from html import escape


def el(tag: str, *children: str, **attributes: str | float | None) -> str:
    """An element. `class_` is class, `stroke_width` stroke-width; attributes that are None are left out."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"


def group(children: Iterable[str], **attributes: str | float | None) -> str:
    """Elements that belong together."""
    return el("g", *children, **attributes)


def title(text: str) -> str:
    """What a screen reader says and a pointer shows."""
    return el("title", escape(text))


def circle(x: float, y: float, radius: float, *children: str, **attributes: str | float | None) -> str:
    """A circle round a point."""
    return el("circle", *children, cx=x, cy=y, r=radius, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float | None) -> str:
    """A straight line between two points."""
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def rect(x: float, y: float, width: float, height: float, *children: str, **attributes: str | float | None) -> str:
    """A rectangle by its upper left corner and its size."""
    return el("rect", *children, x=x, y=y, width=width, height=height, **attributes)


def path(d: str, *children: str, **attributes: str | float | None) -> str:
    """A path in the language of SVG."""
    return el("path", *children, d=d, **attributes)


def polygon(points: Iterable[tuple[float, float]], *children: str, **attributes: str | float | None) -> str:
    """A polygon by its corners."""
    return el("polygon", *children, points=" ".join(f"{short(x)},{short(y)}" for x, y in points), **attributes)


def text_at(x: float, y: float, text: str, **attributes: str | float | None) -> str:
    """A text, escaped; the stylesheet says how it is aligned to the point."""
    return el("text", escape(text), x=x, y=y, **attributes)


def use(href: str, x: float, y: float, *children: str, **attributes: str | float | None) -> str:
    """A copy of a symbol defined once: `href` is its id."""
    return el("use", *children, href=f"#{href}", x=x, y=y, **attributes)


def moved(x: float, y: float, turn: float = 0) -> str:
    """A transform: to this place, turned clockwise by these degrees."""
    return f"translate({short(x)} {short(y)})" + (f" rotate({short(turn)})" if turn else "")


def short(number: float) -> str:
    """A number with two decimals at the most."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)


def _value(value: str | float | None) -> str:
    return escape(value) if isinstance(value, str) else short(value or 0)
