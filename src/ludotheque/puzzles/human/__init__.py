"""Puzzles solved as a person would: deductions one can follow, the grades they make, and the hints they give."""
