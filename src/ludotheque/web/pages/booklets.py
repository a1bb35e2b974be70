"""The pages where booklets are ordered and fetched."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

import ludotheque
from ludotheque.errors import LudothequeError
from ludotheque.puzzles.kinds import kind_keys
from ludotheque.web.pages.puzzle import ASK_AGAIN_S, RETRY_AFTER_S
from ludotheque.web.puzzles import booklets
from ludotheque.web.refusals import TooManyJobs
from ludotheque.web.visitors import remember
from ludotheque.web.words import language, refusal, say


@never_cache
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """Choose one; it is begun at once."""
    if request.method == "GET":
        return _index(request)
    wish = [request.POST.get(name, "")[:20] for name in ("puzzle", "count", "paper", "lang", "volume")]
    order = booklets.read("-".join(wish))
    if order is None:
        return _index(request, say("bad-booklet"), 400)
    try:
        booklets.start(order, remember(request))
    except LudothequeError as error:
        response = _index(request, refusal(error, language()), 409)
        if isinstance(error, TooManyJobs):
            response["Retry-After"] = str(ASK_AGAIN_S)
        return response
    return redirect("booklet", name=order.name)


def _index(request: HttpRequest, mistake: str = "", status: int = 200) -> HttpResponse:
    context = {
        "kinds": [ludotheque.game(key) for key in kind_keys()],
        "chosen": request.GET.get("puzzle", ""),
        "counts": booklets.COUNTS,
        "papers": booklets.PAPERS,
        "volumes": range(1, booklets.VOLUMES + 1),
        "mistake": mistake,
    }
    return render(request, "web/booklets.html", context, status=status)


@never_cache
@require_GET
def booklet(request: HttpRequest, name: str) -> HttpResponse:
    """How far one is; looking at it begins nothing."""
    order = booklets.read(name)
    if order is None:
        raise Http404
    made, ready = booklets.made(order), booklets.ready(order)
    context = {"order": order, "box": ludotheque.game(order.key), "made": made, "ready": ready}
    response = render(request, "web/booklet.html", context)
    if made is not None:
        response["Refresh"] = str(RETRY_AFTER_S)
    return response


@require_GET
def file(_request: HttpRequest, name: str) -> HttpResponse:
    """The booklet itself."""
    order = booklets.read(name)
    pages = booklets.file(order) if order else None
    if pages is None:
        raise Http404
    response = HttpResponse(pages, content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="{name}.pdf"'
    response["Cache-Control"] = "public, max-age=86400"
    return response
