"""Connects the rooms when Django starts: who listens to whom, where a room may not import another."""

from django.apps import AppConfig
from django.conf import settings


class Web(AppConfig):
    """Connects the rooms: after every commit, pages are told and computer players are asked."""

    name = "ludotheque.web"
    label = "web"
    verbose_name = "Ludothèque"

    def ready(self) -> None:
        from ludotheque.web.guard import rate_limits  # noqa: PLC0415 - they need the models
        from ludotheque.web.live import subscriptions  # noqa: PLC0415
        from ludotheque.web.players import turns  # noqa: PLC0415
        from ludotheque.web.server import retention  # noqa: PLC0415
        from ludotheque.web.table import cache, removal, transaction  # noqa: PLC0415

        rate_limits.read(settings.LIMITS)  # mistakes in the settings are reported at the start
        retention.read(settings.RETENTION)
        transaction.listeners += [subscriptions.publish, turns.wake]
        removal.listeners += [cache.forget, subscriptions.forget, _forget_what_was_made]


def _forget_what_was_made(_names: set[str]) -> None:
    """Drop pictures, lists and analyses of all matches: one of them was deleted, which is rare."""
    from ludotheque.web.jobs import drawings  # noqa: PLC0415 - the games, which commands do without
    from ludotheque.web.pages import replay  # noqa: PLC0415
    from ludotheque.web.replays import details  # noqa: PLC0415
    from ludotheque.web.screen import fragments  # noqa: PLC0415

    for forget in (drawings.clear, details.clear, replay.clear, fragments.clear):
        forget()
