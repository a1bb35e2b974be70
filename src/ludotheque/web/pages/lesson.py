"""The lesson of a game: each step is a position, a task, and an answer to every move tried."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_http_methods

import ludotheque
from ludotheque.errors import UnknownGame
from ludotheque.lessons import Answer, Task, tasks
from ludotheque.match import Match
from ludotheque.pictures.output.render import render_match
from ludotheque.web import inputs, markdown
from ludotheque.web.screen import moves
from ludotheque.web.words import language


@require_http_methods(["GET", "POST"])
def lesson(request: HttpRequest, key: str, step: int) -> HttpResponse:
    """A step of the lesson; a move that is sent is tried, for a script or for a plain form."""
    task, number = _task(key, step)
    if request.method == "GET":
        return _page(request, task, step, number)
    answer = task.answer(request.POST.get("move", "")[: inputs.MAX_TEXT_CHARS].strip(), language())
    if request.headers.get("Accept") == "application/json":
        return JsonResponse(
            {"verdict": answer.verdict, "html": _drawn(task, answer.match), "say": markdown.html(answer.sentence)}
        )
    return _page(request, task, step, number, answer)


def _task(key: str, step: int) -> tuple[Task, int]:
    try:
        found = tasks(ludotheque.game(key).rules)
    except UnknownGame as error:
        raise Http404 from error
    if not 1 <= step <= len(found):
        raise Http404
    return found[step - 1], len(found)


def _page(request: HttpRequest, task: Task, step: int, number: int, answer: Answer | None = None) -> HttpResponse:
    match = answer.match if answer and answer.verdict == "right" else task.match()
    done = answer is not None and answer.verdict == "right"
    context = {
        "box": ludotheque.game(task.game.key),
        "step": step,
        "number": number,
        "following": step + 1 if step < number else 0,
        "task": task.say(language()),
        "answer": answer.sentence if answer else "",
        "done": done,
        "picture": _drawn(task, match),
        "live": {"moves": [] if done else moves.picks(match, task.seat, language(), match.moves(task.seat))},
        "moves": [] if done else match.moves(task.seat),
    }
    return render(request, "web/lesson.html", context)


def _drawn(task: Task, match: Match) -> SafeString:
    return mark_safe(render_match(match, task.seat, style=False, lang=language()))  # noqa: S308 - drawn by us, from numbers
