from django.apps import AppConfig


class NoticesConfig(AppConfig):
    name = "cardsite.notices"
    label = "notices"

    def ready(self) -> None:
        from cardsite.notices import receivers  # noqa: F401
