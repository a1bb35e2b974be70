"""What learners observe of each game: one module a game, of the stem of its rules, each with a `layout`."""
