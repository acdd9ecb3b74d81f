"""Sessions name the class that reads their user. It stood elsewhere, so its name goes, and nobody has to log in again."""

from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations

MOVED = "cardsite.accounts.sessions.Backend"
BACKEND = "django.contrib.auth.backends.ModelBackend"


def rename_backend(apps, schema_editor, moved=MOVED):
    store = SessionStore()
    for session in apps.get_model("sessions", "Session").objects.iterator(chunk_size=1000):
        data = store.decode(session.session_data)
        if data.get(BACKEND_SESSION_KEY) == moved:
            session.session_data = store.encode(data | {BACKEND_SESSION_KEY: BACKEND})
            session.save(update_fields=["session_data"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_shut_because"),
        ("sessions", "0001_initial"),
    ]

    operations = [migrations.RunPython(rename_backend, migrations.RunPython.noop)]
