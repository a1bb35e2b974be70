"""The addresses of the site, and the view behind each."""

from django.contrib import admin
from django.urls import path

from ludotheque.web.pages import (
    booklets,
    game,
    health,
    lesson,
    pictures,
    previews,
    puzzle,
    puzzles,
    replay,
    shelf,
    status,
    table,
)

urlpatterns = [
    path("", shelf.shelf, name="shelf"),
    path("preview.png", previews.site, name="house-preview"),
    path("games/<str:key>", game.game, name="game"),
    path("games/<str:key>/new", game.new_table, name="new"),
    path("games/<str:key>/picture.svg", pictures.sample, name="sample"),
    path("games/<str:key>/preview.png", previews.game, name="game-preview"),
    path("games/<str:key>/positions/<str:name>.svg", pictures.position, name="position"),
    path("games/<str:key>/lesson/<int:step>", lesson.lesson, name="lesson"),
    path("puzzles", puzzles.index, name="puzzles"),
    path("puzzles/booklet", booklets.index, name="booklets"),
    path("puzzles/booklet/<str:name>.pdf", booklets.file, name="booklet-file"),
    path("puzzles/booklet/<str:name>", booklets.booklet, name="booklet"),
    path("puzzles/picture/<str:key>/<path:rest>.svg", puzzle.picture, name="puzzle-picture"),
    path("puzzles/preview/<str:key>/<path:rest>.png", puzzle.preview, name="puzzle-preview"),
    path("puzzles/<str:key>", puzzles.kind_page, name="puzzle-kind"),
    path("puzzles/<str:key>/next", puzzles.following, name="next-puzzle"),
    path("puzzles/<str:key>/own", puzzles.own, name="own-puzzle"),
    path("puzzles/<str:key>/<path:rest>", puzzle.puzzle, name="puzzle"),
    path("about", shelf.about, name="about"),
    path("settings", shelf.settings, name="settings"),
    path("t/<str:table>", table.table, name="table"),
    path("t/<str:table>/do", table.command, name="do"),
    path("t/<str:table>/screen", table.screen, name="screen"),
    path("t/<str:table>/at/<int:step>", table.at, name="at"),
    path("t/<str:table>/hint", table.hint, name="hint"),
    path("t/<str:table>/ghost", table.ghost, name="ghost"),
    path("t/<str:table>/record", table.record, name="record"),
    path("t/<str:table>/link", table.link, name="link"),
    path("t/<str:table>/picture.svg", pictures.table, name="picture"),
    path("t/<str:table>/preview.png", previews.table, name="table-preview"),
    path("replay/<str:name>/preview.png", previews.replay, name="replay-preview"),
    path("replay", replay.bring, name="bring"),
    path("replay/<str:name>", replay.page, name="replay"),
    path("replay/<str:name>/at/<int:step>", replay.at, name="replay-at"),
    path("replay/<str:name>/progress", replay.progress, name="progress"),
    path("seat/<str:secret>", table.take_seat, name="seat"),
    path("pictures.<str:mark>.css", pictures.style, name="style"),
    path("health", health.health, name="health"),
    path("ready", health.ready, name="ready"),
    path("metrics", health.metrics_page, name="metrics"),
    path("status", status.status, name="status"),
    path("admin/", admin.site.urls),
]
handler400 = "ludotheque.web.pages.errors.bad_request"
handler403 = "ludotheque.web.pages.errors.permission_denied"
handler404 = "ludotheque.web.pages.errors.page_not_found"
handler500 = "ludotheque.web.pages.errors.server_error"
