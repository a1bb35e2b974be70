"""A table is its log of events: folding the log, caching the result, every command that changes it, its removal."""
