"""The dogs and fleas of Hundsgemein, drawn once and used wherever they are: heads, beetles, chips and backs.

All are drawn round a point. A seat's back is a disc in its colour whose rim bears its pattern: plain, stripes, dots
or checks. A flea lies on a light chip of the same size; once its owner is known, on a smaller one within that back.
"""

from collections.abc import Iterator

from ludotheque.games.hundsgemein.state import DOGS, VALUES
from ludotheque.pictures.kit.svg import circle, el, path, text_at

CHIP = 39  # the radius of a flea's chip and of a back
BELLY = 26.5  # of the light disc on a back
RIM = 33  # of the middle of the pattern on a back
SMALL = 0.68  # the size of a flea on a back
TAG = (38, 37, 20)  # where a dog's value hangs, and how large
VALUED = dict(zip(DOGS, VALUES[1:], strict=True))
# Each head from back to front, as (class, outline).
HEADS = {
    "Rex": (
        (
            "rex",
            (
                "M0-43C20-43 28-30 27-10C26 6 27 12 25 24C22 38 12 44 0 44S-22 38-25 24C-27 12-26 6-27-10"
                "C-28-30-20-43 0-43Z"
            ),
        ),
        (
            "rex-ear",
            "M-17-37C-38-40-46-16-46 8C-46 26-44 41-35 42C-25 43-25 26-24 12C-23-6-18-14-13-24C-11-30-13-36-17-37Z",
        ),
        (
            "rex-ear",
            "M17-37C38-40 46-16 46 8C46 26 44 41 35 42C25 43 25 26 24 12C23-6 18-14 13-24C11-30 13-36 17-37Z",
        ),
        (
            "rex-jowl",
            "M0 0C12 0 18 8 20 18C22 32 16 42 7 41C3 41 1 38 0 35C-1 38-3 41-7 41C-16 42-22 32-20 18C-18 8-12 0 0 0Z",
        ),
        ("fold", "M-8-31Q0-25 8-31M-7-23Q0-18 7-23M0 18V35"),
        ("eye", "M-17-9Q-11-16-5-8Q-9 1-14-1Q-17-3-17-9ZM17-9Q11-16 5-8Q9 1 14-1Q17-3 17-9Z"),
        ("dark", "M-8-8a3.4 3.4 0 1 1-6.8 0a3.4 3.4 0 1 1 6.8 0ZM14.8-8a3.4 3.4 0 1 1-6.8 0a3.4 3.4 0 1 1 6.8 0Z"),
        ("dark", "M0 20C-8 16-11 12-10 8Q-7 4 0 4T10 8C11 12 8 16 0 20Z"),
    ),
    "Fifi": (
        (
            "fifi",
            (
                "M0-38C16-38 23-32 24-20L25 6C32 14 33 24 30 33L23 32C23 38 19 42 14 42L9 39Q6 45 0 45T-9 39"
                "L-14 42C-19 42-23 38-23 32L-30 33C-33 24-32 14-25 6L-24-20C-23-32-16-38 0-38Z"
            ),
        ),
        ("black", "M-3-37C-18-38-23-31-24-20L-24.6-2C-20 6-9 5-6-6C-4-16-7-28-3-37Z"),
        ("tan", "M9-36L30-45C40-44 44-26 40-9C34-18 27-22 17-24C10-26 7-32 9-36Z"),
        ("black", "M-9-36L-30-45C-40-44-44-26-40-9C-34-18-27-22-17-24C-10-26-7-32-9-36Z"),
        ("eye", "M-8-10a5 5 0 1 1-10 0a5 5 0 1 1 10 0ZM18-10a5 5 0 1 1-10 0a5 5 0 1 1 10 0Z"),
        ("dark", "M-10-9.5a3 3 0 1 1-6 0a3 3 0 1 1 6 0ZM16-9.5a3 3 0 1 1-6 0a3 3 0 1 1 6 0Z"),
        ("fold", "M0 18V24M-12 23Q-6 31 0 24Q6 31 12 23"),
        ("dark", "M0 19C-8 15-10 11-9 7Q-6 4 0 4T9 7C10 11 8 15 0 19Z"),
    ),
    "Daisy": (
        ("daisy-fluff", "M-20-18C-34-20-44-8-40 2C-48 10-46 24-38 28C-32 38-18 36-15 26C-8 20-10 8-14 4Z"),
        ("daisy-fluff", "M20-18C34-20 44-8 40 2C48 10 46 24 38 28C32 38 18 36 15 26C8 20 10 8 14 4Z"),
        (
            "daisy",
            "M0-26C14-26 19-16 19-6C19 4 13 8 12 18C12 34 8 45 0 45S-12 34-12 18C-13 8-19 4-19-6C-19-16-14-26 0-26Z",
        ),
        (
            "daisy-fluff",
            (
                "M-18-14C-30-14-32-30-22-34C-22-46-6-50 0-43C6-50 22-46 22-34C32-30 30-14 18-14C14-8 4-9 0-14"
                "C-4-9-14-8-18-14Z"
            ),
        ),
        ("bow", "M20-34L8-43C5-38 5-32 8-27ZM20-34L32-43C35-38 35-32 32-27Z"),
        ("dark", "M-6 1a4.2 5 0 1 1-8.4 0a4.2 5 0 1 1 8.4 0ZM14.4 1a4.2 5 0 1 1-8.4 0a4.2 5 0 1 1 8.4 0Z"),
        ("fold", "M-14-2L-19-5M-15 2L-20 1M14-2L19-5M15 2L20 1M0 32V36M-6 37Q0 41 6 37"),
        ("dark", "M0 34C-6 31-8 28-7 25Q-5 22 0 22T7 25C8 28 6 31 0 34Z"),
    ),
    "Zorro": (
        (
            "zorro",
            (
                "M0-34C18-34 36-30 40-10C46 0 47 16 42 26C34 42 16 44 0 44S-34 42-42 26C-47 16-46 0-40-10"
                "C-36-30-18-34 0-34Z"
            ),
        ),
        ("dark", "M0-14C8-22 32-24 40-12C36 4 16 8 5-3Q0-6-5-3C-16 8-36 4-40-12C-32-24-8-22 0-14Z"),
        (
            "zorro-ear",
            (
                "M-17-34C-26-43-42-41-48-20C-43-22-37-20-34-13C-31-23-26-29-17-34ZM17-34C26-43 42-41 48-20"
                "C43-22 37-20 34-13C31-23 26-29 17-34Z"
            ),
        ),
        (
            "zorro-jowl",
            "M0 4C18 2 34 8 36 20C38 34 24 38 14 35Q6 33 0 28Q-6 33-14 35C-24 38-38 34-36 20C-34 8-18 2 0 4Z",
        ),
        ("eye", "M-28-15L-12-8C-13-2-24-2-28-15ZM28-15L12-8C13-2 24-2 28-15Z"),
        ("dark", "M-15.5-7a2.8 2.8 0 1 1-5.6 0a2.8 2.8 0 1 1 5.6 0ZM21.1-7a2.8 2.8 0 1 1-5.6 0a2.8 2.8 0 1 1 5.6 0Z"),
        ("eye", "M-19 34L-15 24L-11 34ZM19 34L15 24L11 34Z"),
        ("fold", "M0 16V28M-9-27Q0-22 9-27"),
        ("dark", "M0 17C-9 14-13 10-12 5Q-8 1 0 1T12 5C13 10 9 14 0 17Z"),
    ),
}

# Each flea: its legs and horns, its body, how far its eyes are aside and down and how large.
FLEAS = {
    "A": (
        "M-17-5L-31-13M-20 7L-35 8M-16 18L-28 28M17-5L31-13M20 7L35 8M16 18L28 28M-8-17Q-9-30-19-32M8-17Q9-30 19-32",
        "M23 7a23 23 0 1 1-46 0a23 23 0 1 1 46 0Z",
        (9, -13, 7.5),
    ),
    "B": (
        "M-10 10L-28-8L-25 22L-34 27M10 10L28-8L25 22L34 27M-7 26L-12 35M7 26L12 35M-4-24L-8-35M4-24L8-35",
        "M0-30C11-30 14-20 14-12C17-4 19 4 19 12C19 24 12 31 0 31S-19 24-19 12C-19 4-17-4-14-12C-14-20-11-30 0-30Z",
        (6.5, -17, 6.5),
    ),
    "C": (
        (
            "M-22 16L-31 28M-8 22L-12 33M22 16L31 28M8 22L12 33M-11-9C-29-12-30-28-16-32M-22-25L-13-20"
            "M11-9C29-12 30-28 16-32M22-25L13-20"
        ),
        "M0-14C10-14 14-10 18-8C30-6 35 2 34 9C32 20 18 26 0 26S-32 20-34 9C-35 2-30-6-18-8C-14-10-10-14 0-14Z",
        (7, -10, 6),
    ),
    "D": (
        "M-20 8L-33 15M-14 18L-25 29M20 8L33 15M14 18L25 29",
        "M0-16L10-33L16-19L31-23C31-4 22 20 0 34C-22 20-31-4-31-23L-16-19L-10-33Z",
        (10, -10, 6.5),
    ),
}

# What is printed on a seat's rim, as circles: radius, width of the line, dashes, where they begin.
PATTERNS: tuple[tuple[tuple[float, float, str, float], ...], ...] = (
    (),
    ((RIM, 12.5, "6.5 10.78", 0),),
    ((RIM, 8.5, "0 14.81", 0),),
    ((RIM + 3.1, 6.2, "9.45 9.45", 0), (RIM - 3.1, 6.2, "7.83 7.83", 7.83)),
)


def copy(name: str, x: float | None = None, y: float | None = None, *parts: str, **attributes: str | None) -> str:
    """What `definitions` defines under this name, at this place."""
    return el("use", *parts, href=f"#hund-{name}", x=x, y=y, **attributes)


def chip() -> Iterator[str]:
    """What a flea is printed on, with a hint of thickness."""
    yield circle(0, 3.5, CHIP, class_="hundsgemein-thick")
    yield circle(0, 0, CHIP, class_="hundsgemein-chip")


def emblem(seat: int) -> str:
    """The back of a seat's fleas."""
    return "".join(_back(seat))


def definitions() -> Iterator[str]:
    """All that is drawn more than once: dogs with their value, `Rex`; backs, `0`; fleas, `A`, on a back `0A`, without
    their chip `bare-A`."""
    for name, value in VALUED.items():
        yield _define(name, *_head(name), *_tag(value))
    for seat in range(len(PATTERNS)):
        yield _define(f"{seat}", *_back(seat))
    for kind in FLEAS:
        yield _define(f"bare-{kind}", *_flea(kind))
        yield _define(kind, *chip(), copy(f"bare-{kind}"))
        belly = circle(0, 0, BELLY, class_="hundsgemein-belly")
        yield _define(f"small-{kind}", belly, copy(f"bare-{kind}", transform=f"scale({SMALL})"))
        for seat in range(len(PATTERNS)):
            yield _define(f"{seat}{kind}", copy(f"{seat}"), copy(f"small-{kind}"))


def _define(name: str, *parts: str) -> str:
    return el("g", *parts, id=f"hund-{name}")


def _tag(value: int) -> Iterator[str]:
    x, y, size = TAG
    yield circle(x, y, size, class_="hundsgemein-tag")
    yield text_at(x, y, str(value), class_="hundsgemein-value")


def _flea(kind: str) -> Iterator[str]:
    legs, body, (aside, up, size) = FLEAS[kind]
    yield path(legs, class_="hundsgemein-leg")
    yield path(body, class_=f"hundsgemein-body hundsgemein-body{kind}")
    yield text_at(0, 10, kind, class_=f"hundsgemein-letter hundsgemein-letter{kind}")
    for x in (-aside, aside):
        yield circle(x, up, size, class_="hundsgemein-eye")
        yield circle(0.82 * x, up + 1, size / 2, class_="hundsgemein-dark")


def _head(name: str) -> Iterator[str]:
    return (path(outline, class_=f"hundsgemein-fur hundsgemein-{kind}") for kind, outline in HEADS[name])


def _back(seat: int) -> Iterator[str]:
    yield circle(0, 3.5, CHIP, class_="hundsgemein-thick")
    yield circle(0, 0, CHIP, class_=f"hundsgemein-seat{seat}")
    for radius, width, dashes, begin in PATTERNS[seat]:
        yield circle(
            0,
            0,
            radius,
            class_=f"hundsgemein-print{seat}",
            stroke_width=width,
            stroke_dasharray=dashes,
            stroke_dashoffset=begin or None,
        )
