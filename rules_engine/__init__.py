"""The games themselves: rules, scores and records, with the standard library only.

A game is imported by its front door::

    from rules_engine import tarot
"""

from __future__ import annotations
