"""What games' pictures are made of: the contract, SVG elements, and the boards, pieces and trays that several share.

All lengths are SVG user units; a cell of the 7×7 board is 100 of them. Nothing here imports `output/` or a game's
picture.
"""
