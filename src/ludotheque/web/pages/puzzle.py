"""The page of one puzzle, its picture, and the commands that the page sends."""

from datetime import timedelta

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

import ludotheque
from ludotheque.errors import BadOption, LudothequeError
from ludotheque.match import Match
from ludotheque.pictures.output.render import cropped, empty_board, render_match
from ludotheque.puzzles.making.names import PuzzleSpec, ShortName, of_day, read
from ludotheque.web import inputs
from ludotheque.web.guard import rate_limits
from ludotheque.web.pages import previews
from ludotheque.web.pages.pictures import DAY_S, THEMES, svg
from ludotheque.web.pages.table import SVG_PART, reason_reply
from ludotheque.web.puzzles import attempts, maker, progress
from ludotheque.web.puzzles.addresses import ROOT, address, canonical, name_at
from ludotheque.web.puzzles.commands import NOTHING_TO_SAY, Answer, execute
from ludotheque.web.puzzles.screen import PuzzleScreen, screen
from ludotheque.web.refusals import Refused
from ludotheque.web.screen import moves as picker
from ludotheque.web.visitors import remember, visitor
from ludotheque.web.words import language, refusal, say

RETRY_AFTER_S = 2  # until a page asks again for what is being made
ASK_AGAIN_S = 10  # after too much was asked for


@require_GET
def picture(request: HttpRequest, key: str, rest: str) -> HttpResponse:
    """A puzzle as a thumbnail; an empty board while it is being made."""
    night = THEMES.get(request.GET.get("theme", ""))
    try:
        puzzle = _found(request, name_at(key, rest))
    except (maker.PuzzleNotReady, MakingRefused):
        return svg(empty_board(night=night), 0, status=202)
    return svg(cropped(render_match(puzzle.match(), None, night=night, lang=language())), 86400)


@require_GET
def preview(request: HttpRequest, key: str, rest: str) -> HttpResponse:
    """A puzzle as it is shown where its link is shared; the game's own picture while it is being made."""
    name = name_at(key, rest)
    try:
        _found(request, name)
    except (maker.PuzzleNotReady, MakingRefused):
        return redirect("game-preview", key=key)
    return previews.answer(request, _card, (name,), DAY_S)


def _card(name: str, lang: str) -> str:
    found = maker.find(name)
    match = found.match()
    drawn = render_match(match, None, style=False, lang=lang)
    return previews.card(drawn, match.game.stem, *_title(found, lang))


def _title(found: PuzzleSpec, lang: str) -> tuple[str, str]:
    """What a puzzle is called where its link is shared, and what it is."""
    box, grade = ludotheque.game(found.key), progress.grade_name(found.key, found.grade, lang)
    return box.say("name", lang), f"{grade}. {box.say('line', lang)}" if grade else box.say("line", lang)


class MakingRefused(Exception):  # noqa: N818 - reads as what happened
    """A puzzle that is not made now: this visitor has had too many made, or too many wait."""

    def __init__(self, reason: str, seconds: int = ASK_AGAIN_S) -> None:
        super().__init__(reason)
        self.reason, self.seconds = reason, seconds


def _found(request: HttpRequest, name: str) -> PuzzleSpec:
    """The puzzle of a name. Having puzzles made is rate limited."""
    try:
        found = read(name)
        if isinstance(found, ShortName) and not maker.is_made(found):
            seconds = rate_limits.wait("puzzle", visitor(request), request.META.get("REMOTE_ADDR", ""))
            if seconds:
                raise MakingRefused(say("too-often-line", seconds=seconds), seconds)
        return maker.find(name)
    except BadOption as error:
        raise Http404 from error
    except LudothequeError as error:
        raise MakingRefused(refusal(error, language())) from error


@never_cache
@require_http_methods(["GET", "POST"])
def puzzle(request: HttpRequest, key: str, rest: str) -> HttpResponse:
    """A puzzle, complete without any script."""
    name = name_at(key, rest)
    try:
        found = _found(request, name)
    except maker.PuzzleNotReady:
        return _being_made(request, name)
    except MakingRefused as error:
        response = render(request, "web/wrong.html", {"head": say("too-often"), "line": error.reason}, status=503)
        response["Retry-After"] = str(error.seconds)
        return response
    if request.method == "POST":
        return _execute(request, found, name)
    if canonical(name) != name:
        return redirect(address(canonical(name)))
    if "ghost" in request.GET:
        return _ghost(request, found)
    if "why" in request.GET:
        return reason_reply(request, _played(request, found), 0)
    return _page(request, found, name, NOTHING_TO_SAY)


def _played(request: HttpRequest, found: PuzzleSpec) -> Match:
    return attempts.match(found, attempts.attempt(visitor(request), found).moves)


def _being_made(request: HttpRequest, name: str) -> HttpResponse:
    short = read(name)
    assert isinstance(short, ShortName), "others are not made"
    if request.method == "POST":
        return JsonResponse({"refused": refusal(Refused("making"), language()), "code": "making"}, status=503)
    context = {
        "box": ludotheque.game(short.key),
        "grade": progress.grade_name(short.key, short.grade),
        "making": maker.making(short),
    }
    response = render(request, "web/puzzle_making.html", context, status=202)
    response["Refresh"] = str(RETRY_AFTER_S)
    return response


def _page(request: HttpRequest, found: PuzzleSpec, name: str, answer: Answer) -> HttpResponse:
    shown = _screen(request, found, name, answer)
    _make_next(visitor(request), found)
    context = {
        "box": ludotheque.game(found.key),
        "grade": progress.grade_name(found.key, found.grade),
        "name": name,
        "screen": mark_safe(shown["html"]),  # noqa: S308 - our own template
        "live": {part: value for part, value in shown.items() if part != "html"},
        "mistake": answer.mistake,
        "preview": _preview(request, found, name),
    }
    return render(request, "web/puzzle.html", context, status=409 if answer.mistake else 200)


def _screen(request: HttpRequest, found: PuzzleSpec, name: str, answer: Answer) -> PuzzleScreen:
    return screen(visitor(request), found, name, answer, get_token(request))


def _preview(request: HttpRequest, found: PuzzleSpec, name: str) -> previews.Preview:
    key, _, rest = address(name).removeprefix(ROOT).partition("/")
    return previews.preview(request, *_title(found, language()), "puzzle-preview", key=key, rest=rest)


def _make_next(who: str, found: PuzzleSpec) -> None:
    """What this visitor and all others will ask for next."""
    short = read(found.seed) if found.seed else None
    if isinstance(short, ShortName):
        maker.make_ahead(progress.following(who, short.key, short.grade, short.number))
    maker.make_ahead(of_day(found.key, timezone.localdate() + timedelta(days=1)))


def _execute(request: HttpRequest, found: PuzzleSpec, name: str) -> HttpResponse:
    """Anything a solver can do, sent as JSON by our script or as a plain form."""
    by_script = request.content_type == "application/json"
    message = inputs.json_object(request) if by_script else dict(request.POST.items())
    answer = execute(visitor(request), found, message)
    if answer.code != "bad-message":
        remember(request)
    if not by_script:
        silent = answer == NOTHING_TO_SAY
        return redirect(address(name)) if silent else _page(request, found, name, answer)
    refused = {"refused": answer.mistake, "code": answer.code} if answer.code else {}
    return JsonResponse({"screen": _screen(request, found, name, answer)} | refused)


def _ghost(request: HttpRequest, found: PuzzleSpec) -> HttpResponse:
    """What a move would put on the picture; nothing if it is not, or no longer, possible."""
    try:
        drawn = picker.ghost(_played(request, found), 0, request.GET["ghost"], language())
        return HttpResponse(drawn, content_type=SVG_PART)
    except LookupError:
        return HttpResponse(status=204)
