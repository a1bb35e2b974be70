"""The application as a server runs it: pages, static files and live tables."""

import sys

from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application
from django.urls import path

pages = get_asgi_application()  # before anything that needs models

from ludotheque.web import waste  # noqa: E402
from ludotheque.web.consumers import live as talk  # noqa: E402
from ludotheque.web.entrance import sized  # noqa: E402
from ludotheque.web.limits import counted_sockets  # noqa: E402
from ludotheque.web.static import with_static_files  # noqa: E402

live = URLRouter([path("live/<str:table>", talk)])  # type: ignore[arg-type]  # an application, not a view
application = waste.counted(
    ProtocolTypeRouter(
        {
            "http": sized(with_static_files(pages)),
            "websocket": AllowedHostsOriginValidator(counted_sockets(live)),
        }
    )
)

waste.collect_rarely()
sys.setswitchinterval(0.001)  # seconds: the thread that writes moves needs the interpreter soon, whoever renders
