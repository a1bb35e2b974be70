"""One module a game: its rules, nothing else. Each names its record of functions `GAME`."""
