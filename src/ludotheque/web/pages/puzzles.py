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
from ludotheque import words
from ludotheque.board.square import NAMES, SIDE
from ludotheque.errors import BadOption, quoted
from ludotheque.options import Cells, Number
from ludotheque.puzzles.kinds import PuzzleKind, kind, kind_keys
from ludotheque.puzzles.making.names import described, short_name
from ludotheque.web import inputs
from ludotheque.web.puzzles import progress
from ludotheque.web.puzzles.addresses import address, canonical
from ludotheque.web.visitors import visitor
from ludotheque.web.words import language, say

FIRST_MONTH = date(2026, 1, 1)  # of the calendar


@never_cache
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """Today's puzzles, the others by name and by kind, and what the visitor has done."""
    asked = request.GET.get("name", "").strip()
    if asked:
        try:
            return redirect(address(canonical(asked)))
        except BadOption:
            return _index(request, say("bad-puzzle", id=quoted(asked)), asked, status=400)
    return _index(request)


def _index(request: HttpRequest, mistake: str = "", asked: str = "", status: int = 200) -> HttpResponse:
    who, today = visitor(request), timezone.localdate()
    context = {
        "today": progress.today(who, today),
        "date": today,
        "recent": progress.recent(who),
        "totals": progress.totals(who),
        "streak": progress.streak(who, today),
        "kinds": [ludotheque.game(key) for key in kind_keys()],
        "mistake": mistake,
        "asked": asked[:100],
    }
    return render(request, "web/puzzles.html", context, status=status)


@never_cache
@require_GET
def kind_page(request: HttpRequest, key: str) -> HttpResponse:
    """One kind of puzzle: today's, by grade, a calendar of earlier days, and one's own."""
    return _kind_page(request, _kind(key))


def _kind(key: str) -> PuzzleKind:
    try:
        return kind(key)
    except BadOption as error:
        raise Http404 from error


def _kind_page(request: HttpRequest, of: PuzzleKind, mistake: str = "", status: int = 200) -> HttpResponse:
    who, today = visitor(request), timezone.localdate()
    month = _month(request.GET.get("month", ""), today)
    context = {
        "box": ludotheque.game(of.key),
        "today": progress.of_days(who, of.key, [today])[0],
        "grades": progress.by_grade(who, of.key),
        "classic": progress.classic(of.key),
        "month": month,
        "weeks": _weeks(who, of.key, month, today),
        "before": month - timedelta(days=1) if month > FIRST_MONTH else None,
        "after": _next_month(month) if _next_month(month) <= today else None,
        "weekdays": [date(2026, 11, 16) + timedelta(days=more) for more in range(7)],
        "own_line": words.say(of.stem, language(), "puzzles", "own"),
        "number": _number_field(request, of),
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
        short_name(key, grade, 1)
    except BadOption as error:
        raise Http404 from error
    name = str(progress.following(visitor(request), key, grade, max(after, 0)))
    return redirect(address(name) + inputs.first_game(request.GET))


@never_cache
@require_GET
def own(request: HttpRequest, key: str) -> HttpResponse:
    """On to a puzzle that the visitor has composed."""
    of = _kind(key)
    try:
        return redirect(address(described(key, _composed(request, of)).description))
    except BadOption:
        return _kind_page(request, of, say("own-wrong", number=len(request.GET.getlist("cell"))), status=400)


def _composed(request: HttpRequest, of: PuzzleKind) -> dict[str, object]:
    """The options that the visitor has chosen: cells by ticking them, numbers by their names."""
    chosen: dict[str, object] = {}
    for option in of.game.options:
        if isinstance(option, Cells):
            ticked = dict.fromkeys(request.GET.getlist("cell")[: len(option.board)])
            chosen[option.name] = [cell for cell in ticked if cell in option.board]
        elif isinstance(option, Number):
            chosen[option.name] = inputs.number(request.GET.get(option.name))
    return chosen


def _number_field(request: HttpRequest, of: PuzzleKind) -> dict[str, object] | None:
    """The number that may be chosen besides cells, if the kind has one: its limits, and what is chosen."""
    option = next((option for option in of.game.options if isinstance(option, Number)), None)
    if option is None:
        return None
    asked = inputs.number(request.GET.get(option.name))
    return {
        "name": option.name,
        "label": words.say(of.stem, language(), "puzzles", f"own-{option.name}"),
        "least": option.least,
        "most": option.most,
        "now": asked if asked > 0 else option.default,
    }
