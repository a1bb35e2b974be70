"""The pages of puzzles: today's, all others by name, grade and day, and what the visitor has done."""

import re
from calendar import Calendar
from datetime import date, timedelta

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

import ludotheque
from ludotheque.board.bits import union
from ludotheque.board.square import NAMES, NUMBERS, SIDE
from ludotheque.errors import BadOption, quoted
from ludotheque.options import Number
from ludotheque.puzzles.making.names import KEYS, PuzzleOf, described, pegs, wanted
from ludotheque.web import inputs
from ludotheque.web.puzzles import progress
from ludotheque.web.visitors import visitor
from ludotheque.web.words import say

OWN = {"tetrods": "own-tetrods", "hepta-solo": "own-hepta-solo", "pegs-solo": "own-pegs-solo"}  # what to choose
FIRST_MONTH = date(2026, 1, 1)  # of the calendar


@never_cache
@require_GET
def shelf(request: HttpRequest) -> HttpResponse:
    """Today's puzzles, the others by name and by kind, and what the visitor has done."""
    asked = request.GET.get("name", "").strip()
    if asked:
        try:
            return redirect(progress.address(progress.written(asked)))
        except BadOption:
            return _shelf(request, say("bad-puzzle", id=quoted(asked)), asked, status=400)
    return _shelf(request)


def _shelf(request: HttpRequest, mistake: str = "", asked: str = "", status: int = 200) -> HttpResponse:
    who, today = visitor(request), timezone.localdate()
    context = {
        "today": progress.today(who, today),
        "date": today,
        "recent": progress.recent(who),
        "totals": progress.totals(who),
        "streak": progress.streak(who, today),
        "kinds": [ludotheque.game(key) for key in KEYS],
        "mistake": mistake,
        "asked": asked[:100],
    }
    return render(request, "web/puzzles.html", context, status=status)


@never_cache
@require_GET
def kind(request: HttpRequest, key: str) -> HttpResponse:
    """One kind of puzzle: today's, by grade, a calendar of earlier days, and one's own."""
    if key not in KEYS:
        raise Http404
    return _kind(request, key)


def _kind(request: HttpRequest, key: str, mistake: str = "", status: int = 200) -> HttpResponse:
    who, today = visitor(request), timezone.localdate()
    month = _month(request.GET.get("month", ""), today)
    context = {
        "box": ludotheque.game(key),
        "today": progress.of_days(who, key, [today])[0],
        "grades": progress.by_grade(who, key),
        "month": month,
        "weeks": _weeks(who, key, month, today),
        "before": month - timedelta(days=1) if month > FIRST_MONTH else None,
        "after": _next_month(month) if _next_month(month) <= today else None,
        "weekdays": [date(2026, 11, 16) + timedelta(days=more) for more in range(7)],
        "own_line": say(OWN[key]),
        "cards": _cards(request, key),
        "rows": [NAMES[rank::SIDE] for rank in reversed(range(SIDE))],
        "chosen": request.GET.getlist("cell"),
        "mistake": mistake,
    }
    return render(request, "web/puzzle_kind.html", context, status=status)


def _month(text: str, today: date) -> date:
    """The first day of the month asked for, within the calendar."""
    found = re.fullmatch(r"(20\d\d)-(0[1-9]|1[0-2])", text, re.ASCII)
    month = date(int(found[1]), int(found[2]), 1) if found else today.replace(day=1)
    return min(max(month, FIRST_MONTH), today.replace(day=1))


def _next_month(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def _weeks(who: str, key: str, month: date, today: date) -> list[list[progress.Card | None]]:
    """The calendar's rows: a card for each day of the month that has come."""
    weeks = Calendar().monthdatescalendar(month.year, month.month)
    come = [when for week in weeks for when in week if when.month == month.month and when <= today]
    cards = {card.when: card for card in progress.of_days(who, key, come)}
    return [[cards.get(when) for when in week] for week in weeks]


@never_cache
@require_GET
def following(request: HttpRequest, key: str) -> HttpResponse:
    """On to the next puzzle of a grade."""
    grade, after = inputs.number(request.GET.get("grade")), inputs.number(request.GET.get("after"))
    try:
        wanted(key, grade, 1)
    except BadOption as error:
        raise Http404 from error
    return redirect(progress.address(str(progress.following(visitor(request), key, grade, max(after, 0)))))


@never_cache
@require_GET
def own(request: HttpRequest, key: str) -> HttpResponse:
    """On to a puzzle that the visitor has composed."""
    if key not in KEYS:
        raise Http404
    try:
        return redirect(progress.address(_composed(request, key).description))
    except BadOption:
        return _kind(request, key, say("own-wrong", number=len(request.GET.getlist("cell"))), status=400)


def _composed(request: HttpRequest, key: str) -> PuzzleOf:
    cells = request.GET.getlist("cell")[: len(NAMES)]
    if key == "pegs-solo":
        return pegs(
            inputs.number(request.GET.get("cards")), union(NUMBERS[cell] for cell in cells if cell in NUMBERS)
        )
    return described(key, cells)


def _cards(request: HttpRequest, key: str) -> dict[str, int] | None:
    """How many cards of Pegs alone may be asked for, and how many are."""
    if key != "pegs-solo":
        return None
    option = ludotheque.game(key).options[0]
    assert isinstance(option, Number)
    asked = inputs.number(request.GET.get("cards"))
    return {"least": option.least, "most": option.most, "now": asked if asked > 0 else option.default}
