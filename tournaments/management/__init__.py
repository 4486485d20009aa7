"""Commands of the tournaments."""

from __future__ import annotations
