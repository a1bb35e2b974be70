"""Computer players at tables: whose turn it is, what they are asked, hints, and compiling ahead of time."""
