"""The application as a server runs it: pages, static files and live tables."""

import sys

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import path

pages = get_asgi_application()  # before anything that needs models

from ludotheque.web.guard.rate_limits import limit_connections  # noqa: E402
from ludotheque.web.guard.request_size import sized  # noqa: E402
from ludotheque.web.live.connection import live as talk  # noqa: E402
from ludotheque.web.server import garbage  # noqa: E402
from ludotheque.web.server.static_files import with_static  # noqa: E402

live = URLRouter([path("live/<str:table>", talk)])  # type: ignore[arg-type]  # an application, not a view
application = ProtocolTypeRouter(
    {
        "http": sized(with_static(pages)),
        "websocket": AllowedHostsOriginValidator(limit_connections(live)),
    }
)

garbage.look_rarely()
sys.setswitchinterval(0.001)  # who writes moves down takes turns with who draws them, and must not wait long
