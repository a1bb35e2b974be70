"""The pages of a table: playing, looking back, hints, the record, and the links that move seats."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

import ludotheque
from ludotheque.match import Match
from ludotheque.web import inputs
from ludotheque.web.models import Seat, Table
from ludotheque.web.pages import previews, qr
from ludotheque.web.pages.pictures import DAY_S, svg
from ludotheque.web.players import hints
from ludotheque.web.refusals import Refused, WorkerUnavailable
from ludotheque.web.screen import history, moves, people, reasons
from ludotheque.web.screen import screen as screens
from ludotheque.web.screen.viewer import Viewer, may_ask_hint, viewer_of
from ludotheque.web.table import cache, own_seats
from ludotheque.web.table.commands import Command, execute
from ludotheque.web.table.state import TableState
from ludotheque.web.visitors import hashed, owns, remember, visitor
from ludotheque.web.words import language, refusal

SVG_PART = "text/plain; charset=utf-8"  # a part of a picture, which only our script puts into the page


@never_cache
@require_GET
def table(request: HttpRequest, table: str) -> HttpResponse:
    """The table, complete without any script."""
    return _page(request, get_object_or_404(Table, pk=table))


def _page(request: HttpRequest, found: Table, mistake: str = "", status: int = 200) -> HttpResponse:
    wanted = inputs.number(request.GET.get("as", ""))
    step = request.GET.get("step", "")
    origin = f"{request.scheme}://{request.get_host()}"
    token = get_token(request)
    shown = screens.screen(found.id, visitor(request), language(), wanted, csrf=token, step=step, origin=origin)
    context = {
        "table": found,
        "box": ludotheque.game(found.game),
        "screen": mark_safe(shown["html"]),  # noqa: S308 - our own template
        "seat": shown["seat"],
        "version": shown["version"],
        "live": {name: value for name, value in shown.items() if name != "html"},
        "mistake": mistake,
        "preview": previews.of_table(request, found),
        "is_host_waiting": found.status == Table.Status.WAITING and shown["seat"] >= 0,
    }
    return render(request, "web/table.html", context, status=status)


@never_cache
@require_GET
def screen(request: HttpRequest, table: str) -> HttpResponse:
    """What has changed since a version, for pages whose WebSocket does not work."""
    found = get_object_or_404(Table, pk=table)
    if str(found.version) == request.GET.get("version"):
        return HttpResponse(status=204)
    wanted = inputs.number(request.GET.get("seat", ""))
    known = screens.Known(inputs.number(request.GET.get("events", "")))
    return JsonResponse(screens.screen(found.id, visitor(request), language(), wanted, known=known))


@never_cache
@require_POST
def command(request: HttpRequest, table: str) -> HttpResponse:
    """Any command to the table, sent as JSON by our script or as a plain form."""
    found = get_object_or_404(Table, pk=table)
    by_script = request.content_type == "application/json"
    command = Command.read(inputs.json_object(request) if by_script else request.POST.dict())
    reply = execute(found.id, remember(request), command, language(), request.META.get("REMOTE_ADDR", ""))
    if by_script:
        return JsonResponse(reply)
    if "refused" in reply:
        return _page(request, found, str(reply["refused"]), status=409)
    return redirect(str(reply.get("go", f"/t/{found.id}")))


@never_cache
@require_GET
def at(request: HttpRequest, table: str, step: int) -> HttpResponse:
    """The picture after an earlier step, seen through the same seat as now."""
    found = get_object_or_404(Table, pk=table)
    state = cache.state_of(found)
    if state.match is None:
        raise Http404
    seat = _viewer(request, found, state).seat
    try:
        picture = history.picture_at(state.match, seat, step, language())
    except LookupError as error:
        raise Http404 from error
    return HttpResponse(picture, content_type=SVG_PART)


@never_cache
@require_GET
def ghost(request: HttpRequest, table: str) -> HttpResponse:
    """What a move of mine would put on the picture; nothing if it is not, or no longer, possible."""
    found = get_object_or_404(Table, pk=table)
    state = cache.state_of(found)
    seat = _viewer(request, found, state).seat
    if state.match is None or state.over or seat is None:
        return HttpResponse(status=204)
    try:
        drawn = moves.ghost(state.match, seat, request.GET.get("move", ""), language())
    except LookupError:
        return HttpResponse(status=204)
    return HttpResponse(drawn, content_type=SVG_PART)


@never_cache
@require_GET
def why(request: HttpRequest, table: str) -> HttpResponse:
    """Why something that I touched cannot be picked, in words; nothing if it can, or if I have no seat."""
    found = get_object_or_404(Table, pk=table)
    state = cache.state_of(found)
    seat = _viewer(request, found, state).seat
    if state.match is None or state.over or seat is None:
        return HttpResponse(status=204)
    return reason_reply(request, state.match, seat)


def reason_reply(request: HttpRequest, match: Match, seat: int) -> HttpResponse:
    """The answer to a page that asks by the names `pick` and `touched`."""
    picks, touched = request.GET.getlist("pick"), request.GET.getlist("touched")
    found = reasons.reason(match, seat, picks, touched, language())
    return HttpResponse(status=204) if found is None else JsonResponse({"say": found.say, "id": found.element})


@never_cache
@require_GET
def hint(request: HttpRequest, table: str) -> HttpResponse:
    """What a strong player would do for me and why, in words; not against other people."""
    found = get_object_or_404(Table, pk=table)
    state, seats = cache.state_of(found), list(found.seats.all())
    viewer = _viewer(request, found, state)
    if state.match is None or not may_ask_hint(state, seats, viewer) or viewer.seat is None:
        return HttpResponse(status=403)
    try:
        given = hints.hint(found, viewer.seat)
    except WorkerUnavailable as error:
        return JsonResponse({"move": "", "say": refusal(error, language())})
    if given is None:
        return HttpResponse(status=429)
    named = people.names(state.match, seats, language())
    by_role = [named[seat] for seat in sorted(range(state.match.seats), key=state.match.role)]
    return JsonResponse({"move": given.move or "", "say": given.say(language(), by_role)})


def _viewer(request: HttpRequest, found: Table, state: TableState) -> Viewer:
    wanted = inputs.number(request.GET.get("seat", ""))
    return viewer_of(state, list(found.seats.all()), visitor(request), wanted)


@require_GET
def record(_request: HttpRequest, table: str) -> HttpResponse:
    """The record of a finished match, luck's secret included, for anyone to check; none where it would tell more
    than the game does."""
    found = get_object_or_404(Table, pk=table)
    state = cache.state_of(found)
    if not state.over or state.match is None or not state.match.reveals_all:
        raise Http404
    response = HttpResponse(state.record(), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{found.game}-{found.id}.json"'
    return response


@require_GET
def qr_code(request: HttpRequest, table: str) -> HttpResponse:
    """The table's address as a QR code."""
    found = get_object_or_404(Table, pk=table)
    return svg(qr.file(request.build_absolute_uri(f"/t/{found.id}")), DAY_S)


@never_cache
@require_POST
def link(request: HttpRequest, table: str) -> HttpResponse:
    """A private link that moves a seat to another device, shown once."""
    number = inputs.number(request.POST.get("seat", ""))
    found = get_object_or_404(Table, pk=table)
    try:
        secret = own_seats.make_link(found.id, visitor(request), number)
    except Refused as error:
        return _page(request, found, refusal(error, language()), status=403)
    address = request.build_absolute_uri(f"/seat/{secret}")
    context = {"address": address, "qr": qr.inline(address), "table": found, "box": ludotheque.game(found.game)}
    return render(request, "web/link.html", context)


@never_cache
@require_http_methods(["GET", "POST"])
def take_seat(request: HttpRequest, secret: str) -> HttpResponse:
    """Asks first: programs that look at links in messages must not take seats."""
    seat = Seat.objects.filter(link=hashed(secret)).select_related("table").first()
    if seat is None:
        raise Http404
    is_mine = owns(seat, visitor(request))
    if request.method == "POST" and not is_mine:
        return _taken(request, secret)
    if request.method == "POST":  # the link stays good for the other device
        return redirect("table", table=seat.table_id)
    context = {"seat": seat, "is_mine": is_mine, "box": ludotheque.game(seat.table.game)}
    return render(request, "web/take.html", context)


def _taken(request: HttpRequest, secret: str) -> HttpResponse:
    try:
        return redirect("table", table=own_seats.take_link(secret, remember(request)).id)
    except Refused as error:  # another device was quicker
        raise Http404 from error
