"""``python -m rules_engine``."""

from __future__ import annotations

import sys

from rules_engine.shell import main

sys.exit(main())
