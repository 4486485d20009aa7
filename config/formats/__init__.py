"""Dates and times as the clubs write them, where Django's own formats differ."""

from __future__ import annotations
