"""The composition root: settings, addresses, the job queue and the commands that start it all."""

from __future__ import annotations

from config.celery import app as celery_app

__all__ = ["celery_app"]
