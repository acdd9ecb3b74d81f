from django.db import migrations, models
from django.db.models import Q

from games import engines
from tournaments import formats


def has_pairs(event):
    """As `EventSettings.has_pairs`. An event whose settings this version cannot read keeps its entries as they are."""
    try:
        if formats.make_format(event.format, event.format_options).sides != (2,):
            return False
        rules = engines.get(event.game)
        return len(rules.sides(rules.read_options(event.options, event.seats), event.seats)[0]) == 2
    except (LookupError, TypeError, ValueError):
        return True


def mark_pairs(apps, schema_editor):
    """Marks the entries of events for pairs, and takes partners and invitations out of all others."""
    Event, Entry = apps.get_model("tournaments", "Event"), apps.get_model("tournaments", "Entry")
    for event in Event.objects.iterator():
        entries = Entry.objects.filter(event_id=event.pk)
        if has_pairs(event):
            entries.update(is_pair=True)
            continue
        for entry in entries.exclude(partner=None).select_related("user", "partner"):
            take_partner_out(apps, entry)
        entries.exclude(invited=None).update(invited=None)
    schema_editor.connection.check_constraints()  # PostgreSQL alters no table whose rows still wait for their checks


def take_partner_out(apps, entry):
    EventLog, Badge = apps.get_model("tournaments", "EventLog"), apps.get_model("tournaments", "Badge")
    what = f"{name(entry.partner)} is no longer the partner of {name(entry.user)}: everyone plays alone in this event."
    EventLog.objects.create(event_id=entry.event_id, what=what[:200])
    Badge.objects.filter(event_id=entry.event_id, user_id=entry.partner_id).delete()
    entry.partner = None
    entry.save(update_fields=["partner"])


def name(user):
    """As `User.display_name`."""
    if user.is_former:
        return "a former player"
    return user.first_name if user.is_bot else user.username


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_former_players"),
        ("tournaments", "0013_events_of_tables"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="is_pair",
            field=models.BooleanField(default=False),
        ),
        migrations.RunPython(mark_pairs, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=Q(is_pair=True) | Q(partner=None, invited=None), name="only_pairs_have_partners"
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="set_aside_because",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="event",
            name="cannot_go_on_because",
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
    ]
