"""Computer players and solvers, run as machine code."""
