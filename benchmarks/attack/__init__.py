"""Attacks on a running site from one address, each for a bounded time, and what others feel of them.

`tests/adversary` runs them for seconds, `scripts/benchmark adversary` for longer. An attack is a function of the port
and of the time at which it ends; `ATTACKS` has them by name. All of 127.0.0.0/8 is this machine, so that the attacker
has an address of his own.
"""
