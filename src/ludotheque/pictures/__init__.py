"""Positions to be seen: as SVG for pages, as coloured text for terminals. One module a game, named like its rules."""
