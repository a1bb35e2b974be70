"""One module a puzzle: its rules, its generator, its grading. Each names its record of functions `GAME`."""
