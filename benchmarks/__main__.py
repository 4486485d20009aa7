"""``python -m benchmarks``: what recording a deal costs."""

from __future__ import annotations

from benchmarks.record_deal import main

main()
