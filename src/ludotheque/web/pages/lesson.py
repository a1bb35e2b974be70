"""The lesson of a game: each step is a position, a task, and an answer to every move tried."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_GET, require_http_methods

import ludotheque
from ludotheque import move_words
from ludotheque.errors import UnknownGame
from ludotheque.lessons import Answer, Task, tasks, tips
from ludotheque.match import Match
from ludotheque.pictures.output.render import render_match
from ludotheque.puzzles.kinds import kind, kind_keys
from ludotheque.shelf import Box
from ludotheque.web import inputs, markdown
from ludotheque.web.pages.table import SVG_PART, reason_reply
from ludotheque.web.players import warm_up
from ludotheque.web.screen import moves, narration
from ludotheque.web.screen.narration import Scene, Teller
from ludotheque.web.words import language, seat_name


@require_http_methods(["GET", "POST"])
def lesson(request: HttpRequest, key: str, step: int) -> HttpResponse:
    """A step of the lesson; a move that is sent is tried, for a script or for a plain form."""
    task, number = _task(key, step)
    if "why" in request.GET:
        return reason_reply(request, task.match(), task.seat)
    if request.method == "GET":
        return _ghost(task, request.GET["ghost"]) if "ghost" in request.GET else _page(request, task, step, number)
    typed = request.POST.get("move", "")[: inputs.MAX_TEXT_CHARS].strip()
    answer = task.answer(move_words.understood(task.game, typed), language())
    if request.headers.get("Accept") == "application/json":
        scenes = _story(task, answer.match) if answer.verdict == "right" else []
        return JsonResponse({"verdict": answer.verdict, "say": markdown.html(answer.sentence), "story": scenes})
    return _page(request, task, step, number, answer)


@require_GET
def first_tips(_request: HttpRequest, key: str) -> HttpResponse:
    """What to tell in a first game, by phase, step and refusal, as HTML."""
    told = tips(_box(key).rules, language())
    return JsonResponse(
        {kind: {name: markdown.inline(text) for name, text in by_name.items()} for kind, by_name in told.items()}
    )


def _task(key: str, step: int) -> tuple[Task, int]:
    found = tasks(_box(key).rules)
    if not 1 <= step <= len(found):
        raise Http404
    return found[step - 1], len(found)


def _box(key: str) -> Box:
    try:
        return ludotheque.game(key)
    except UnknownGame as error:
        raise Http404 from error


def _page(request: HttpRequest, task: Task, step: int, number: int, answer: Answer | None = None) -> HttpResponse:
    done = answer is not None and answer.verdict == "right"
    match = answer.match if answer and done else task.match()
    box = ludotheque.game(task.game.key)
    legal = [] if done else match.moves(task.seat)
    context = {
        "box": box,
        "step": step,
        "number": number,
        "following": step + 1 if step < number else 0,
        "task": task.say(language()),
        "hand": task.hand(language()),
        "answer": answer.sentence if answer else "",
        "done": done,
        "picture": _drawn(task, match),
        "live": {
            "moves": moves.picks(match, task.seat, language(), legal),
            "stuck": moves.stuck(match, task.seat, legal),
        },
        "moves": legal,
        "gentlest": next(iter(warm_up.levels(box)), ""),
        "easiest": kind(box.key).grades[0] if box.key in kind_keys() else None,
    }
    return render(request, "web/lesson.html", context)


def _ghost(task: Task, text: str) -> HttpResponse:
    """What a move would put on the picture; nothing if it is not possible."""
    try:
        return HttpResponse(moves.ghost(task.match(), task.seat, text, language()), content_type=SVG_PART)
    except LookupError:
        return HttpResponse(status=204)


def _story(task: Task, match: Match) -> list[Scene]:
    """What happened since the task was set: each move, with luck's answer to it."""
    since, events = task.match().length, match.events
    names = [seat_name(task.game.stem, match.seats, match.role(seat), language()) for seat in range(match.seats)]
    ends = [end for end in range(since + 1, match.length + 1) if end == match.length or events[end][0] != "luck"]
    past = [match.before(match.length - end) for end in ends]
    return [scene for each in past for scene in _scenes(task, each, names)]


def _scenes(task: Task, match: Match, names: list[str]) -> list[Scene]:
    """The last move, with the pictures it leads to."""
    told = narration.story(match, Teller(task.seat, names, language()))
    return [{**scene, "picture": scene["picture"] or _drawn(task, match)} for scene in told]


def _drawn(task: Task, match: Match) -> SafeString:
    return mark_safe(render_match(match, task.seat, style=False, lang=language()))  # noqa: S308 - drawn by us, from numbers
