"""Puzzles in the browser: attempts and their commands, progress, addresses, making them, hints, booklets."""
