"""``manage.py compile_catalogues``: build the translations."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config import catalogues


class Command(BaseCommand):
    """Compile the message catalogues that have changed."""

    help = "Compiles the message catalogues that have changed; needs no system package."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="compile the unchanged ones too")

    def handle(self, *args: Any, **options: Any) -> None:
        folders = [Path(folder) for folder in settings.LOCALE_PATHS]
        if options["all"]:
            for source in sorted(
                po for folder in folders for po in folder.glob("*/LC_MESSAGES/*.po")
            ):
                source.with_suffix(".mo").unlink(missing_ok=True)
        for source in catalogues.compile_stale(folders):
            self.stdout.write(f"compiled {source.parent.parent.name}/{source.stem}")
