"""Which names the site answers to, and from whose pages WebSockets may come.

Names are `LUDOTHEQUE_HOSTS`. A site that is open to a home network (`--host 0.0.0.0`) also answers to the names of
its machine, and to the address at which a connection has arrived: other machines cannot lend those to a page of
theirs, as they could with a name that they point here (DNS rebinding).
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

from ludotheque.web.guard.request_size import App, Receive, Scope, Send, answer, refuse_websocket
from ludotheque.words import in_every_language

WRONG_HOST, WRONG_ORIGIN = 421, 403
WRONG_HOST_TEXT = in_every_language("web", "wrong-host")
WRONG_ORIGIN_TEXT = in_every_language("web", "forged")
USUAL_PORTS = {"http": 80, "https": 443}


def known_hosts(app: App) -> App:
    """The application, for requests to names that are the site's."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if is_own_host(scope):
            await app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await refuse_websocket(scope, send, WRONG_HOST, WRONG_HOST_TEXT)
        else:
            await answer(send, WRONG_HOST, WRONG_HOST_TEXT)

    return serve


def is_own_host(scope: Scope) -> bool:
    domain, _ = split_domain_port(_header(scope, b"host"))
    if not domain:
        return bool(scope["type"] == "http")  # Django refuses it, except for what monitoring asks
    if validate_host(domain, settings.ALLOWED_HOSTS):
        return True
    if not settings.LEARNS_HOSTS or not _is_where_it_arrived(domain, scope):
        return False
    settings.ALLOWED_HOSTS.append(domain)  # an address of this machine, of which there are few
    return True


def _is_where_it_arrived(domain: str, scope: Scope) -> bool:
    """Whether the name is the address of this machine at which the connection has arrived."""
    try:
        return ip_address(domain.strip("[]")) == ip_address((scope.get("server") or ("",))[0])
    except ValueError:
        return False


def same_origin(app: App) -> App:
    """WebSockets from pages of this site alone: same scheme, host and port, or one of `LUDOTHEQUE_ORIGINS`."""

    async def connect(scope: Scope, receive: Receive, send: Send) -> None:
        if is_same_origin(scope):
            await app(scope, receive, send)
        else:
            await receive()
            await refuse_websocket(scope, send, WRONG_ORIGIN, WRONG_ORIGIN_TEXT)

    return connect


def is_same_origin(scope: Scope) -> bool:
    origin = _header(scope, b"origin").lower()
    secure = settings.HTTPS or scope.get("scheme") == "wss"
    here = f"{'https' if secure else 'http'}://{_header(scope, b'host').lower()}"
    return _parts(origin) is not None and (_parts(origin) == _parts(here) or _is_trusted(origin))


def _is_trusted(origin: str) -> bool:
    """Whether the keeper trusts this origin, by itself or by a pattern such as https://*.example.org."""
    found = urlsplit(origin)
    for trusted in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS):
        same = is_same_domain(found.netloc, trusted.netloc.removeprefix("*"))
        if found.scheme == trusted.scheme and same:
            return True
    return False


def _parts(origin: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None if it is no origin."""
    try:
        found = urlsplit(origin)
        port = found.port or USUAL_PORTS[found.scheme]
    except (ValueError, KeyError):
        return None
    return (found.scheme, found.hostname, port) if found.hostname else None


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
