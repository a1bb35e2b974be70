"""Link previews (Open Graph): a title, a line, and a picture of what a spectator may see.

A page has its `preview` in its context; `base.html` writes it into the head. Pictures are PNG files, since the sites
that show previews do not read SVG. They are drawn in a worker process; while too many wait, there is none.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache as cached_forever
from importlib.metadata import version as version_of
from importlib.resources import files
from textwrap import wrap
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_GET

import ludotheque
from ludotheque.errors import UnknownGame
from ludotheque.pictures.kit import svg
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.render import render_match
from ludotheque.shelf import Box
from ludotheque.web.guard import rate_limits
from ludotheque.web.jobs.drawings import drawing
from ludotheque.web.models import Table
from ludotheque.web.pages.pictures import DAY_S, on_the_box, style_mark, stylesheet
from ludotheque.web.refusals import Refused
from ludotheque.web.replays.finished import Finished, ended, find, version
from ludotheque.web.screen import people
from ludotheque.web.table import cache
from ludotheque.web.table.state import fresh_match
from ludotheque.web.visitors import known
from ludotheque.web.words import language, listed, say
from ludotheque.words import DEFAULT_LANGUAGE

WIDTH_PX, HEIGHT_PX, MARGIN_PX = 1200, 630, 35
MINUTE_S = 60
RETRY_AFTER_S = 10
OVERLOADED = 503


@dataclass(frozen=True)
class Preview:
    """What a page says of itself elsewhere; addresses are whole ones."""

    title: str
    line: str
    picture: str
    address: str = ""


def preview(request: HttpRequest, title: str, line: str, view: str, **names: str) -> Preview:
    """A preview whose picture is drawn by this view, in the language of the page."""
    picture = f"{reverse(view, kwargs=names)}?{urlencode({'lang': language()})}"
    return Preview(title, line, request.build_absolute_uri(picture), request.build_absolute_uri(request.path))


def of_site(request: HttpRequest) -> Preview:
    return preview(request, say("house"), say("welcome-line"), "site-preview")


def of_game(request: HttpRequest, box: Box) -> Preview:
    return preview(request, box.say("name", language()), box.say("line", language()), "game-preview", key=box.key)


def of_table(request: HttpRequest, table: Table) -> Preview:
    if table.status == Table.Status.OVER and (found := find(table.id)) is not None:
        return of_replay(request, found)
    title, line = _told(table, language())
    return preview(request, title, line, "table-preview", table=table.id)


def of_replay(request: HttpRequest, found: Finished) -> Preview:
    title, line = _remembered(found, language())
    return preview(request, title, line, "replay-preview", name=found.replay.id)


# Pictures


@require_GET
def site(request: HttpRequest) -> HttpResponse:
    return answer(request, _site, (), DAY_S)


@require_GET
def game(request: HttpRequest, key: str) -> HttpResponse:
    try:
        box = ludotheque.game(key)
    except UnknownGame as error:
        raise Http404 from error
    return answer(request, _game, (box.key,), DAY_S)


@require_GET
def table(request: HttpRequest, table: str) -> HttpResponse:
    """A table as everybody may see it; it may look different soon."""
    found = get_object_or_404(Table, pk=table)
    return answer(request, _table, (found.id, found.version), MINUTE_S)


@require_GET
def replay(request: HttpRequest, name: str) -> HttpResponse:
    """How a match ended."""
    found = version(name)
    if found is None:
        raise Http404
    return answer(request, _replay, (name, found), DAY_S)


def answer(request: HttpRequest, card: Callable[..., str], shown: tuple[str | int, ...], keep_s: int) -> HttpResponse:
    """The picture of a card for what is shown, in the language of the address; other sites may keep it for so long.

    Whoever has it already, and asks whether it is still the same, is told so without anything being drawn.
    """
    lang = language(request.GET.get("lang"))
    key = (card.__qualname__, *shown, lang)
    tag = f'"{hashlib.sha256(repr((*key, _look())).encode()).hexdigest()[:24]}"'
    unchanged = get_conditional_response(request, etag=tag)
    try:
        response = unchanged or _drawn(request, key, lambda: card(*shown, lang))
    except Refused:
        response = HttpResponse(status=OVERLOADED)
        response["Retry-After"], response["Cache-Control"] = str(RETRY_AFTER_S), "no-store"
        return response
    response["ETag"] = tag
    response["Cache-Control"] = f"public, max-age={keep_s}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _drawn(request: HttpRequest, key: tuple[str | int, ...], card: Callable[[], str]) -> HttpResponse:
    address = request.META.get("REMOTE_ADDR", "")
    made = drawing(key, card, WIDTH_PX, rate_limits.network(address))
    rate_limits.charge(known(request), address, made.seconds)
    return HttpResponse(made.file, content_type="image/png")


@cached_forever
def _look() -> str:
    """What all pictures depend on, and a new version of the site may change."""
    return f"{version_of('ludotheque')} {style_mark()}"


def _site(lang: str) -> str:
    sign = (files("ludotheque.web") / "static" / "web" / "sign.svg").read_text(encoding="utf-8")
    return card(sign, "", say("house", lang), say("welcome-line", lang))


def _game(key: str, lang: str) -> str:
    box = ludotheque.game(key)
    return card(on_the_box(key, lang), box.rules.stem, box.say("name", lang), box.say("line", lang))


def _table(name: str, _version: int, lang: str) -> str:
    found = get_object_or_404(Table, pk=name)
    match = cache.state_of(found).match or fresh_match(found)
    return card(render_match(match, None, style=False, lang=lang), match.game.stem, *_told(found, lang))


def _replay(name: str, _version: int, lang: str) -> str:
    found = find(name)
    if found is None:  # it has just been deleted
        raise Http404
    last = frames(found.match, ended=True)[-1].picture(style=False, lang=lang)
    return card(last, found.match.game.stem, *_remembered(found, lang))


def _told(table: Table, lang: str) -> tuple[str, str]:
    """The game, and who plays or is waited for."""
    box, state, seats = ludotheque.game(table.game), cache.state_of(table), list(table.seats.all())
    match = state.match or fresh_match(table)
    names = people.names(match, seats, lang)
    there = [names[seat.number] for seat in seats if not seat.free]
    if state.match is None and there:
        return box.say("name", lang), say("invites", lang, names=listed(there, lang))
    return box.say("name", lang), " · ".join(there) or box.say("line", lang)


def _remembered(found: Finished, lang: str) -> tuple[str, str]:
    """The game, who played it, and how it ended."""
    names = people.names(found.match, found.seats, lang)
    result = ended(found, names, lang)
    who = " · ".join(names) + ". " if found.match.seats > 1 else ""
    return ludotheque.game(found.match.game.key).say("name", lang), who + result


def card(picture: str, stem: str, title: str, line: str) -> str:
    """A picture (without its style) beside a title and a line, as SVG of the size that is shown everywhere."""
    side, left = HEIGHT_PX - 2 * MARGIN_PX, HEIGHT_PX
    room = WIDTH_PX - left - MARGIN_PX
    size = min(76.0, room / (0.58 * len(title)))
    lines = wrap(line, 30)[:7]
    top = HEIGHT_PX / 2 - 26 * len(lines)
    parts = [
        svg.el("style", stylesheet()),
        svg.rect(0, 0, WIDTH_PX, HEIGHT_PX, class_="paper"),
        picture.replace("<svg ", f'<svg x="{MARGIN_PX}" y="{MARGIN_PX}" width="{side}" height="{side}" ', 1),
        svg.text_at(left, top, title, class_="ink", font_size=size, font_weight="bold"),
        *(
            svg.text_at(left, top + 64 + 48 * row, words, class_="ink", font_size=36)
            for row, words in enumerate(lines)
        ),
        svg.text_at(left, HEIGHT_PX - MARGIN_PX, say("house", DEFAULT_LANGUAGE), class_="soft", font_size=30),
    ]
    return svg.el(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH_PX} {HEIGHT_PX}",
        class_=f"picture {stem} day",
    )
