"""The page of a game, with its rules and the form of a new table."""

from urllib.parse import quote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

import ludotheque
from ludotheque.errors import UnknownGame
from ludotheque.lessons import tasks
from ludotheque.pictures.output import diagrams
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.shelf import Box
from ludotheque.web.inputs import first_game
from ludotheque.web.pages import previews
from ludotheque.web.players import warm_up
from ludotheque.web.puzzles import progress
from ludotheque.web.table import commitments
from ludotheque.web.table.new_table import USUAL_LEVEL, NewTableForm, option_fields, seat_roles
from ludotheque.web.visitors import COOKIE_AGE_S, remember, visitor
from ludotheque.web.words import language


@require_GET
def game(request: HttpRequest, key: str) -> HttpResponse:
    return _page(request, _box(key))


def _page(request: HttpRequest, box: Box, mistakes: list[str] | None = None) -> HttpResponse:
    context = {
        "box": box,
        "rules": diagrams.parts(box.rules, language()),
        "fields": option_fields(box, language()),
        "has_lesson": bool(tasks(box.rules)),
        "roles": seat_roles(box, language()),
        "most": max(box.seats),
        "levels": warm_up.levels(box),
        "usual_level": USUAL_LEVEL,
        "preview": previews.of_game(request, box),
        "mistakes": mistakes or [],
    }
    if box.key in kind_keys():
        who = visitor(request)
        context["puzzle"] = progress.of_days(who, box.key, [timezone.localdate()])[0]
        context["grades"] = progress.by_grade(who, box.key)
        context["classic"] = progress.classic(box.key)
    return render(request, "web/game.html", context, status=400 if mistakes else 200)


def _box(key: str) -> Box:
    try:
        box = ludotheque.game(key)
    except UnknownGame as error:
        raise Http404 from error
    if not box.is_complete:
        raise Http404
    return box


@never_cache
@require_POST
def luck(_request: HttpRequest) -> HttpResponse:
    """The luck of a table to be: its id and commitment, before the page adds entropy, and the ticket to claim it."""
    ticket, promise = commitments.fresh()
    return JsonResponse({"luck": ticket, "table": promise.table, "commitment": promise.commitment})


@require_POST
def new_table(request: HttpRequest, key: str) -> HttpResponse:
    """Set the table of the form, or show the form again with every mistake in it."""
    box = _box(key)
    if key in kind_keys():
        return redirect("puzzle-kind", key=key)
    form = NewTableForm(box, request.POST)
    if not form.is_valid():
        return _page(request, box, form.mistakes())
    response = redirect(reverse("table", args=[form.set_table(remember(request)).id]) + first_game(request.POST))
    if "name-0" in request.POST:
        name = quote(form.cleaned_data["name-0"])
        response.set_cookie("name", name, COOKIE_AGE_S, samesite="Lax", secure=settings.HTTPS)
    return response
