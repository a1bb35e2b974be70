"""What a visitor has done with puzzles: solved, begun, how fast, how many days in a row, and what comes next."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ludotheque import words
from ludotheque.puzzles.making.names import KEYS, Wanted, day, grades, read
from ludotheque.web.models import Attempt, Puzzle
from ludotheque.web.visitors import hashed
from ludotheque.web.words import language

SHOWN = 12  # attempts of a list
SERIAL = 1_000_000  # numbers below are those one after the other, above are days


@dataclass(frozen=True)
class Mark:
    """How an attempt stands: `solved`, `given-up` or `begun`, with its time and hints."""

    state: str
    time: str
    hints: int


@dataclass(frozen=True)
class Card:
    """A puzzle in a list."""

    key: str
    name: str
    address: str
    grade: str
    mark: Mark | None = None
    when: date | None = None
    number: int | None = None
    made: bool = True  # otherwise it has no picture yet


@dataclass(frozen=True)
class Total:
    """What a visitor has solved of one kind."""

    key: str
    solved: int
    unaided: int
    best: str


@dataclass(frozen=True)
class Grade:
    """A grade of one kind: its number, its name, and how many of it the visitor has solved."""

    number: int
    name: str
    solved: int


def address(name: str) -> str:
    """Where a puzzle lives: its name, with slashes between its parts."""
    return "/puzzles/" + name.replace(":", "/").replace("#", "/")


def name_at(key: str, rest: str) -> str:
    """The name of the puzzle that lives there."""
    grade, _, number = rest.partition("/")
    short = number.isascii() and number.isdigit()
    return f"{key}:{grade}#{number}" if short else f"{key}:{rest.replace('/', ':')}"


def written(name: str) -> str:
    """A name as we write it; a `BadOption` if it is none."""
    found = read(name)
    return str(found) if isinstance(found, Wanted) else found.description


def day_of(name: str) -> date | None:
    """The day whose puzzle this is."""
    found = re.fullmatch(r"([a-z-]+):\d+#(20\d\d)(\d\d)(\d\d)", name, re.ASCII)
    try:
        when = date(int(found[2]), int(found[3]), int(found[4])) if found else None
    except ValueError:
        return None
    return when if found and when and str(day(found[1], when)) == name else None


def clock(seconds: float) -> str:
    """A time as people write it: 4:07, or 1:02:09."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def grade_name(key: str, grade: int | None, lang: str | None = None) -> str:
    """What a grade is called; nothing for a puzzle that was made to none."""
    if grade is None:
        return ""
    table = "grades-pegs" if key == "pegs-solo" else "grades"
    return words.say(None, language(lang), "puzzles", table, str(grade))


def mark(attempt: Attempt) -> Mark:
    state = "solved" if attempt.solved else "given-up" if attempt.given_up else "begun"
    return Mark(state, clock(attempt.seconds), attempt.hints)


def of_days(visitor: str, key: str, days: Iterable[date]) -> list[Card]:
    """The puzzles of these days, with what the visitor made of them."""
    asked = [(when, day(key, when)) for when in days]
    known = _attempts(visitor, key, [wanted.number for _, wanted in asked])
    made = set(Puzzle.objects.filter(pk__in=[str(wanted) for _, wanted in asked]).values_list("pk", flat=True))
    cards = [(_card(wanted, known.get((wanted.grade, wanted.number)), when)) for when, wanted in asked]
    return [replace(card, made=card.name in made) for card in cards]


def today(visitor: str, when: date) -> list[Card]:
    """The day's puzzle of each kind."""
    return [card for key in KEYS for card in of_days(visitor, key, [when])]


def recent(visitor: str) -> list[Card]:
    """What the visitor has been at, the unfinished first."""
    mine = Attempt.objects.filter(visitor=hashed(visitor)).order_by("-changed")[:SHOWN]
    return sorted(
        (_own(attempt) for attempt in mine), key=lambda card: card.mark is None or card.mark.state != "begun"
    )


def totals(visitor: str) -> list[Total]:
    """By kind; none of what nobody has solved."""
    found = []
    for key in KEYS:
        mine = list(Attempt.objects.filter(visitor=hashed(visitor), key=key, solved__isnull=False))
        if mine:
            best = min(attempt.seconds for attempt in mine)
            found.append(Total(key, len(mine), sum(attempt.hints == 0 for attempt in mine), clock(best)))
    return found


def by_grade(visitor: str, key: str) -> list[Grade]:
    """All grades, the easiest first."""
    mine = Attempt.objects.filter(visitor=hashed(visitor), key=key, solved__isnull=False)
    numbers = list(mine.values_list("grade", flat=True))
    return [Grade(grade, grade_name(key, grade), numbers.count(grade)) for grade in grades(key)]


def streak(visitor: str, when: date) -> int:
    """Days in a row, up to today or yesterday, of which a puzzle was solved on the day itself."""
    mine = Attempt.objects.filter(visitor=hashed(visitor), solved__isnull=False, number__gte=SERIAL)
    days = {a.solved.date() for a in mine if a.solved and a.number == int(a.solved.strftime("%Y%m%d"))}
    last = when if when in days else when - timedelta(days=1)
    number = 0
    while last - timedelta(days=number) in days:
        number += 1
    return number


def following(visitor: str, key: str, grade: int, after: int = 0) -> Wanted:
    """The next puzzle of a grade that the visitor has not finished, one after the other."""
    mine = Attempt.objects.filter(visitor=hashed(visitor), key=key, grade=grade, number__lt=SERIAL)
    done = {attempt.number for attempt in mine if attempt.closed}
    number = after + 1 if after < SERIAL else 1
    while number in done:
        number += 1
    return Wanted(key, grade, number)


def _attempts(visitor: str, key: str, numbers: list[int]) -> dict[tuple[int | None, int | None], Attempt]:
    mine = Attempt.objects.filter(visitor=hashed(visitor), key=key, number__in=numbers)
    return {(attempt.grade, attempt.number): attempt for attempt in mine}


def _card(wanted: Wanted, attempt: Attempt | None, when: date | None = None) -> Card:
    name, grade = str(wanted), grade_name(wanted.key, wanted.grade)
    return Card(wanted.key, name, address(name), grade, mark(attempt) if attempt else None, when, wanted.number)


def _own(attempt: Attempt) -> Card:
    if attempt.grade is not None and attempt.number is not None:
        wanted = Wanted(attempt.key, attempt.grade, attempt.number)
        return _card(wanted, attempt, day_of(str(wanted)))
    return Card(attempt.key, attempt.puzzle, address(attempt.puzzle), "", mark(attempt))
