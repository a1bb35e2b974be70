"""The district of Hundsgemein: streets, blocks with their roofs, and the names beside them."""

from functools import cache

from ludotheque.board.square import CELLS, NAMES, SIDE, at
from ludotheque.games.hundsgemein.state import CENTRE, STREETS
from ludotheque.pictures.hundsgemein.animals import copy
from ludotheque.pictures.hundsgemein.geometry import (
    BLOCK_SIZE,
    CORNER_RADIUS,
    DISTRICT_SIZE,
    FRAME_WIDTH,
    LEFT,
    STREET_WIDTH,
    STRIDE,
    TOP,
    UP_STREETS,
    corner,
    dog_place,
    middle,
    street_position,
)
from ludotheque.pictures.kit.svg import group, moved, path, rect, text_at, title

# The roofs of four kinds of blocks, seen from above.
ROOF_PATHS = (
    "M10 10h66v66h-66ZM30 30v26h26v-26ZM10 43h20M56 43h20M43 10v20M43 56v20",
    "M10 10h30v30h-30ZM46 10h30v66h-30ZM10 46h30v30h-30ZM10 25h30M61 10v66M10 61h30",
    "M10 10h66v28h-66ZM10 48h28v28h-28ZM10 24h66M43 10v28M24 48v28M57 62a10 10 0 1 1 .1 0M71 73a7 7 0 1 1 .1 0",
    "M10 10h28v66h-28ZM48 48h28v28h-28ZM24 10v66M48 62h28M57 30a11 11 0 1 1 .1 0M73 41a6 6 0 1 1 .1 0",
)
ROOF_PLAN = (0, 3, 1, 2, 0, 1, 3)  # which of them, down a file
BONE_PATH = "M-23-5A8 8 0 1 0-32 0A8 8 0 1 0-23 5H23A8 8 0 1 0 32 0A8 8 0 1 0 23-5Z"


@cache
def district() -> str:
    """The streets, the blocks and their names."""
    frame = rect(
        LEFT - FRAME_WIDTH,
        TOP - FRAME_WIDTH,
        DISTRICT_SIZE + 2 * FRAME_WIDTH,
        DISTRICT_SIZE + 2 * FRAME_WIDTH,
        class_="board",
        rx=CORNER_RADIUS,
    )
    ground = rect(LEFT, TOP, DISTRICT_SIZE, DISTRICT_SIZE, class_="hundsgemein-road", rx=12)
    roads = [_road(street) for street in range(len(STREETS))]
    blocks = group((_ground_of(cell) for cell in range(CELLS) if cell != CENTRE), class_="hundsgemein-block")
    roofs = [_roofs(file) for file in range(SIDE)]
    return "".join([frame, ground, *roads, blocks, *roofs, _centre(), _coordinates()])


def roof_definition() -> str:
    """The roofs of a file of blocks, to be copied for each file."""
    roofs = (path(ROOF_PATHS[kind], transform=moved(0, STRIDE * number)) for number, kind in enumerate(ROOF_PLAN))
    return group(roofs, id="hund-roofs", class_="hundsgemein-roof")


def _road(street: int) -> str:
    x, y = dog_place(street)
    if street in UP_STREETS:
        return rect(
            x - STREET_WIDTH / 2, y, STREET_WIDTH, TOP + DISTRICT_SIZE + FRAME_WIDTH - y, class_="hundsgemein-road"
        )
    return rect(
        LEFT - FRAME_WIDTH, y - STREET_WIDTH / 2, x - LEFT + FRAME_WIDTH, STREET_WIDTH, class_="hundsgemein-road"
    )


def _ground_of(cell: int) -> str:
    name = NAMES[cell]
    return rect(*corner(cell), BLOCK_SIZE, BLOCK_SIZE, title(name), id=f"block-{name}", rx=12)


def _roofs(file: int) -> str:
    """The roofs of a file of blocks; every other file upside down."""
    x, y = corner(at(file, SIDE - 1))
    return copy("roofs", transform=f"{moved(x, y + DISTRICT_SIZE)} scale(1 -1)" if file % 2 else moved(x, y))


def _centre() -> str:
    """The block where no flea may go, with crossed bones."""
    said, name = title(f"{NAMES[CENTRE]}: crossed bones"), f"block-{NAMES[CENTRE]}"
    ground = rect(*corner(CENTRE), BLOCK_SIZE, BLOCK_SIZE, said, id=name, class_="hundsgemein-park", rx=12)
    bones = [path(BONE_PATH, class_="hundsgemein-bone", transform=f"rotate({turn})") for turn in (-40, 40)]
    return ground + group(bones, class_="hundsgemein-still", transform=moved(*middle(CENTRE)))


def _coordinates() -> str:
    low = TOP + DISTRICT_SIZE + FRAME_WIDTH + 24
    marks = [text_at(middle(at(file, 0))[0], low, "abcdefg"[file], class_="label") for file in range(SIDE)]
    marks += [text_at(24, middle(at(0, rank))[1], str(rank + 1), class_="label") for rank in range(SIDE)]
    for street, name in enumerate(STREETS):
        place = (street_position(street), low) if street in UP_STREETS else (24, street_position(street))
        marks.append(text_at(*place, name, class_="hundsgemein-name"))
    return group(marks, class_="coordinates")
