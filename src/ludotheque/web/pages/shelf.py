"""The front page with its lists of tables, the page about the site, and the visitor's settings."""

from datetime import timedelta
from urllib.parse import unquote

import django.conf
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

import ludotheque
from ludotheque import words
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.web.models import Seat, Table
from ludotheque.web.pages import previews
from ludotheque.web.pages.pictures import style_mark
from ludotheque.web.puzzles import progress
from ludotheque.web.table import cache
from ludotheque.web.visitors import COOKIE_AGE_S, hashed, owns, visitor
from ludotheque.web.words import language, say

MAX_LISTED_TABLES = 12
MY_TABLES_FOR = timedelta(days=30)
OPEN_TABLES_FOR = timedelta(days=1)
PUZZLE = "puzzle"  # a filter of the shelf, beside numbers of players


def page_context(request: HttpRequest) -> dict[str, object]:
    """What every page needs."""
    return {
        "lang": language(),
        "default_lang": words.DEFAULT_LANGUAGE,
        "languages": django.conf.settings.LANGUAGES,
        "locale": words.say(None, language(), "language", "locale"),
        "theme": request.COOKIES.get("theme") if request.COOKIES.get("theme") in ("day", "night") else "",
        "motion": "off" if request.COOKIES.get("motion") == "off" else "",
        "coordinates": "off" if request.COOKIES.get("coordinates") == "off" else "",
        "style_mark": style_mark(),
        "here": request.get_full_path(),
        "my_name": unquote(request.COOKIES.get("name", "")),
    }


@require_GET
def shelf(request: HttpRequest) -> HttpResponse:
    wanted, who = request.GET.get("players", ""), visitor(request)
    boxes = [box for box in ludotheque.games() if not wanted.isdecimal() or int(wanted) in box.seats]
    if wanted == PUZZLE:
        boxes = [box for box in boxes if box.key in kind_keys()]
    my_tables = _my_tables(who)
    return render(
        request,
        "web/shelf.html",
        {
            "preview": previews.of_site(request),
            "boxes": boxes,
            "numbers": sorted({number for box in ludotheque.games() for number in box.seats}),
            "wanted": int(wanted) if wanted.isdecimal() else wanted if wanted == PUZZLE else 0,
            "todays_puzzles": progress.today(who, timezone.localdate()),
            "mine": [table for table in my_tables if not table["over"]],
            "finished": [table for table in my_tables if table["over"]],
            "open_tables": _open_tables(who),
        },
    )


def _my_tables(who: str) -> list[dict[str, object]]:
    """My tables, those that wait for me first."""
    mine = Table.objects.filter(seats__visitor=hashed(who), changed__gt=timezone.now() - MY_TABLES_FOR)
    newest = mine.distinct().order_by("-changed").prefetch_related("seats")[:MAX_LISTED_TABLES]
    return sorted((_summary(table, who) for table in newest), key=lambda table: not table["my_turn"])


def _open_tables(who: str) -> list[dict[str, object]]:
    since = timezone.now() - OPEN_TABLES_FOR
    waiting = Table.objects.filter(status=Table.Status.WAITING, listed=True, changed__gt=since)
    others = waiting.exclude(seats__visitor=hashed(who)).order_by("-changed").prefetch_related("seats")
    return [_summary(table, who) for table in others[:MAX_LISTED_TABLES]]


def _summary(table: Table, who: str) -> dict[str, object]:
    seats, state = list(table.seats.all()), cache.state_of(table)
    acting = state.match.to_act if state.match and not state.over else ()
    return {
        "table": table,
        "box": ludotheque.game(table.game),
        "people": [_called(seat) for seat in seats if not seat.free],
        "free": sum(seat.free for seat in seats),
        "my_turn": any(seat.number in acting for seat in seats if owns(seat, who)),
        "over": state.over,
    }


def _called(seat: Seat) -> str:
    return say("computer") if seat.kind == Seat.Kind.COMPUTER else seat.name or say("somebody")


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "web/about.html", {"preview": previews.of_site(request)})


@require_POST
def settings(request: HttpRequest) -> HttpResponse:
    """Language, theme and motion, kept in cookies; then back to where one was."""
    back = request.POST.get("back", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None) or not back.startswith("/"):
        back = "/"
    response = HttpResponseRedirect(back)
    for name, values in {"language": words.LANGUAGES, "theme": ("day", "night"), "motion": ("off", "on")}.items():
        if request.POST.get(name) in values:
            value = request.POST[name]
            response.set_cookie(name, value, COOKIE_AGE_S, samesite="Lax", secure=django.conf.settings.HTTPS)
    return response
