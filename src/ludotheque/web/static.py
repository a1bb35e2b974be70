"""Static files: named by their content, compressed once, and served before Django is asked."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from django.conf import settings
from whitenoise import WhiteNoise
from whitenoise.storage import CompressedManifestStaticFilesStorage

Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
App: TypeAlias = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class Shelved(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    support_js_module_import_aggregation = True  # our modules import each other by their real names


def with_static(app: App) -> App:
    """The application with its static files in front of it."""
    files = WhiteNoise(None, settings.STATIC_ROOT, settings.STATIC_URL, immutable_file_test=r"\.[0-9a-f]{12}\.")

    async def serve(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        file = files.files.get(scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await app(scope, receive, send)
            return
        response = file.get_response(scope["method"], _environ(scope["headers"]))
        headers = [(name.lower().encode(), str(value).encode()) for name, value in response.headers]
        body = response.file.read() if response.file else b""
        if response.file:
            response.file.close()
        status = response.status.value
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return serve


def _environ(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """The request's headers as WhiteNoise expects them."""
    return {f"HTTP_{name.decode().upper().replace('-', '_')}": value.decode("latin-1") for name, value in headers}
