"""My tables: the page with all of them, the lists that pages fetch again, and the small pictures of positions."""

import hashlib
import re

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from ludotheque.pictures.output.render import render_match
from ludotheque.web import inputs
from ludotheque.web.models import Table
from ludotheque.web.pages.pictures import THEMES, svg
from ludotheque.web.screen.table_list import (
    MAX_FRONT_TABLES,
    Shelf,
    TableSummary,
    my_tables,
    one_of_mine,
    open_tables,
)
from ludotheque.web.screen.viewer import viewer_of
from ludotheque.web.table import cache
from ludotheque.web.table.state import fresh_match
from ludotheque.web.visitors import known, visitor
from ludotheque.web.words import language

FRONT = "front"  # the lists of the front page
MAX_PAGES = 10_000
NEVER_STORED = "private, no-store"
# What a small picture beside words needs no bytes for: names of its parts to point at, comments of its stylesheet.
UNSEEN = re.compile(r"<title>[^<]*</title>|/\*[^<]*?\*/")


def front_lists(request: HttpRequest) -> dict[str, object]:
    """The lists of the front page; who came without a cookie has no tables."""
    who, lang = known(request), language()
    mine = my_tables(who, Shelf.RUNNING, lang, size=MAX_FRONT_TABLES) if who else None
    waiting = open_tables(who, lang)
    return {"mine": mine, "open_tables": waiting, "etag": _etag(lang, mine, waiting)}


@never_cache
@require_GET
def mine(request: HttpRequest) -> HttpResponse:
    """All my tables."""
    return render(request, "web/mine.html", _lists(request) | {"undo": _put_away_just_now(request)})


@never_cache
@require_GET
def news(request: HttpRequest) -> HttpResponse:
    """The lists alone, for pages that show them: nothing if they are as the page has them."""
    front = request.GET.get("show") == FRONT
    context = front_lists(request) if front else _lists(request)
    if unchanged := get_conditional_response(request, etag=str(context["etag"])):
        return unchanged
    response = render(request, "web/front_tables.html" if front else "web/mine_tables.html", context)
    response["ETag"] = str(context["etag"])
    return response


def _lists(request: HttpRequest) -> dict[str, object]:
    wanted, lang = request.GET.get("show", ""), language()
    shelf = Shelf(wanted) if wanted in (Shelf.FINISHED, Shelf.AWAY) else Shelf.RUNNING
    number = min(max(inputs.number(request.GET.get("page", "1")), 1), MAX_PAGES)
    who = known(request)
    found = my_tables(who, shelf, lang, number) if who else None
    return {"show": shelf, "shelves": list(Shelf), "list": found, "etag": _etag(lang, shelf, found)}


def _put_away_just_now(request: HttpRequest) -> TableSummary | None:
    who, table = known(request), inputs.text(request.GET.get("undo", ""))
    return one_of_mine(who, table, language()) if who and table else None


def _etag(*shown: object) -> str:
    """A name for what a list shows, how long ago included."""
    return f'"{hashlib.sha256(repr(shown).encode()).hexdigest()[:24]}"'


@require_GET
def picture(request: HttpRequest, table: str, version: int) -> HttpResponse:  # noqa: ARG001 - a new one, a new address
    """The position through the visitor's seat; who has several sees what none of them must hide from another."""
    cached = cache.read(get_object_or_404(Table, pk=table))
    match = cached.state.match or fresh_match(cached.table, cached.seats)
    seat = viewer_of(cached.state, cached.seats, visitor(request), -1).seat
    drawn = render_match(match, seat, night=THEMES.get(request.GET.get("theme", "")))
    response = svg(UNSEEN.sub("", drawn), 0)
    response["Cache-Control"] = NEVER_STORED
    return response
