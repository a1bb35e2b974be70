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
        from ludotheque.web.table import transaction  # noqa: PLC0415

        rate_limits.read(settings.LIMITS)  # a mistake in the settings is reported at the start
        transaction.listeners += [subscriptions.publish, turns.wake]
