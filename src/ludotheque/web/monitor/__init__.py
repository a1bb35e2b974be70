"""What the keeper watches: Prometheus metrics and the JSON log."""
