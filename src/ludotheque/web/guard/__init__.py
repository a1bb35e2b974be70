"""What protects the site: blocks, origins, plain text, size and rate limits, turns under load, full disk, log-ins."""
