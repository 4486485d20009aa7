"""Rankings of seasons: from what evenings gave to lines that explain themselves.

``methods`` says how a ranking counts; ``lines``, ``rating`` and ``season`` count, on values;
``facts`` and ``writing`` keep the rows; ``jobs`` and ``auditing`` count everything again.
"""

from __future__ import annotations
