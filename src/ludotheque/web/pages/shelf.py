"""The front page with its lists of tables, the page about the site, and the visitor's settings."""

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
from ludotheque.web import inputs, names
from ludotheque.web.pages import mine, previews
from ludotheque.web.pages.pictures import style_mark
from ludotheque.web.puzzles import progress
from ludotheque.web.visitors import COOKIE_AGE_S, visitor
from ludotheque.web.words import language

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
        "notation": "on" if request.COOKIES.get("notation") == "on" else "",
        "style_mark": style_mark(),
        "here": request.get_full_path(),
        "my_name": names.read_or_none(inputs.text(unquote(request.COOKIES.get("name", "")))),
    }


@require_GET
def shelf(request: HttpRequest) -> HttpResponse:
    wanted, who = request.GET.get("players", ""), visitor(request)
    offered = [box for box in ludotheque.games() if box.is_complete]
    boxes = [box for box in offered if not wanted.isdecimal() or int(wanted) in box.seats]
    if wanted == PUZZLE:
        boxes = [box for box in boxes if box.key in kind_keys()]
    return render(
        request,
        "web/shelf.html",
        {
            "preview": previews.of_site(request),
            "boxes": boxes,
            "numbers": sorted({number for box in offered for number in box.seats}),
            "wanted": int(wanted) if wanted.isdecimal() else wanted if wanted == PUZZLE else 0,
            "todays_puzzles": progress.today(who, timezone.localdate()),
            **mine.front_lists(request),
        },
    )


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
