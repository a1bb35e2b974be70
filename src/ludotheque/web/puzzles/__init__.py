"""Puzzles in the browser: attempts, progress, addresses, making them, help, booklets."""
