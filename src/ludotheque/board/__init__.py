"""Geometry and nothing else: sets of cells as bits, square and hexagonal boards, shapes on them."""
