"""A puzzle to be solved: its page, its picture, and all that a solver can ask for."""

from collections.abc import Callable
from datetime import timedelta
from functools import lru_cache
from typing import TypeAlias, TypedDict

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

import ludotheque
from ludotheque import words
from ludotheque.errors import BadOption, LudothequeError
from ludotheque.match import Match
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import cropped, empty_board, render_match
from ludotheque.puzzles.human.praise import praise
from ludotheque.puzzles.making.names import KEYS, PuzzleOf, Wanted, day, read
from ludotheque.web import inputs
from ludotheque.web.guard import rate_limits
from ludotheque.web.models import Attempt
from ludotheque.web.pages import previews
from ludotheque.web.pages.pictures import THEMES, svg
from ludotheque.web.pages.table import SVG_PART
from ludotheque.web.puzzles import attempts, maker, progress
from ludotheque.web.puzzles.worker import Help
from ludotheque.web.refusals import Refused
from ludotheque.web.screen import history, position
from ludotheque.web.screen import moves as picker
from ludotheque.web.screen.moves import MAX_LISTED_MOVES
from ludotheque.web.visitors import remember, visitor
from ludotheque.web.words import language, refusal, said, say

Asked: TypeAlias = dict[str, object]
AGAIN = 2  # seconds until a page asks again for what is being made


@require_GET
def picture(request: HttpRequest, key: str, rest: str) -> HttpResponse:
    """A puzzle as a thumbnail; an empty board while it is being made."""
    night = THEMES.get(request.GET.get("theme", ""))
    try:
        puzzle = _found(request, progress.name_at(key, rest))
    except (maker.NotYet, TooMany):
        return svg(empty_board(night=night), 0, status=202)
    return svg(cropped(render_match(puzzle.match(), None, night=night, lang=language())), 86400)


@require_GET
def preview(request: HttpRequest, key: str, rest: str) -> HttpResponse:
    """A puzzle as it is shown where its link is shared; the game's own picture while it is being made."""
    name = progress.name_at(key, rest)
    try:
        _found(request, name)
    except (maker.NotYet, TooMany):
        return redirect("game-preview", key=key)
    return previews.answer(_card(name, language(request.GET.get("lang"))), previews.DAY_S)


@lru_cache(previews.CACHED_PICTURES)
def _card(name: str, lang: str) -> bytes:
    found = maker.find(name)
    match = found.match()
    drawn = render_match(match, None, style=False, lang=lang)
    return previews.card(drawn, match.game.stem, *_told(found, lang))


def _told(found: PuzzleOf, lang: str) -> tuple[str, str]:
    """What it is called where its link is shared, and what it is."""
    box, grade = ludotheque.game(found.key), progress.grade_name(found.key, found.grade, lang)
    return box.say("name", lang), f"{grade}. {box.say('line', lang)}" if grade else box.say("line", lang)


class TooMany(Exception):  # noqa: N818 - reads as what happened
    """This visitor, or everybody, has asked for too many."""

    def __init__(self, told: str) -> None:
        super().__init__(told)
        self.told = told


def _found(request: HttpRequest, name: str) -> PuzzleOf:
    """The puzzle of a name. Whoever has many made must wait."""
    try:
        found = read(name)
        if isinstance(found, Wanted) and not maker.is_made(found):
            seconds = rate_limits.wait("puzzle", visitor(request), request.META.get("REMOTE_ADDR", ""))
            if seconds:
                raise TooMany(say("too-often-line", seconds=seconds))
        return maker.find(name)
    except BadOption as error:
        raise Http404 from error
    except LudothequeError as error:
        raise TooMany(refusal(error, language())) from error


class Screen(TypedDict):
    """What the page of a puzzle gets."""

    version: int
    html: str
    moves: list[picker.Move]
    last: list[str]
    seconds: float
    running: bool
    suggest: str


@never_cache
@require_http_methods(["GET", "POST"])
def puzzle(request: HttpRequest, key: str, rest: str) -> HttpResponse:
    """A puzzle, complete without any script."""
    name = progress.name_at(key, rest)
    try:
        found = _found(request, name)
    except maker.NotYet:
        return _being_made(request, key)
    except TooMany as error:
        return render(request, "web/wrong.html", {"head": say("too-often"), "line": error.told}, status=503)
    if request.method == "POST":
        return _do(request, found, name)
    if progress.written(name) != name:
        return redirect(progress.address(progress.written(name)))
    if "ghost" in request.GET:
        return _ghost(request, found)
    return _page(request, found, name)


def _being_made(request: HttpRequest, key: str) -> HttpResponse:
    if key not in KEYS:
        raise Http404
    if request.method == "POST":
        return JsonResponse({"refused": refusal(Refused("making"), language()), "code": "making"}, status=503)
    response = render(request, "web/puzzle_making.html", {"box": ludotheque.game(key)}, status=202)
    response["Refresh"] = str(AGAIN)
    return response


def _page(request: HttpRequest, found: PuzzleOf, name: str, **more: object) -> HttpResponse:
    shown = _screen(request, found, name, **more)  # type: ignore[arg-type]
    _make_next(visitor(request), found)
    context = {
        "box": ludotheque.game(found.key),
        "grade": progress.grade_name(found.key, found.grade),
        "name": name,
        "screen": mark_safe(shown["html"]),  # noqa: S308 - our own template
        "live": {part: value for part, value in shown.items() if part != "html"},
        "mistake": more.get("mistake", ""),
        "preview": _preview(request, found, name),
    }
    return render(request, "web/puzzle.html", context, status=409 if more.get("mistake") else 200)


def _preview(request: HttpRequest, found: PuzzleOf, name: str) -> previews.Preview:
    key, _, rest = progress.address(name).removeprefix("/puzzles/").partition("/")
    return previews.preview(request, *_told(found, language()), "puzzle-preview", key=key, rest=rest)


def _make_next(who: str, found: PuzzleOf) -> None:
    """What this visitor and all others will ask for next."""
    if found.grade is not None:
        maker.make_ahead(_following(who, found))
    maker.make_ahead(day(found.key, timezone.localdate() + timedelta(days=1)))


def _following(who: str, found: PuzzleOf) -> Wanted:
    short = read(found.seed or "")
    assert isinstance(short, Wanted)
    return progress.following(who, short.key, short.grade, short.number)


def _do(request: HttpRequest, found: PuzzleOf, name: str) -> HttpResponse:
    """Anything a solver can do, sent as JSON by our script or as a plain form."""
    by_script = request.content_type == "application/json"
    asked: Asked = inputs.json_object(request) if by_script else dict(request.POST.items())
    told: dict[str, object] = {}
    code = ""
    try:
        told = _deed(asked)(remember(request), found, asked)
    except maker.NotYet:
        code, told = "making", {"mistake": refusal(Refused("making"), language())}
    except LudothequeError as error:
        code, told = error.code, {"mistake": refusal(error, language(), found.match().game.stem)}
    if not by_script:
        return _page(request, found, name, **told) if told else redirect(progress.address(name))
    screen = _screen(request, found, name, **told)  # type: ignore[arg-type]
    return JsonResponse({"screen": screen} | ({"refused": told["mistake"], "code": code} if code else {}))


Deed = Callable[[str, PuzzleOf, Asked], dict[str, object]]


def _deed(asked: Asked) -> Deed:
    what = asked.get("do")
    if not isinstance(what, str) or what not in COMMANDS:
        raise Refused("bad-message")
    return COMMANDS[what]


def _spent(asked: Asked) -> float | None:
    """The seconds on the page's clock, if it has one."""
    spent = asked.get("spent")
    return float(spent) if isinstance(spent, int | float) and not isinstance(spent, bool) and spent >= 0 else None


def _version(asked: Asked) -> int:
    return inputs.number(asked.get("version"))


def _move(who: str, found: PuzzleOf, asked: Asked) -> dict[str, object]:
    text = asked.get("move")
    wanted_move = text.strip()[: inputs.MAX_TEXT_CHARS] if isinstance(text, str) else ""
    attempts.move(who, found, wanted_move, _version(asked), _spent(asked))
    return {}


def _plain(action: Callable[[str, PuzzleOf, int, float | None], None]) -> Deed:
    def deed(who: str, found: PuzzleOf, asked: Asked) -> dict[str, object]:
        action(who, found, _version(asked), _spent(asked))
        return {}

    return deed


def _hint(who: str, found: PuzzleOf, asked: Asked) -> dict[str, object]:
    return {"given": attempts.hint(who, found, language(), _version(asked), _spent(asked))}


def _check(who: str, found: PuzzleOf, _asked: Asked) -> dict[str, object]:
    return {"given": attempts.check(who, found, language())}


def _solution(who: str, found: PuzzleOf, asked: Asked) -> dict[str, object]:
    """Asks first."""
    if asked.get("sure") != "yes":
        return {"asking": True}
    attempts.give_up(who, found, _version(asked), _spent(asked))
    return {}


COMMANDS: dict[str, Deed] = {
    "move": _move,
    "undo": _plain(attempts.undo),
    "redo": _plain(attempts.redo),
    "again": _plain(attempts.again),
    "pause": _plain(attempts.pause),
    "hint": _hint,
    "check": _check,
    "solution": _solution,
}


def _ghost(request: HttpRequest, found: PuzzleOf) -> HttpResponse:
    """What a move would put on the picture; nothing if it is not, or no longer, possible."""
    played = attempts.match(found, attempts.attempt(visitor(request), found).moves)
    try:
        return HttpResponse(picker.ghost(played, 0, request.GET["ghost"], language()), content_type=SVG_PART)
    except LookupError:
        return HttpResponse(status=204)


def _screen(
    request: HttpRequest,
    found: PuzzleOf,
    name: str,
    *,
    given: Help | None = None,
    asking: bool = False,
    mistake: str = "",  # noqa: ARG001 - shown by the page itself
) -> Screen:
    lang, attempt = language(), attempts.attempt(visitor(request), found)
    match = attempts.match(found, attempt.moves)
    context = _context(found, attempt, match, lang) | {
        "csrf_token": get_token(request),
        "name": name,
        "when": progress.day_of(found.seed or name),
        "given": given,
        "asking": asking,
        "picture": _picture(match, given, lang),
    }
    return {
        "version": attempt.version,
        "html": render_to_string("web/puzzle_board.html", context),
        "moves": picker.picks(match, 0, lang, match.moves(0)),
        "last": [] if given or match.over else history.last_touched(match, 0),
        "seconds": round(attempt.seconds, 1),
        "running": attempt.pk is not None and not attempt.closed,
        "suggest": given.move if given and not match.over else "",
    }


def _context(found: PuzzleOf, attempt: Attempt, match: Match, lang: str) -> dict[str, object]:
    moves = match.moves(0)
    return {
        "box": ludotheque.game(found.key),
        "lang": lang,
        "puzzle": found,
        "grade": progress.grade_name(found.key, found.grade, lang),
        "number": found.seed.partition("#")[2] if found.seed else "",
        "address": progress.address(found.seed or found.description),
        "attempt": attempt,
        "time": progress.clock(attempt.seconds),
        "over": match.over,
        "todo": said(match.game.stem, lang, "phases", match.game.phase(match.state, 0)),
        "result": _result(attempt, match, lang),
        "record": match.save() if match.over else "",
        "rows": position.rows(match, 0, lang),
        "moves": moves[:MAX_LISTED_MOVES],
        "moves_left_out": len(moves[MAX_LISTED_MOVES:]),
        "writing": position.writing(match.game.stem, lang),
    }


def _result(attempt: Attempt, match: Match, lang: str) -> list[str]:
    """How it went, once the board is full: praise, time and hints."""
    if not match.over:
        return []
    if attempt.given_up and not attempt.solved:
        return [say("given-up", lang)]
    name = praise(match)
    report = "report" if attempt.hints else "report-none"
    told = words.say(
        None, lang, "puzzles", "hints", report, time=progress.clock(attempt.seconds), hints=attempt.hints
    )
    return [words.say(None, lang, "puzzles", "hints", name), told] if name else [told]


def _picture(match: Match, given: Help | None, lang: str) -> SafeString:
    """The board, with what a hint or a check is about marked on it."""
    drawn = render_match(match, 0, style=False, lang=lang)
    if given is not None:
        kind = "wrong-mark" if given.kind == "wrong" else "hint-mark"
        parts = [f"cell-{cell}" for cell in given.cells] + [f"tray-{piece}" for piece in given.pieces]
        for part in dict.fromkeys((*parts, *_picks(match, given.move)[:1])):
            drawn = drawn.replace(f'id="{part}" class="', f'id="{part}" class="{kind} ')
    return mark_safe(drawn)  # noqa: S308 - drawn by us, from numbers


def _picks(match: Match, move: str) -> tuple[str, ...]:
    if move not in match.moves(0):
        return ()
    return picture_of(match.game).picks(match.state, 0, match.game.numbers[move])
