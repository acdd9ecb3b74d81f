import re

from django.db import migrations

BASE_FORMS = {
    "goes": "go",
    "has": "have",
    "is": "be",
    "reaches": "reach",
    "scores": "score",
    "wins": "win",
}
VERB = re.compile(rf"(@\d | and )({'|'.join(BASE_FORMS)})\b")


def mark_verbs(apps, schema_editor):
    """Marks the verbs of stored reasons, "@1 goes out and wins" as "@1 [go] out and [win]"."""
    Table = apps.get_model("games", "Table")
    changed = []
    for table in Table.objects.filter(result__isnull=False).only("result").iterator():
        reason = VERB.sub(lambda match: f"{match[1]}[{BASE_FORMS[match[2]]}]", table.result["reason"])
        if reason != table.result["reason"]:
            table.result["reason"] = reason
            changed.append(table)
    Table.objects.bulk_update(changed, ["result"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("games", "0026_hands_seen")]

    operations = [migrations.RunPython(mark_verbs, migrations.RunPython.noop)]
