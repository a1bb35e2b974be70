from django.apps import AppConfig


class Web(AppConfig):
    name = "ludotheque.web"
    label = "web"
    verbose_name = "Ludothèque"
