from django.apps import AppConfig
from django.conf import settings


class Web(AppConfig):
    name = "ludotheque.web"
    label = "web"
    verbose_name = "Ludothèque"

    def ready(self) -> None:
        from ludotheque.web.guard import rate_limits  # noqa: PLC0415 - they need the models
        from ludotheque.web.players import turns  # noqa: PLC0415 - they need the models
        from ludotheque.web.table import actions  # noqa: PLC0415 - they need the models

        rate_limits.read(settings.LIMITS)  # what makes no sense is said at the start
        actions.listeners.append(turns.wake)
