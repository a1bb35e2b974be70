"""Puzzles solved as a person would: deductions one can follow, their effort, hints, mistakes, and the session."""
