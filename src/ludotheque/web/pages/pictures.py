"""Pictures with an address of their own: thumbnails, diagrams, tables; and the stylesheet of all pictures."""

import hashlib
from functools import cache
from random import Random

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

import ludotheque
from ludotheque.errors import UnknownGame
from ludotheque.match import Match
from ludotheque.pictures.output import diagrams
from ludotheque.pictures.output.registry import stylesheet_of_all
from ludotheque.pictures.output.render import render_match
from ludotheque.web.models import Table
from ludotheque.web.table.cache import state_of
from ludotheque.web.table.state import fresh_match
from ludotheque.web.words import language
from ludotheque.words import DEFAULT_LANGUAGE

THEMES = {"day": False, "night": True}
MAX_SAMPLE_EVENTS = 90
DAY_S = 86_400
FOREVER = "public, max-age=31536000, immutable"


@cache
def stylesheet() -> str:
    """The stylesheet of every game there is, other packages' included."""
    return stylesheet_of_all(box.rules for box in ludotheque.games())


@cache
def style_mark() -> str:
    """A name for this version of the stylesheet."""
    return hashlib.sha256(stylesheet().encode()).hexdigest()[:12]


def style(_request: HttpRequest, mark: str) -> HttpResponse:
    response = HttpResponse(stylesheet(), content_type="text/css; charset=utf-8")
    response["Cache-Control"] = FOREVER if mark == style_mark() else "no-cache"
    return response


def sample(request: HttpRequest, key: str) -> HttpResponse:
    """A position of a game in full swing."""
    try:
        found = ludotheque.game(key)
    except UnknownGame as error:
        raise Http404 from error
    return svg(_sample(found.key, _theme(request), _language(request)), DAY_S)


def position(request: HttpRequest, key: str, name: str) -> HttpResponse:
    """A diagram of the rules."""
    try:
        found = diagrams.diagram(ludotheque.game(key).rules, name)
    except (UnknownGame, LookupError) as error:
        raise Http404 from error
    return svg(found.picture(night=_theme(request), lang=_language(request)), DAY_S)


def table(request: HttpRequest, table: str) -> HttpResponse:
    """A table as everybody may see it."""
    found = get_object_or_404(Table, pk=table)
    match = state_of(found).match or fresh_match(found)
    return svg(render_match(match, None, night=_theme(request)), 0)


def _language(request: HttpRequest) -> str:
    """As the address says: it is cached for everybody."""
    return language(request.GET.get("lang") or DEFAULT_LANGUAGE)


def _theme(request: HttpRequest) -> bool | None:
    """Whether it is for the night; None if the address does not say."""
    return THEMES.get(request.GET.get("theme", ""))


def svg(picture: str, seconds: int, status: int = 200) -> HttpResponse:
    response = HttpResponse(picture, content_type="image/svg+xml", status=status)
    response["Cache-Control"] = f"public, max-age={seconds}" if seconds else "no-cache"
    return response


def on_the_box(key: str, lang: str) -> str:
    """The picture on the box for whoever puts it into another, without its style."""
    return render_match(_in_full_swing(key), None, style=False, lang=lang)


@cache
def _sample(key: str, night: bool | None, lang: str) -> str:
    return render_match(_in_full_swing(key), None, night=night, lang=lang)


@cache
def _in_full_swing(key: str) -> Match:
    """Two thirds into a game that is the same every day."""
    match, random = ludotheque.game(key).match(seed=1), Random(key)
    while not match.over and match.leg == 0 and len(match.events) < MAX_SAMPLE_EVENTS:
        actor = match.to_act[0]
        match.play(actor, random.choice(match.moves(actor)))
    return match.before(match.length // 3 + 1)
