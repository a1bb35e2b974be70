"""The plots of the studies, as SVG."""

from collections.abc import Iterable, Mapping
from html import escape
from math import log

from ludotheque.game import Json

WIDTH, HEIGHT, LEFT, LOW = 720, 400, 90, 60
MAX_BARS_WITH_NUMBERS = 12
INK, FILL, SOFT = "#2b2622", "#1f6f8b", "#8b8177"


def bars(found: Mapping[str, Json], *, table: str, title: str) -> str:
    """One table of a study's result as bars."""
    numbers = {key: number for key, number in _table(found[table]).items() if isinstance(number, int) and number}
    return _frame(_bars(numbers), title)


def boxes(found: Mapping[str, Json]) -> str:
    """The efforts of all grades as boxes; kinds without deductions have none."""
    return _frame(_boxes(found), "effort by grade: deductions of the human solver, pieces laid by a blind one")


def _table(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


def _bars(bars: Mapping[str, int]) -> Iterable[str]:
    step, most = (WIDTH - LEFT - 20) / len(bars), max(bars.values())
    for place, (key, number) in enumerate(bars.items()):
        tall = (HEIGHT - LOW - 60) * number / most
        x, y = LEFT + place * step, HEIGHT - LOW - tall
        yield _rect(x + step * 0.1, y, step * 0.8, tall, 1)
        if len(bars) <= MAX_BARS_WITH_NUMBERS:
            yield _text(x + step / 2, HEIGHT - LOW + 18, key, 11)
            yield _text(x + step / 2, y - 8, f"{number:,}", 12)
        else:
            yield _slanted(x + step / 2 + 4, HEIGHT - LOW + 14, key, 10)


def _boxes(found: Mapping[str, Json]) -> Iterable[str]:
    """For each kind of puzzle, effort and grade a box from the first to the third quarter, and a line at the median.

    The scale is logarithmic: blind searching takes off.
    """
    panels = [
        (f"{key}: {name}", {grade: _numbers(_table(rating)[effort]) for grade, rating in _table(grades).items()})
        for key, grades in found.items()
        if all("effort" in _table(rating) for rating in _table(grades).values())
        for effort, name in (("effort", "deductions"), ("pieces laid blindly", "blind"))
    ]
    width = (WIDTH - LEFT - 20) / len(panels)
    for place, (title, efforts) in enumerate(panels):
        least, most = min(numbers[1] for numbers in efforts.values()), max(numbers[3] for numbers in efforts.values())
        step, left = width / (len(efforts) + 0.6), LEFT + place * width
        yield _text(left + width / 2 - step / 4, HEIGHT - 16, title, 12)
        for number, (grade, (_, low, middle, high, _)) in enumerate(efforts.items()):
            x = left + number * step
            top, line, foot = (_height(value, least / 2, most) for value in (high, middle, low))
            yield _rect(x, top, step * 0.7, max(2.0, foot - top), 0.45)
            yield f'<path d="M{x:.1f} {line:.1f}h{step * 0.7:.1f}" stroke="{INK}" stroke-width="3"/>'
            yield _text(x + step * 0.35, HEIGHT - LOW + 18, grade, 12)
            yield _text(x + step * 0.35, top - 8, _short(middle), 11)


def _height(value: int, least: float, most: int) -> float:
    """Where a value stands on the paper."""
    return HEIGHT - LOW - (HEIGHT - LOW - 70) * log(max(value, 1) / least) / log(most / least)


def _short(number: int) -> str:
    return str(number) if number < 10_000 else f"{number / 1000:,.0f}k"


def _numbers(value: Json) -> list[int]:
    assert isinstance(value, list)
    return [number for number in value if isinstance(number, int)]


def _frame(inside: Iterable[str], title: str) -> str:
    axis = f'<path d="M{LEFT - 10} {HEIGHT - LOW}H{WIDTH - 10}" stroke="{SOFT}" stroke-width="1.5"/>'
    paper = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf7"/>'
    head = _text(WIDTH / 2, 28, title, 16)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
        f"{paper}{head}{axis}{''.join(inside)}</svg>\n"
    )


def _text(x: float, y: float, words: str, size: int) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{INK}" text-anchor="middle">{escape(words)}</text>'
    )


def _slanted(x: float, y: float, words: str, size: int) -> str:
    turned = f'transform="rotate(-35 {x:.1f} {y:.1f})" text-anchor="end"'
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{INK}" {turned}>{escape(words)}</text>'


def _rect(x: float, y: float, width: float, height: float, opacity: float) -> str:
    where = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f'<rect {where} fill="{FILL}" opacity="{opacity}"/>'
