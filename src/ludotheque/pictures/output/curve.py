"""A line chart of what each seat could hope for over a match, the lines told apart by dashes as well as colour."""

from collections.abc import Sequence
from typing import NamedTuple

from ludotheque.game import AnyGame
from ludotheque.pictures.kit import svg
from ludotheque.pictures.output import chips
from ludotheque.pictures.output.registry import shared_stylesheet, stylesheet_beside, stylesheet_of

WIDTH, HEIGHT, LEFT_MARGIN, MARGIN = 640, 280, 64, 18
DASHES = (None, "14 6", "3 6", "16 5 3 5")


class Point(NamedTuple):
    """What everybody could hope for after so many events, from 0 to 1."""

    after: int  #: how many events there had been
    hopes: tuple[float, ...]  #: one for each seat


class Mark(NamedTuple):
    """A point of a line that is worth a look."""

    after: int  #: how many events there had been
    seat: int  #: whose line it is on
    hope: float  #: what that seat could hope for
    words: str  #: what a pointer shows


def render(
    points: Sequence[Point],
    marks: Sequence[Mark],
    names: Sequence[str],
    events: int,
    *,
    said: str,
    game: AnyGame | None = None,
    style: bool = True,
) -> str:
    """The curve as SVG, in the colours of the game; `said` tells those who cannot see it what it is."""
    look = chips.look(game, len(names)) if game else ""
    own = stylesheet_of(game) if game else shared_stylesheet()
    return svg.el(
        "svg",
        svg.title(said),
        svg.el("style", own + stylesheet_beside(__name__)) if style else "",
        svg.rect(0, 0, WIDTH, HEIGHT, class_="paper") if style else "",
        *(_level(part) for part in (0.0, 0.5, 1.0)),
        *(_line(points, seat, name, events) for seat, name in enumerate(names)),
        *(_mark(mark, events) for mark in marks),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_=f"picture curve {look}".strip(),
        role="img",
        aria_label=said,
    )


def sample(seat: int, look: str = "") -> str:
    """A piece of a seat's line, for a legend."""
    layers = (_edge_class(seat), f"curve-line curve-{seat}")
    pieces = [svg.line(0, 6, 44, 6, class_=layer, stroke_dasharray=DASHES[seat]) for layer in layers]
    return svg.el(
        "svg",
        *pieces,
        viewBox="0 0 44 12",
        width=44,
        height=12,
        class_=f"picture {look}".strip(),
        focusable="false",
        aria_hidden="true",
    )


def across(after: int, events: int) -> float:
    """How far to the right a moment of the match is."""
    return LEFT_MARGIN + (WIDTH - LEFT_MARGIN - MARGIN) * after / max(events, 1)


def _height(hope: float) -> float:
    return MARGIN + (1 - hope) * (HEIGHT - 2 * MARGIN)


def _level(part: float) -> str:
    y = _height(part)
    line = svg.line(LEFT_MARGIN, y, WIDTH - MARGIN, y, class_="curve-level")
    return line + svg.text_at(LEFT_MARGIN - 8, y, f"{100 * part:.0f} %", class_="curve-label")


def _line(points: Sequence[Point], seat: int, name: str, events: int) -> str:
    """A line in the colour of its seat on a wider one, so that light and dark ones are seen on any paper."""
    places = [f"{svg.short(across(point.after, events))},{svg.short(_height(point.hopes[seat]))}" for point in points]
    edge = svg.path("M" + "L".join(places), class_=_edge_class(seat), stroke_dasharray=DASHES[seat])
    line = svg.el(
        "polyline", points=" ".join(places), class_=f"curve-line curve-{seat}", stroke_dasharray=DASHES[seat]
    )
    return svg.group([svg.title(name), edge, line])


def _edge_class(seat: int) -> str:
    return f"curve-line curve-edge curve-edge-{seat}"


def _mark(mark: Mark, events: int) -> str:
    x, y = across(mark.after, events), _height(mark.hope)
    return svg.circle(x, y, 8, svg.title(mark.words), class_=f"curve-mark curve-dot-{mark.seat}")
