"""A table is its log of events: folding the log, caching the result, and every command that changes it."""
