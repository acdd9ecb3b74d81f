"""Groups of people who may do more than others. An admin puts people into them."""

from django.apps import AppConfig


def make_group(app: AppConfig, name: str, codename: str) -> None:
    """A group with one permission of an app, unless it is there already; call it after the app's migrations."""
    from django.contrib.auth.management import create_permissions
    from django.contrib.auth.models import Group, Permission

    create_permissions(app, verbosity=0)  # the app that would make them may come later
    group, is_new = Group.objects.get_or_create(name=name)
    if is_new:
        group.permissions.set(Permission.objects.filter(content_type__app_label=app.label, codename=codename))
