"""Positions as SVG for pages and as coloured text for terminals.

- `STEM.py` (or a package `STEM/`): the picture of one game, with the same stem as its rules; see `kit/picture.py`.
- `kit/`: what those modules draw with: the contract, SVG elements, boards, pieces, trays.
- `output/`: what programs call: render a match, find a game's picture, PNG, film, booklet, diagrams.

Nothing else belongs here, so that a game may have any key but `kit` and `output`.
"""
