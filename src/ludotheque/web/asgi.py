"""The ASGI application: pages, static files and live tables."""

import sys

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import path, re_path

pages = get_asgi_application()  # before anything that needs models

from ludotheque.web.guard.access import control_access  # noqa: E402
from ludotheque.web.guard.admission import admit  # noqa: E402
from ludotheque.web.guard.hosts import known_hosts, same_origin  # noqa: E402
from ludotheque.web.guard.plain_text import plain_text  # noqa: E402
from ludotheque.web.guard.rate_limits import limit_connections  # noqa: E402
from ludotheque.web.guard.request_size import limit_size  # noqa: E402
from ludotheque.web.live.connection import live as table_connection  # noqa: E402
from ludotheque.web.live.connection import no_such_address  # noqa: E402
from ludotheque.web.server import garbage  # noqa: E402
from ludotheque.web.server.static_files import with_static_files  # noqa: E402
from ludotheque.web.table.cache import has_seat  # noqa: E402

live = URLRouter(
    [
        path("live/<str:table>", table_connection),  # type: ignore[arg-type]  # an application, not a view
        re_path("", no_such_address),  # type: ignore[arg-type]
    ]
)
application = garbage.counted(
    control_access(
        ProtocolTypeRouter(
            {
                "http": known_hosts(limit_size(plain_text(with_static_files(admit(pages, has_seat))))),
                "websocket": known_hosts(plain_text(same_origin(limit_connections(live)))),
            }
        )
    )
)

garbage.collect_rarely()
sys.setswitchinterval(0.001)  # seconds: the thread that writes moves needs the interpreter soon, whoever renders
