"""New puzzles without end: of a wanted grade, the same for the same id, one of each kind a day."""
