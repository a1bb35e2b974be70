"""What browsers are told not to do: no script or style but ours, no frames, no other hosts."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PAGES = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PICTURES = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # an SVG file carries its own style
FILES = {
    "Content-Security-Policy": PICTURES,  # static files are no pages
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
SECRETIVE = ("seat", "link")  # views whose address or page is a secret


class Guarded:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_picture = response.get("Content-Type", "").startswith("image/svg")
        response["Content-Security-Policy"] = PICTURES if is_picture else PAGES
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if request.resolver_match and request.resolver_match.view_name in SECRETIVE:
            response["Referrer-Policy"] = "strict-origin"  # not even our own proxy's log may have the address
        response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return response
