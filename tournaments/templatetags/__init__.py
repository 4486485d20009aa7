"""Tags of pages that phones open."""
