"""What is computed about each kind of puzzle: one module a kind, under its stem, naming its record `ENGINE`."""
