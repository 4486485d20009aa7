"""``manage.py gather_messages``: bring the catalogues up to date with the sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config import messages


class Command(BaseCommand):
    """Write every sentence of the sources into the catalogues of all languages."""

    help = "Brings the catalogues up to date with the sources; needs no system package."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        sentences = messages.gather(Path(settings.BASE_DIR))
        for folder in settings.LOCALE_PATHS:
            for source in sorted(Path(folder).glob("*/LC_MESSAGES/*.po")):
                messages.update(source, sentences)
                missing = sum(1 for _ in messages.untranslated(messages.read(source), sentences))
                self.stdout.write(
                    f"{source.parent.parent.name}: {len(sentences)} sentences, "
                    f"{missing} without a translation"
                )
