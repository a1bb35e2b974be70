"""What a visitor has done with puzzles: solved, begun, how fast, how many days in a row, and what comes next."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from ludotheque import words
from ludotheque.puzzles.kinds import kind, kinds
from ludotheque.puzzles.making.names import ShortName, of_day
from ludotheque.web.models import Attempt, Puzzle
from ludotheque.web.puzzles.addresses import address, day_of
from ludotheque.web.visitors import hashed
from ludotheque.web.words import language

MAX_LISTED = 12  # attempts
FIRST_DAY = 1_000_000  # numbers below are those one after the other, above are days, YYYYMMDD


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
class BestTimes:
    """The quickest solution without hints, and the quickest with some; empty if there is none."""

    unaided: str
    aided: str


@dataclass(frozen=True)
class Total:
    """What a visitor has solved of one kind."""

    key: str
    solved: int
    unaided: int
    best: "BestTimes"


@dataclass(frozen=True)
class Classic:
    """A well-known problem that is offered beside the grades."""

    address: str
    name: str
    line: str


@dataclass(frozen=True)
class Grade:
    """A grade of one kind: its number, its name, how many of it the visitor has solved, and how fast."""

    number: int
    name: str
    solved: int
    best: BestTimes


def clock(seconds: float) -> str:
    """A time as people write it: 4:07, or 1:02:09."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def grade_name(key: str, grade: int | None, lang: str | None = None) -> str:
    """What a grade is called; nothing for a puzzle that was made to none."""
    if grade is None:
        return ""
    return words.say(kind(key).stem, language(lang), "puzzles", "grades", str(grade))


def mark(attempt: Attempt) -> Mark:
    state = "solved" if attempt.solved else "given-up" if attempt.given_up else "begun"
    return Mark(state, clock(attempt.seconds), attempt.hints)


def of_days(visitor: str, key: str, days: Iterable[date]) -> list[Card]:
    """The puzzles of these days, with what the visitor made of them."""
    asked = [(when, of_day(key, when)) for when in days]
    known = _attempts(visitor, key, [short.number for _, short in asked])
    made = set(Puzzle.objects.filter(pk__in=[str(short) for _, short in asked]).values_list("pk", flat=True))
    cards = [(_card(short, known.get((short.grade, short.number)), when)) for when, short in asked]
    return [replace(card, made=card.name in made) for card in cards]


def today(visitor: str, when: date) -> list[Card]:
    """The day's puzzle of each kind."""
    return [card for of in kinds() for card in of_days(visitor, of.key, [when])]


def recent(visitor: str) -> list[Card]:
    """What the visitor has been at, the unfinished first."""
    mine = Attempt.objects.filter(visitor=hashed(visitor)).order_by("-changed")[:MAX_LISTED]
    return sorted(
        (_own(attempt) for attempt in mine), key=lambda card: card.mark is None or card.mark.state != "begun"
    )


def totals(visitor: str) -> list[Total]:
    """By kind; none of what nobody has solved."""
    found = []
    for of in kinds():
        mine = list(Attempt.objects.filter(visitor=hashed(visitor), key=of.key, solved__isnull=False))
        if mine:
            unaided = sum(attempt.hints == 0 for attempt in mine)
            found.append(Total(of.key, len(mine), unaided, _best(mine)))
    return found


def best_times(who: str, key: str, grade: int) -> BestTimes:
    """The best times at a grade, of whoever has this hash."""
    return _best(list(Attempt.objects.filter(visitor=who, key=key, grade=grade, solved__isnull=False)))


def _best(solved: list[Attempt]) -> BestTimes:
    unaided = [attempt.seconds for attempt in solved if not attempt.hints]
    aided = [attempt.seconds for attempt in solved if attempt.hints]
    return BestTimes(*(clock(min(times)) if times else "" for times in (unaided, aided)))


def by_grade(visitor: str, key: str) -> list[Grade]:
    """All grades, the easiest first."""
    mine = list(Attempt.objects.filter(visitor=hashed(visitor), key=key, solved__isnull=False))
    solved = {grade: [attempt for attempt in mine if attempt.grade == grade] for grade in kind(key).grades}
    return [Grade(grade, grade_name(key, grade), len(some), _best(some)) for grade, some in solved.items()]


def classic(key: str) -> Classic | None:
    """The well-known problem of a kind, if there is one."""
    of = kind(key)
    if not of.classic:
        return None
    name, line = (words.say(of.stem, language(), "puzzles", each) for each in ("classic", "classic-line"))
    return Classic(address(f"{key}:{of.classic}"), name, line)


def streak(visitor: str, when: date) -> int:
    """Days in a row, up to today or yesterday, of which a puzzle was solved on the day itself."""
    mine = Attempt.objects.filter(visitor=hashed(visitor), solved__isnull=False, number__gte=FIRST_DAY)
    days = {a.solved.date() for a in mine if a.solved and a.number == int(a.solved.strftime("%Y%m%d"))}
    last = when if when in days else when - timedelta(days=1)
    number = 0
    while last - timedelta(days=number) in days:
        number += 1
    return number


def following(visitor: str, key: str, grade: int, after: int = 0) -> ShortName:
    """The next puzzle of a grade that the visitor has not finished, one after the other."""
    mine = Attempt.objects.filter(visitor=hashed(visitor), key=key, grade=grade, number__lt=FIRST_DAY)
    done = {attempt.number for attempt in mine if attempt.closed}
    number = after + 1 if after < FIRST_DAY else 1
    while number in done:
        number += 1
    return ShortName(key, grade, number)


def _attempts(visitor: str, key: str, numbers: list[int]) -> dict[tuple[int | None, int | None], Attempt]:
    mine = Attempt.objects.filter(visitor=hashed(visitor), key=key, number__in=numbers)
    return {(attempt.grade, attempt.number): attempt for attempt in mine}


def _card(short: ShortName, attempt: Attempt | None, when: date | None = None) -> Card:
    name, grade = str(short), grade_name(short.key, short.grade)
    return Card(short.key, name, address(name), grade, mark(attempt) if attempt else None, when, short.number)


def _own(attempt: Attempt) -> Card:
    if attempt.grade is not None and attempt.number is not None:
        short = ShortName(attempt.key, attempt.grade, attempt.number)
        return _card(short, attempt, day_of(str(short)))
    return Card(attempt.key, attempt.puzzle, address(attempt.puzzle), "", mark(attempt))
