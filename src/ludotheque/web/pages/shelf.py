"""The pages of the house: the shelf, a game, a new table, about."""

import sys
from datetime import timedelta
from urllib.parse import quote, unquote

import django.conf
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST

import ludotheque
from ludotheque.errors import LudothequeError, UnknownGame
from ludotheque.lessons import tasks
from ludotheque.pictures import diagrams
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.shelf import Box
from ludotheque.web.guard import outage
from ludotheque.web.models import Seat, Table, hashed
from ludotheque.web.pages import previews
from ludotheque.web.pages.pictures import style_mark
from ludotheque.web.players import turns
from ludotheque.web.puzzles import progress
from ludotheque.web.table import actions, new_table
from ludotheque.web.table.state import standing
from ludotheque.web.visitors import AGE, remember, visitor
from ludotheque.web.words import language, say

SHOWN = 12  # tables of a list
NONSENSE = "We could not read that. / Nous n’avons pas pu lire cela."
BROKEN = """<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>Ludothèque</title></head><body><main><h1>Ludothèque</h1>
<p>Something went wrong. Your games are safe: reload the page in a moment.</p>
<p lang="fr">Quelque chose a mal tourné. Vos parties sont en sécurité : rechargez la page dans un instant.</p>
</main></body></html>
"""
PUZZLE = "puzzle"  # a filter of the shelf, beside numbers of players


def everywhere(request: HttpRequest) -> dict[str, object]:
    """What every page needs."""
    return {
        "lang": language(),
        "theme": request.COOKIES.get("theme") if request.COOKIES.get("theme") in ("day", "night") else "",
        "motion": "off" if request.COOKIES.get("motion") == "off" else "",
        "coordinates": "off" if request.COOKIES.get("coordinates") == "off" else "",
        "style_mark": style_mark(),
        "here": request.get_full_path(),
        "my_name": unquote(request.COOKIES.get("name", "")),
    }


@require_GET
def shelf(request: HttpRequest) -> HttpResponse:
    wanted = request.GET.get("players", "")
    boxes = [box for box in ludotheque.games() if not wanted.isdecimal() or int(wanted) in box.seats]
    if wanted == PUZZLE:
        boxes = [box for box in boxes if box.key in kind_keys()]
    my_tables = _my_tables(visitor(request))
    return render(
        request,
        "web/shelf.html",
        {
            "preview": previews.of_house(request),
            "boxes": boxes,
            "numbers": sorted({number for box in ludotheque.games() for number in box.seats}),
            "wanted": int(wanted) if wanted.isdecimal() else wanted if wanted == PUZZLE else 0,
            "todays_puzzles": progress.today(visitor(request), timezone.localdate()),
            "mine": [table for table in my_tables if not table["over"]],
            "finished": [table for table in my_tables if table["over"]],
            "open_tables": _open_tables(visitor(request)),
        },
    )


def _my_tables(who: str) -> list[dict[str, object]]:
    """My tables, those that wait for me first."""
    mine = Table.objects.filter(seats__visitor=hashed(who)).distinct().order_by("-changed").prefetch_related("seats")
    since = timezone.now() - timedelta(days=30)
    found = [_summary(table, who) for table in mine.filter(changed__gt=since)[:SHOWN]]
    return sorted(found, key=lambda table: not table["my_turn"])


def _open_tables(who: str) -> list[dict[str, object]]:
    since = timezone.now() - timedelta(days=1)
    waiting = Table.objects.filter(status=Table.Status.WAITING, listed=True, changed__gt=since)
    others = waiting.exclude(seats__visitor=hashed(who)).order_by("-changed").prefetch_related("seats")
    return [_summary(table, who) for table in others[:SHOWN]]


def _summary(table: Table, who: str) -> dict[str, object]:
    seats = list(table.seats.all())
    mine = [seat.number for seat in seats if seat.visitor == hashed(who)]
    stands = standing(table)
    acting = stands.match.to_act if stands.match and not stands.over else ()
    return {
        "table": table,
        "box": ludotheque.game(table.game),
        "people": [_called(seat) for seat in seats if not seat.free],
        "free": sum(seat.free for seat in seats),
        "my_turn": any(seat in acting for seat in mine),
        "over": stands.over,
    }


def _called(seat: Seat) -> str:
    return say("computer") if seat.kind == Seat.Kind.COMPUTER else seat.name or say("somebody")


@require_GET
def game(request: HttpRequest, key: str) -> HttpResponse:
    return _game_page(request, _box(key), {})


def _game_page(request: HttpRequest, box: Box, more: dict[str, object], status: int = 200) -> HttpResponse:
    context = {
        "box": box,
        "rules": diagrams.parts(box.rules, language()),
        "fields": new_table.fields(box, language()),
        "has_lesson": bool(tasks(box.rules)),
        "roles": new_table.roles(box, language()),
        "most": max(box.seats),
        "levels": turns.levels(box),
        "usual_level": new_table.LEVEL,
        "preview": previews.of_game(request, box),
    }
    if box.key in kind_keys():
        who = visitor(request)
        context["puzzle"] = progress.of_days(who, box.key, [timezone.localdate()])[0]
        context["grades"] = progress.by_grade(who, box.key)
        context["classic"] = progress.classic(box.key)
    return render(request, "web/game.html", context | more, status=status)


def _box(key: str) -> Box:
    try:
        return ludotheque.game(key)
    except UnknownGame as error:
        raise Http404 from error


@require_POST
def new(request: HttpRequest, key: str) -> HttpResponse:
    box = _box(key)
    if key in kind_keys():
        return redirect("puzzle-kind", key=key)
    who = remember(request)
    try:
        wish = new_table.read(box, request.POST)
        table = new_table.lay(wish, who)
    except (LudothequeError, ValueError):
        return _game_page(request, box, {"mistake": say("bad-table")}, status=400)
    response = redirect("table", table=table.id)
    if "name-0" in request.POST:
        name = quote(actions.clean(wish.names[0]))
        response.set_cookie("name", name, AGE, samesite="Lax", secure=django.conf.settings.HTTPS)
    return response


@require_GET
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "web/about.html", {"preview": previews.of_house(request)})


@require_POST
def settings(request: HttpRequest) -> HttpResponse:
    """Language, theme and motion, kept in cookies; then back to where one was."""
    back = request.POST.get("back", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None) or not back.startswith("/"):
        back = "/"
    response = HttpResponseRedirect(back)
    for name, values in {"language": ("en", "fr"), "theme": ("day", "night"), "motion": ("off", "on")}.items():
        if request.POST.get(name) in values:
            response.set_cookie(name, request.POST[name], AGE, samesite="Lax", secure=django.conf.settings.HTTPS)
    return response


def nonsense(_request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """For a request that cannot be read. Nothing of it is looked at once more, as Django's own page would."""
    return HttpResponseBadRequest(NONSENSE, content_type="text/plain; charset=utf-8")


def not_allowed(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return forged(request)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return render(request, "web/wrong.html", {"head": say("not-found"), "line": say("not-found-line")}, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """When everything else has failed, so it needs nothing; unless it is only the database that has."""
    return outage.sorry(request) if outage.is_away(sys.exception()) else HttpResponse(BROKEN, status=500)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    if request.headers.get("Accept") == "application/json":
        return HttpResponseBadRequest()
    return render(request, "web/wrong.html", {"head": say("forged"), "line": say("forged-line")}, status=403)
