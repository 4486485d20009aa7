"""Who was put together with whom was told by the journal alone; now the player knows it."""

from django.db import migrations


def read_from_the_journal(apps, schema_editor):
    """Follow the lines in their order: whom a guest was put together with may have been one too."""
    Player = apps.get_model("clubs", "Player")
    lines = apps.get_model("tournaments", "JournalLine").objects.filter(kind="merged")
    leads_to: dict[int, int] = {}
    for details in lines.order_by("pk").values_list("details", flat=True).iterator():
        guest, into = details["players"]
        leads_to |= {one: into for one, now in leads_to.items() if now == guest} | {guest: into}
    clubs = dict(
        Player.objects.filter(pk__in={*leads_to, *leads_to.values()}).values_list("pk", "club")
    )
    for guest, into in leads_to.items():
        if guest != into and guest in clubs and clubs[guest] == clubs.get(into):
            # Who was taken back since is somebody else.
            Player.objects.filter(pk=guest, archived_at__isnull=False).update(
                put_together_with=into
            )


def leave_to_the_journal(apps, schema_editor):
    """The journal still tells it: the column may go."""
    apps.get_model("clubs", "Player").objects.update(put_together_with=None)


class Migration(migrations.Migration):

    dependencies = [
        ("clubs", "0002_put_together_with"),
        ("tournaments", "0001_initial"),
    ]

    operations = [migrations.RunPython(read_from_the_journal, leave_to_the_journal)]
