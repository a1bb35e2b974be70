"""What the keeper watches: Prometheus metrics, who uses most, what takes disk and memory, and the JSON log."""
