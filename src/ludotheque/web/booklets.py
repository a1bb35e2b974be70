"""The pages where booklets are ordered and fetched."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.puzzles.making.names import KEYS
from ludotheque.web import printing
from ludotheque.web.puzzle import AGAIN
from ludotheque.web.speech import language, refusal, say
from ludotheque.web.visitors import remember


@never_cache
@require_http_methods(["GET", "POST"])
def shelf(request: HttpRequest) -> HttpResponse:
    """Choose one; it is begun at once."""
    if request.method == "GET":
        return _shelf(request)
    wish = [request.POST.get(name, "")[:20] for name in ("puzzle", "count", "paper", "lang", "volume")]
    order = printing.read("-".join(wish))
    if order is None:
        return _shelf(request, say("bad-booklet"), 400)
    try:
        printing.start(order, remember(request))
    except LudothequeError as error:
        return _shelf(request, refusal(error, language()), 409)
    return redirect("booklet", name=order.name)


def _shelf(request: HttpRequest, mistake: str = "", status: int = 200) -> HttpResponse:
    context = {
        "kinds": [ludotheque.game(key) for key in KEYS],
        "chosen": request.GET.get("puzzle", ""),
        "counts": printing.COUNTS,
        "papers": printing.PAPERS,
        "volumes": range(1, printing.VOLUMES + 1),
        "mistake": mistake,
    }
    return render(request, "web/booklets.html", context, status=status)


@never_cache
@require_GET
def booklet(request: HttpRequest, name: str) -> HttpResponse:
    """How far one is; looking at it begins nothing."""
    order = printing.read(name)
    if order is None:
        raise Http404
    making = not order.ready and printing.is_made(order)
    context = {"order": order, "box": ludotheque.game(order.key), "making": making, "ready": order.ready}
    response = render(request, "web/booklet.html", context)
    if making:
        response["Refresh"] = str(AGAIN)
    return response


@require_GET
def file(_request: HttpRequest, name: str) -> HttpResponseBase:
    """The booklet itself."""
    order = printing.read(name)
    if order is None or not order.ready:
        raise Http404
    response = FileResponse(order.file.open("rb"), as_attachment=True, filename=f"{name}.pdf")
    response["Cache-Control"] = "public, max-age=86400"
    return response
