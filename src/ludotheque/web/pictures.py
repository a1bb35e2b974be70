"""Pictures with an address of their own: thumbnails, previews, and the colours of all of them."""

import hashlib
from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

import ludotheque
from ludotheque.errors import UnknownGame
from ludotheque.pictures.picture import draw, stylesheet
from ludotheque.web.models import Table
from ludotheque.web.standing import fresh, standing

THEMES = {"day": False, "night": True}
FOREVER = "public, max-age=31536000, immutable"


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
    return _svg(_sample(found.key, THEMES.get(request.GET.get("theme", ""))), 86400)


def table(request: HttpRequest, table: str) -> HttpResponse:
    """A table as everybody may see it."""
    found = get_object_or_404(Table, pk=table)
    match = standing(found).match or fresh(found)
    return _svg(draw(match, None, night=THEMES.get(request.GET.get("theme", ""))), 0)


def _svg(picture: str, seconds: int) -> HttpResponse:
    response = HttpResponse(picture, content_type="image/svg+xml")
    response["Cache-Control"] = f"public, max-age={seconds}" if seconds else "no-cache"
    return response


@cache
def _sample(key: str, night: bool | None) -> str:
    """The picture on the box: a game played by a simple rhythm, so that it is the same every day."""
    match = ludotheque.game(key).match(seed=1)
    for turn in range(SAMPLE_MOVES.get(key, 18)):
        if match.over:
            break
        actor = match.to_act[0]
        moves = match.moves(actor)
        text = moves[(turn * 7 + 3) * 13 % len(moves)]
        twin = match.save()
        match.play(actor, text)
        if match.over:  # a box shows a game going on
            match = ludotheque.load(twin)
            break
    return draw(match, None, night=night)


SAMPLE_MOVES: dict[str, int] = {}
