"""The ASGI application: pages, static files and live tables."""

import sys

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import path

pages = get_asgi_application()  # before anything that needs models

from ludotheque.web.guard.rate_limits import limit_connections  # noqa: E402
from ludotheque.web.guard.request_size import limit_size  # noqa: E402
from ludotheque.web.live.connection import live as table_connection  # noqa: E402
from ludotheque.web.server import garbage  # noqa: E402
from ludotheque.web.server.static_files import with_static_files  # noqa: E402

live = URLRouter([path("live/<str:table>", table_connection)])  # type: ignore[arg-type]  # an application, not a view
application = garbage.counted(
    ProtocolTypeRouter(
        {
            "http": limit_size(with_static_files(pages)),
            "websocket": AllowedHostsOriginValidator(limit_connections(live)),
        }
    )
)

garbage.collect_rarely()
sys.setswitchinterval(0.001)  # seconds: the thread that writes moves needs the interpreter soon, whoever renders
