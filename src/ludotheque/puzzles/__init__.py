"""One module a kind of puzzle: its rules, `GAME`, and its record, `KIND`. `kinds.py` says what a kind is.

What is computed about a kind is in `engines/` under the same stem; it is made of `solving/` (exact solvers),
`human/` (deductions, hints, sessions) and `making/` (names and new puzzles). `studies/` are long counts.
"""
