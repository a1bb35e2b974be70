"""The buttons beside the trays of Hundsgemein: throwing fleas away, objecting, accepting."""

from functools import cache

from ludotheque.games.hundsgemein.state import DROP_0, KINDS, PAIR_0, PAIRS, PLAY, TABLE, WAIT, State, open_fleas
from ludotheque.pictures.hundsgemein.animals import copy
from ludotheque.pictures.hundsgemein.geometry import BUTTON_SIZE, CORNER_RADIUS, GAP, SIZE, TRAYS_LEFT, TRAYS_TOP
from ludotheque.pictures.kit.svg import group, moved, path, rect, text_at, title

BIN_PATH = "M-20-14L-15 27H15L20-14ZM-7-5L-5 18M7-5L5 18M-25-14H25M-8-14V-21H8V-14"
BUBBLE_PATH = "M-30-26H30Q36-26 36-20V8Q36 14 30 14H2L-16 32V14H-30Q-36 14-36 8V-20Q-36-26-30-26Z"
CHECK_PATH = "M-24 2L-8 18L25-18"
BUTTONS = {  # what each button says and shows
    "bin": ("throw one away", (path(BIN_PATH, class_="hundsgemein-icon"),)),
    "both": (
        "throw both away",
        (
            path(BIN_PATH, class_="hundsgemein-icon", transform="translate(-20 2) scale(.72)"),
            text_at(22, 10, "×2", class_="hundsgemein-twice"),
        ),
    ),
    "object": (
        "object",
        (path(BUBBLE_PATH, class_="hundsgemein-bubble"), text_at(0, -5, "!", class_="hundsgemein-outcry")),
    ),
    "accept": ("accept", (path(CHECK_PATH, class_="hundsgemein-check"),)),
}


def button_names(state: State) -> list[str]:
    """What can be touched beside fleas and blocks; talk only with the referee at the table, and when it matters."""
    found = ["bin", "both"]
    found += ["object"] if state.objectors else []
    return [*found, "accept"] if state.phase == WAIT else found


def button(state: State, name: str) -> str:
    fleas = len(open_fleas(state, state.turn)) if state.phase == PLAY else 0
    return _drawn_button(name, bool(state.options & TABLE), fleas < {"bin": 1, "both": 2}.get(name, 0))


@cache
def _drawn_button(name: str, table: bool, idle: bool) -> str:
    said, parts = BUTTONS[name]
    left, size = -BUTTON_SIZE / 2, BUTTON_SIZE
    ground = rect(left, left, size, size, title(said), class_="hundsgemein-key", rx=CORNER_RADIUS)
    look = "key hundsgemein-idle" if idle else "key"
    return group([ground, *parts], id=name, class_=look, transform=moved(*button_place(name, table)))


def button_place(name: str, table: bool) -> tuple[float, float]:
    """The middle of a button; with the referee at the `table` there are two columns."""
    columns = (("bin", "both"), ("object", "accept")) if table else (("bin", "both"),)
    column = next(number for number, names in enumerate(columns) if name in names)
    right = SIZE[0] - TRAYS_LEFT - BUTTON_SIZE / 2 - (len(columns) - 1 - column) * (BUTTON_SIZE + GAP)
    return right, TRAYS_TOP + BUTTON_SIZE / 2 + columns[column].index(name) * (BUTTON_SIZE + GAP)


def thrown(state: State, move: int) -> str:
    """Fleas over the button that throws them away."""
    kinds = [move - DROP_0] if move < PAIR_0 else PAIRS[move - PAIR_0]
    x, y = button_place("bin" if move < PAIR_0 else "both", bool(state.options & TABLE))
    places = [x] if len(kinds) == 1 else [x - 22, x + 22]
    return "".join(
        copy(KINDS[kind], transform=f"{moved(place, y - 16)} scale(.6)")
        for kind, place in zip(kinds, places, strict=True)
    )
