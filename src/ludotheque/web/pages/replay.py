"""The pages of finished matches: every position, the analysis, and whether luck was fair.

A match of a table has the table's id; a record that somebody brings gets one of its own.
"""

from functools import cache
from threading import Condition
from typing import NamedTuple

from cachetools import LRUCache, cached
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import ludotheque
from ludotheque import move_words, records
from ludotheque.errors import LudothequeError
from ludotheque.game import Telling
from ludotheque.match import Match
from ludotheque.pictures.kit import svg
from ludotheque.pictures.output import chips, curve
from ludotheque.pictures.output.frames import frames
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.titles import translated
from ludotheque.search.analysis import MARGIN, JudgedMove, Swing, by_rules, outcome, swings, turning_points
from ludotheque.web import inputs
from ludotheque.web.models import Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.pages import previews
from ludotheque.web.pages.table import SVG_PART
from ludotheque.web.refusals import PromiseKept, Refused
from ludotheque.web.replays import analysis, details, uploads
from ludotheque.web.replays.finished import Finished, ended, find, kept
from ludotheque.web.screen import luck, move_list, narration, people, scoring
from ludotheque.web.table import commitments, rematch
from ludotheque.web.table.new_table import USUAL_LEVEL
from ludotheque.web.visitors import owns, remember, visitor
from ludotheque.web.words import language, level, refusal, say

CACHE_FOR_A_DAY = "public, max-age=86400"
MAX_CACHED_CHARS = 8_000_000  # of what analyses have to show


class Turn(NamedTuple):
    """A turning point: the number of its move, what there is to say, what was played and what was better."""

    number: int
    sentence: str
    line: str
    played: str
    better: str


@never_cache
@require_GET
def page(request: HttpRequest, name: str) -> HttpResponse:
    """A finished match, complete without any script."""
    found = find(name)
    if found is None and Table.objects.filter(pk=name).exists():
        return redirect("table", table=name)
    if found is None:
        raise Http404
    uploads.come_back(found.replay)
    analysis.begin(found)
    last = found.match.length
    looked = _looked(found, language())
    turn = _wanted_turn(request, looked)
    wanted = turn.number - 1 if turn else inputs.number(request.GET.get("step", ""))
    step = wanted if 0 <= wanted <= last else last
    context = _told(found, language(), step) | looked
    context |= {
        "table": found.replay.table,
        "step": step,
        "last": last,
        "back": max(step - 1, 0),
        "on": min(step + 1, last),
        "turn": turn,
        "picture": _compared(found, turn.number, language()) if turn else _picture(found, step, language()),
        "last_open": rematch.last_open_step(found.match),
        "seat": _default_seat(found, visitor(request), step),
        "levels": [(number, level(number)) for number in LEVELS] if found.match.seats > 1 else [],
        "usual_level": USUAL_LEVEL,
        "address": request.build_absolute_uri(request.path),
        "preview": previews.of_replay(request, found),
    }
    return render(request, "web/replay.html", context)


def _wanted_turn(request: HttpRequest, context: dict[str, object]) -> Turn | None:
    """The turning point that the address asks for."""
    wanted, turns = inputs.number(request.GET.get("turn", "")), context.get("turns", [])
    assert isinstance(turns, list)
    return next((turn for turn in turns if turn.number == wanted), None)


def _default_seat(found: Finished, asking: str, step: int) -> int:
    """The seat that somebody plays on with, unless they choose another: their own, else the next to move."""
    own = [seat.number for seat in found.seats if owns(seat, asking)]
    acting = [seat for seat in found.match.before(found.match.length - step).to_act if isinstance(seat, int)]
    return next(iter([*own, *acting]), 0)


@require_POST
def play_on(request: HttpRequest, name: str) -> HttpResponse:
    """A new table that goes on from a position of a finished match, against computer players."""
    found = find(name)
    if found is None:
        raise Http404
    step, seat = (inputs.number(request.POST.get(field, "")) for field in ("step", "seat"))
    asking = remember(request)
    known = next((each.name for each in found.seats if owns(each, asking)), "")
    level, entropy, ticket = (inputs.text(request.POST.get(field, "")) for field in ("level", "entropy", "luck"))
    promise = commitments.of_ticket(ticket)
    try:
        begun = rematch.play_on(found.match, step, asking, seat, level, name=known, promise=promise, entropy=entropy)
    except PromiseKept as kept:
        return redirect("table", table=kept.table)
    except Refused as error:
        return HttpResponse(refusal(error, language()), status=409, content_type="text/plain; charset=utf-8")
    return redirect("table", table=begun.id)


@require_http_methods(["GET", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """A record from elsewhere, as a file or as text, to be looked at here."""
    if request.method == "GET":
        return render(request, "web/bring.html")
    file = request.FILES.get("file")
    text = file.read(uploads.MAX_RECORD_CHARS + 1).decode(errors="replace") if file else request.POST.get("text", "")
    try:
        return redirect("replay", name=kept(text.strip()).id)
    except LudothequeError as error:
        return render(request, "web/bring.html", _not_kept(error), status=400)


def _not_kept(error: LudothequeError) -> dict[str, str]:
    """Why a record is not kept, in words."""
    if error.code == records.TOO_LONG:
        return {"mistake": say("record-too-long", entries=uploads.MAX_RECORD_ENTRIES)}
    return {"mistake": say("record-forged" if error.code == "forged-luck" else "record-bad"), "reason": error.reason}


@require_GET
def at(request: HttpRequest, name: str, step: int) -> HttpResponse:
    """The picture after so many events; finished matches never change, so it may be kept."""
    found = find(name)
    if found is None or not 0 <= step <= found.match.length:
        raise Http404
    response = HttpResponse(_picture(found, step, language(request.GET.get("lang"))), content_type=SVG_PART)
    response["Cache-Control"] = CACHE_FOR_A_DAY
    return response


@require_GET
def turn(request: HttpRequest, name: str, number: int) -> HttpResponse:
    """The position before a move that was judged, with the move played and the better one drawn on it."""
    found = find(name)
    if found is None or not found.replay.whole or number not in details.judged(found):
        raise Http404
    response = HttpResponse(_compared(found, number, language(request.GET.get("lang"))), content_type=SVG_PART)
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


def _compared(found: Finished, number: int, lang: str) -> SafeString:
    step, match = details.judged(found)[number], found.match
    before = match.before(match.length - step.number)
    drawn = [_move(before, step.seat, step.move, "played", lang)]
    if step.better and step.better in match.game.numbers and step.better != step.move:
        drawn.append(_move(before, step.seat, step.better, "better", lang))
    picture = _picture(found, step.number, lang).removesuffix("</svg>")
    return mark_safe(f"{picture}{''.join(drawn)}</svg>")  # noqa: S308 - as above


def _move(before: Match, seat: int, text: str, manner: str, lang: str) -> str:
    """The ghost of a move; of one that has no place on the board, what one touches for it."""
    picture, role, move = picture_of(before.game), before.role(seat), before.game.numbers[text]
    ghost = picture.ghost(before.state, role, move) or "".join(
        svg.el("use", href=f"#{pick}") for pick in picture.picks(before.state, role, move)
    )
    return translated(svg.el("g", ghost, class_=f"ghost compared {manner}"), before.game.stem, lang)


def _told(found: Finished, lang: str, step: int) -> dict[str, object]:
    """Who played, how it ended, every move, and whether luck was fair."""
    match, state = found.match, found.state
    names = people.names(match, found.seats, lang)
    places = people.places(found.seats, match, state, names, lang)
    return {
        "replay": found.replay,
        "box": ludotheque.game(match.game.key),
        "places": places,
        "seated": list(zip(places, people.legs(match, lang), strict=True)),
        "leg": match.leg_of(step - 1) if step else 0,
        "legs_begin": ",".join(str(number) for number in _legs_begin(match)),
        "unowned": people.unowned_places(match, lang),
        "result": ended(found, names, lang),
        "why": scoring.breakdown(match, state, names, lang),
        "log": details.move_list_at(found, names, lang, step),
        "luck": details.luck(found, lang),
        "added": luck.added(found.seats, names, lang) if found.replay.table else "",
        "draws": details.draws(match),
        "commitment": match.luck.commitment if match.luck else "",
    }


def _legs_begin(match: Match) -> list[int]:
    """The first step of each leg; the one before still shows the board of the leg before."""
    return [0, *(number + 2 for number, _ in match.ended_legs() if number + 1 < match.length)]


def _looked(found: Finished, lang: str) -> dict[str, object]:
    """What the analysis has to show: how far it is, or the curve, the turning points, and all of it as a table."""
    possible, whole = analysis.possible(found), found.replay.whole
    known = details.judged(found) if whole else found.replay.steps
    context: dict[str, object] = {"possible": possible, "judged": len(known), "moves": found.moves}
    if not possible or not whole:
        return context
    names = people.names(found.match, found.seats, lang)
    return context | _analysed(found, tuple(names), lang)._asdict()


class Analysed(NamedTuple):
    """What a complete analysis has to show."""

    whole: bool
    margin: int
    curve: SafeString
    legend: list[tuple[SafeString, str]]
    turns: list[Turn]
    names: tuple[str, ...]
    rows: SafeString


@cached(
    LRUCache(MAX_CACHED_CHARS, lambda shown: len(shown.curve) + len(shown.rows)),
    key=lambda found, names, lang: (found.state, found.analysed, names, lang),
    condition=Condition(),
)
def _analysed(found: Finished, names: tuple[str, ...], lang: str) -> Analysed:
    known, look = list(details.judged(found).values()), chips.look(found.match.game, found.match.seats)
    ended = by_rules(found.match)
    turns, swung = turning_points(known, ended), swings(known, ended)
    sentences = [_turn(found, step, swung.get(step.number), names, lang) for step in turns]
    points = [curve.Point(step.number, step.hopes) for step in known if step.hopes]
    points.append(curve.Point(found.match.length, _outcome(found)))
    return Analysed(
        whole=True,
        margin=round(100 * MARGIN),
        curve=_curve(found, points, list(zip(turns, sentences, strict=True)), names, lang),
        legend=[(mark_safe(curve.sample(seat, look)), name) for seat, name in enumerate(names)],  # noqa: S308 - drawn by us
        turns=sentences,
        names=names,
        rows=_rows(found, points, names, lang),
    )


def clear() -> None:
    """Forget what analyses have to show."""
    _analysed.cache_clear()


def _curve(
    found: Finished,
    points: list[curve.Point],
    turns: list[tuple[JudgedMove, Turn]],
    names: tuple[str, ...],
    lang: str,
) -> SafeString:
    marks = [
        curve.Mark(step.number, step.seat, step.hopes[step.seat], turn.sentence) for step, turn in turns if step.hopes
    ]
    match, title = found.match, say("curve", lang)
    drawn = curve.render(points, marks, names, match.length, said=title, game=match.game, style=False)
    return mark_safe(drawn)  # noqa: S308 - drawn by us; names are escaped


def _outcome(found: Finished) -> tuple[float, ...]:
    """What became of all hopes; where everybody left, nothing was decided."""
    seats = found.match.seats
    return (1 / seats,) * seats if found.state.is_abandoned else outcome(found.match)


def _turn(found: Finished, step: JudgedMove, swing: Swing | None, names: tuple[str, ...], lang: str) -> Turn:
    played = _played(found, step.number, step.seat, names, lang)
    better = _better(found, step, step.better, names, lang) if step.better else ""
    values = {"number": step.number + 1, "played": played}
    if step.better or swing is None:
        sentence = say("turn", lang, **values, cost=round(100 * step.cost), better=better)
    else:
        seat, before, after = swing
        hopes = {"before": round(100 * before), "after": round(100 * after)}
        sentence = say("turn-swing", lang, **values, whose=names[seat], **hopes)
    line = [_written(found, text, lang) for text in step.line]
    expected = say("turn-line", lang, line=" ".join(line)) if step.better and len(line) > 1 else ""
    other = say("turn-better", lang, move=better) if step.better and step.better != step.move else ""
    return Turn(step.number + 1, sentence, expected, say("turn-played", lang, move=played), other)


def _played(found: Finished, number: int, seat: int, names: tuple[str, ...], lang: str) -> str:
    """What somebody did, in a sentence."""
    match, text = found.match, found.match.event(number)[1]
    who = _with_role(match, match.leg_of(number), seat, names, lang)
    sentence = move_list.in_words(
        match, match.leg_of(number), match.telling(number, None), who, names=names, lang=lang
    )
    return sentence or say("turn-plays", lang, name=who, move=_written(found, text, lang))


def _better(found: Finished, step: JudgedMove, text: str, names: tuple[str, ...], lang: str) -> str:
    """What somebody might have done instead, in a sentence."""
    before = found.match.before(found.match.length - step.number)
    who = _with_role(before, before.leg, step.seat, names, lang)
    move = before.game.numbers.get(text)  # an analysis may be older than the names of moves
    telling = before.game.tell(before.state, before.role(step.seat), move) if move is not None else Telling()
    sentence = move_list.in_words(before, before.leg, telling, who, names=names, lang=lang)
    return sentence or say("turn-plays", lang, name=who, move=_written(found, text, lang))


def _with_role(match: Match, leg: int, seat: int, names: tuple[str, ...], lang: str) -> str:
    """In a series the role changes, so it is said who somebody was then."""
    return narration.with_role(match, seat, leg, names, lang) if match.legs > 1 else names[seat]


def _written(found: Finished, text: str, lang: str) -> str:
    return move_words.written(found.match.game.stem, text, lang)


def _rows(found: Finished, points: list[curve.Point], names: tuple[str, ...], lang: str) -> SafeString:
    """The curve in words: rows of a moment, and what everybody could hope for then, in a hundred."""
    rows = []
    for point in points:
        actor = found.match.event(point.after)[0] if point.after < found.match.length else "end"
        what = _played(found, point.after, actor, names, lang) if isinstance(actor, int) else say("the-end", lang)
        hopes = "".join([f"<td>{_percent(round(100 * hope), lang)}</td>" for hope in point.hopes])
        rows.append(f'<tr><th scope="row">{point.after + 1}. {escape(what)}</th>{hopes}</tr>')
    return mark_safe("".join(rows))  # noqa: S308 - texts are escaped


@cache
def _percent(number: int, lang: str) -> str:
    return escape(say("percent", lang, number=number))
