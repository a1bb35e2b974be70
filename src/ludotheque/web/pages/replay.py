"""The pages of finished matches: every position, the analysis, and whether luck was fair.

A match of a table has the table's id; a record that somebody brings gets one of its own.
"""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.match import Match
from ludotheque.pictures.output import curve
from ludotheque.pictures.output.frames import frames
from ludotheque.search.analysis import JudgedMove, turning_points
from ludotheque.web import inputs
from ludotheque.web.models import Table
from ludotheque.web.pages import previews
from ludotheque.web.pages.table import SVG_PART
from ludotheque.web.replays import analysis
from ludotheque.web.replays.finished import MAX_RECORD_CHARS, Finished, ended, find, kept
from ludotheque.web.screen import people, scoring
from ludotheque.web.words import language, say

CACHE_FOR_A_DAY = "public, max-age=86400"


class Line(NamedTuple):
    """A line of the move list; `kind` is a word for what the move threw away, if it did."""

    step: int
    who: str
    text: str
    kind: str = ""


class Turn(NamedTuple):
    """A turning point: the step that shows it, and what there is to say."""

    step: int
    sentence: str
    line: str


class Row(NamedTuple):
    """The curve in words: a moment, and what everybody could hope for then, in a hundred."""

    step: int
    what: str
    hopes: list[int]


@never_cache
@require_GET
def page(request: HttpRequest, name: str) -> HttpResponse:
    """A finished match, complete without any script."""
    found = find(name)
    if found is None and Table.objects.filter(pk=name).exists():
        return redirect("table", table=name)
    if found is None:
        raise Http404
    analysis.begin(found)
    last = len(found.match.events)
    wanted = inputs.number(request.GET.get("step", ""))
    step = wanted if 0 <= wanted <= last else last
    context = _told(found, language()) | _looked(found, language())
    context |= {
        "table": found.replay.table,
        "step": step,
        "last": last,
        "back": max(step - 1, 0),
        "on": min(step + 1, last),
        "picture": _picture(found, step, language()),
        "address": request.build_absolute_uri(request.path),
        "preview": previews.of_replay(request, found),
    }
    return render(request, "web/replay.html", context)


@require_http_methods(["GET", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """A record from elsewhere, as a file or as text, to be looked at here."""
    if request.method == "GET":
        return render(request, "web/bring.html")
    file = request.FILES.get("file")
    text = file.read(MAX_RECORD_CHARS + 1).decode(errors="replace") if file else request.POST.get("text", "")
    try:
        return redirect("replay", name=kept(text.strip()).id)
    except LudothequeError as error:
        mistake = say("record-forged" if error.code == "forged-luck" else "record-bad")
        return render(request, "web/bring.html", {"mistake": mistake, "reason": error.reason}, status=400)


@require_GET
def at(request: HttpRequest, name: str, step: int) -> HttpResponse:
    """The picture after so many events; finished matches never change, so it may be kept."""
    found = find(name)
    if found is None or not 0 <= step <= len(found.match.events):
        raise Http404
    response = HttpResponse(_picture(found, step, language(request.GET.get("lang"))), content_type=SVG_PART)
    response["Cache-Control"] = CACHE_FOR_A_DAY
    return response


@never_cache
@require_GET
def progress(_request: HttpRequest, name: str) -> HttpResponse:
    """How far the analysis has got."""
    found = find(name)
    if found is None:
        raise Http404
    analysis.begin(found)
    return JsonResponse({"judged": len(found.replay.steps), "moves": found.moves, "whole": found.replay.whole})


def _picture(found: Finished, step: int, lang: str) -> SafeString:
    drawn = frames(found.match, ended=True)[step].picture(style=False, lang=lang)
    return mark_safe(drawn)  # noqa: S308 - drawn by us, from numbers


def _told(found: Finished, lang: str) -> dict[str, object]:
    """Who played, how it ended, every move, and whether luck was fair."""
    match, state = found.match, found.state
    names = people.names(match, found.seats, lang)
    places = people.places(found.seats, match, state, names, lang)
    return {
        "replay": found.replay,
        "box": ludotheque.game(match.game.key),
        "places": places,
        "result": ended(found, names, lang),
        "why": scoring.breakdown(match, state, names, lang),
        "lines": _lines(found, names, lang),
        "luck": _luck(match, lang),
        "draws": _draws(match),
        "commitment": match.luck.commitment if match.luck else "",
    }


def _lines(found: Finished, names: list[str], lang: str) -> list[Line]:
    kinds = {step.number: step.kind or "" for step in analysis.steps(found.replay)} if found.replay.whole else {}
    return [
        Line(number + 1, say("luck", lang) if actor == "luck" else names[actor], text, kinds.get(number, ""))
        for number, (actor, text) in enumerate(found.match.events)
    ]


def _luck(match: Match, lang: str) -> str:
    """Whether luck was fair: every draw is made again, from the secret whose fingerprint was published before."""
    draws = _draws(match)
    if not draws:
        return say("luck-none", lang)
    if match.luck is None:
        return say("luck-by-hand", lang, number=draws)
    try:
        ludotheque.load(match.save())
    except LudothequeError:
        return say("luck-forged", lang)
    return say("luck-verified", lang, number=draws)


def _draws(match: Match) -> int:
    """How often luck drew, draws that were taken back included."""
    return sum(actor == "luck" for actor, _ in match.log)


def _looked(found: Finished, lang: str) -> dict[str, object]:
    """What the analysis has to show: how far it is, or the curve, the turning points, and all of it as a table."""
    possible, known = analysis.possible(found), analysis.steps(found.replay)
    context: dict[str, object] = {"possible": possible, "judged": len(known), "moves": found.moves}
    if not possible or not found.replay.whole:
        return context
    names = people.names(found.match, found.seats, lang)
    turns = turning_points(known)
    points = [curve.Point(step.number, step.hopes) for step in known if step.hopes]
    points.append(curve.Point(len(found.match.events), _outcome(found)))
    return context | {
        "whole": True,
        "curve": _curve(found, points, turns, names, lang),
        "legend": [(mark_safe(curve.sample(seat)), name) for seat, name in enumerate(names)],  # noqa: S308
        "turns": [_turn(step, names, lang) for step in turns],
        "names": names,
        "rows": _rows(found, points, names, lang),
    }


def _curve(
    found: Finished, points: list[curve.Point], turns: list[JudgedMove], names: list[str], lang: str
) -> SafeString:
    marks = [
        curve.Mark(step.number, step.seat, step.hopes[step.seat], _turn(step, names, lang).sentence)
        for step in turns
        if step.hopes
    ]
    drawn = curve.render(points, marks, names, len(found.match.events), said=say("curve", lang), style=False)
    return mark_safe(drawn)  # noqa: S308 - drawn by us; names are escaped


def _outcome(found: Finished) -> tuple[float, ...]:
    """What became of all hopes."""
    match, winners = found.match, scoring.winners(found.match)
    ended_even = match.draw or (found.state.ending is not None and not winners)
    share = 1 / match.seats if ended_even else 1 / max(len(winners), 1)
    return tuple(share if ended_even or seat in winners else 0.0 for seat in range(match.seats))


def _turn(step: JudgedMove, names: list[str], lang: str) -> Turn:
    values = {"number": step.number + 1, "name": names[step.seat], "move": step.move}
    sentence = say("turn", lang, **values, cost=round(100 * step.cost), better=step.better or "–")
    line = " ".join(step.line)
    return Turn(step.number + 1, sentence, say("turn-line", lang, line=line) if len(step.line) > 1 else "")


def _rows(found: Finished, points: list[curve.Point], names: list[str], lang: str) -> list[Row]:
    rows = []
    for point in points:
        actor, text = found.match.events[point.after] if point.after < len(found.match.events) else ("", "")
        what = f"{names[actor]}: {text}" if isinstance(actor, int) else say("the-end", lang)
        rows.append(Row(point.after, what, [round(100 * hope) for hope in point.hopes]))
    return rows
