"""Where the site's files are collected: each is named by its bytes, and kept for good."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class NamedByBytes(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Name each file by its bytes, in what scripts import from one another, too."""

    support_js_module_import_aggregation = True
