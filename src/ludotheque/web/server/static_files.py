"""Static files, served by ServeStatic before Django is asked: named by content, compressed once, cached for ever."""

from wsgiref.headers import Headers

from django.conf import settings
from django.core.files.base import ContentFile, File
from rjsmin import jsmin
from servestatic import ServeStaticASGI
from servestatic.storage import CompressedManifestStaticFilesStorage

from ludotheque.web.guard.headers import STATIC_FILE_HEADERS
from ludotheque.web.guard.rate_limits import limit_files
from ludotheque.web.guard.request_size import App, Receive, Scope, Send

OUR_FILES = "web/"


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # servestatic has no types
    support_js_module_import_aggregation = True  # our modules import each other by their real names

    def _save(self, name: str, content: "File[bytes]") -> str:
        """Our scripts go out without their comments, a third of them: types are for those who read the source."""
        if name.startswith(OUR_FILES) and name.endswith(".js"):
            content.seek(0)
            content = ContentFile(jsmin(content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved


def with_static_files(app: App) -> App:
    """The application with its static files in front of it."""
    files = ServeStaticASGI(app, settings.STATIC_ROOT, settings.STATIC_URL, add_headers_function=_add_headers)
    limited = limit_files(files)

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await (limited if scope["path"] in files.files else app)(scope, receive, send)

    return serve


def _add_headers(headers: Headers, _path: str, _url: str) -> None:
    for name, value in STATIC_FILE_HEADERS.items():
        headers[name] = value
