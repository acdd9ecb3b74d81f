from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate

DIRECTORS = "Directors"


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        from tournaments import receivers  # noqa: F401

        post_migrate.connect(make_group_of_directors, sender=self)


def make_group_of_directors(sender: AppConfig, **kwargs: Any) -> None:
    """Whoever is in this group may plan events. An admin puts people into it."""
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission

    create_permissions(sender, verbosity=0)  # the app that would make them may come later
    group, is_new = Group.objects.get_or_create(name=DIRECTORS)
    if is_new:
        group.permissions.set(Permission.objects.filter(content_type__app_label=sender.label, codename="add_event"))
