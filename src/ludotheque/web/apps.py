from django.apps import AppConfig
from django.conf import settings


class Web(AppConfig):
    name = "ludotheque.web"
    label = "web"
    verbose_name = "Ludothèque"

    def ready(self) -> None:
        from ludotheque.web import actions, limits, thinking  # noqa: PLC0415 - they need the models

        limits.read(settings.LIMITS)  # what makes no sense is said at the start
        actions.listeners.append(thinking.wake)
