"""Security headers: no script or style but ours, no frames, no other hosts."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SVG_CSP = "default-src 'none'; style-src 'unsafe-inline'; sandbox"  # an SVG file carries its own style
STATIC_FILE_HEADERS = {
    "Content-Security-Policy": SVG_CSP,  # static files are no pages
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
SECRET_VIEWS = ("seat", "link")  # their address or page contains a secret


class CspMiddleware:
    """Sets the Content-Security-Policy and the other security headers of every response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_svg = response.get("Content-Type", "").startswith("image/svg")
        response["Content-Security-Policy"] = SVG_CSP if is_svg else PAGE_CSP
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        if request.resolver_match and request.resolver_match.view_name in SECRET_VIEWS:
            response["Referrer-Policy"] = "strict-origin"  # the address must not reach even our own proxy's log
        response["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        return response
