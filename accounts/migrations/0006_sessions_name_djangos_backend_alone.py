"""Sessions name the class that reads their user. It was one of our own; now it is Django's, and all logins go on."""

import importlib

from django.db import migrations

MOVED = "accounts.sessions.Backend"

earlier = importlib.import_module("accounts.migrations.0005_sessions_name_djangos_backend")


def rename_backend(apps, schema_editor):
    earlier.rename_backend(apps, schema_editor, moved=MOVED)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_sessions_name_djangos_backend")]

    operations = [migrations.RunPython(rename_backend, migrations.RunPython.noop)]
