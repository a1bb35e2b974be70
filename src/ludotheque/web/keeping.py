"""For whoever keeps the ludothèque: is it alive, can it serve."""

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse

import ludotheque
from ludotheque.web.models import Table


def health(_request: HttpRequest) -> JsonResponse:
    """The process answers."""
    return JsonResponse({"alive": True})


def ready(_request: HttpRequest) -> JsonResponse:
    """The database answers too, with all tables made, and the games are on the shelf."""
    try:
        Table.objects.exists()
        games = len(ludotheque.games())
    except DatabaseError:
        return JsonResponse({"ready": False}, status=503)
    return JsonResponse({"ready": True, "games": games})
