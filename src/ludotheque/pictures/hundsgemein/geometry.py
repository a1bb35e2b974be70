"""Where blocks and streets are on the picture of Hundsgemein."""

from ludotheque.board.square import SIDE

SIZE = (1000, 1236)
LEFT, TOP = 64, 136  # the corner of the first block
BLOCK_SIZE, STREET_WIDTH = 86, 34
STRIDE = BLOCK_SIZE + STREET_WIDTH  # from one block to the next
DISTRICT_SIZE = SIDE * STRIDE - STREET_WIDTH
FRAME_WIDTH = 14  # around the district
DOGS_X, DOGS_Y = 938, 62  # of the streets across, of the streets that run up
TRAYS_LEFT, TRAYS_TOP, TRAY_HEIGHT = 10, 1026, 198
BUTTON_SIZE = 93
GAP = 12  # between trays and buttons
CORNER_RADIUS = 18
UP_STREETS = range(6, 12)  # the numbers of the streets that run up


def corner(cell: int) -> tuple[int, int]:
    """The upper left corner of a block."""
    file, rank = divmod(cell, SIDE)
    return LEFT + file * STRIDE, TOP + (SIDE - 1 - rank) * STRIDE


def middle(cell: int) -> tuple[int, int]:
    x, y = corner(cell)
    return x + BLOCK_SIZE // 2, y + BLOCK_SIZE // 2


def street_position(street: int) -> int:
    """How far down a street across runs, or how far right one that runs up."""
    if street in UP_STREETS:
        return LEFT + (street - UP_STREETS.start + 1) * STRIDE - STREET_WIDTH // 2
    return TOP + (SIDE - 1 - street) * STRIDE - STREET_WIDTH // 2


def dog_place(street: int) -> tuple[int, int]:
    """Where the dog of a street stands."""
    return (street_position(street), DOGS_Y) if street in UP_STREETS else (DOGS_X, street_position(street))
