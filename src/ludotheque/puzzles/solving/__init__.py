"""Exact solvers, compiled: the first solution of a puzzle, all of them, how many, whether there is just one."""
