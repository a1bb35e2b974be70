"""Hepta: what counts is the number of pieces laid, over all legs; so it is a fight for room."""

from ludotheque.search.heuristics import Manner

MANNER = Manner(points=0.3, scale=4.0)
