"""Static files: named by their content, compressed once, and served before Django is asked."""

from wsgiref.headers import Headers

from django.conf import settings
from whitenoise import WhiteNoise
from whitenoise.storage import CompressedManifestStaticFilesStorage

from ludotheque.web.guard.headers import STATIC_FILE_HEADERS
from ludotheque.web.guard.rate_limits import limit_files
from ludotheque.web.guard.request_size import App, Receive, Scope, Send


class Shelved(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    support_js_module_import_aggregation = True  # our modules import each other by their real names


def with_static(app: App) -> App:
    """The application with its static files in front of it."""
    files = WhiteNoise(
        None,
        settings.STATIC_ROOT,
        settings.STATIC_URL,
        immutable_file_test=r"\.[0-9a-f]{12}\.",
        add_headers_function=_guard,
    )

    async def give(scope: Scope, _receive: Receive, send: Send) -> None:
        file = files.files[scope["path"]]
        response = file.get_response(scope["method"], _environ(scope["headers"]))
        headers = [(name.lower().encode(), str(value).encode()) for name, value in response.headers]
        body = response.file.read() if response.file else b""
        if response.file:
            response.file.close()
        status = response.status.value
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    counted = limit_files(give)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await (counted if scope["path"] in files.files else app)(scope, receive, send)

    return serve


def _guard(headers: Headers, _path: str, _url: str) -> None:
    for name, value in STATIC_FILE_HEADERS.items():
        headers[name] = value


def _environ(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """The request's headers as WhiteNoise expects them."""
    return {f"HTTP_{name.decode().upper().replace('-', '_')}": value.decode("latin-1") for name, value in headers}
