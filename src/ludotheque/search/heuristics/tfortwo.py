"""T. for Two: the mushrooms' points are all that counts, for one side to gain and the other to spoil."""

from ludotheque.search.heuristics import Manner

MANNER = Manner(points=0.4, scale=15.0, par=20.0)
