from django.apps import AppConfig


class Web(AppConfig):
    name = "ludotheque.web"
    label = "web"
    verbose_name = "Ludothèque"

    def ready(self) -> None:
        from ludotheque.web import actions, thinking  # noqa: PLC0415 - they need the models

        actions.listeners.append(thinking.wake)
