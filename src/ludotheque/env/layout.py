"""What is in an observation, and where: boards first, then numbers, all from 0 to 1.

A layout is drafted from the names of a state's fields, by a module of `layouts/` with the stem of the game's rules. A
game without one is observed bit by bit, so that nothing is lost. In every layout boards and numbers that belong to
seats are in the order of play from the observing seat: its own first.

What every game's observation also has comes from the contract: which role in the rules the seat has, who is to act,
the points, and the leg of a series.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ludotheque.board import square
from ludotheque.board.bits import lowest
from ludotheque.env.packing import Longs, flat
from ludotheque.game import AnyGame
from ludotheque.options import Value

Floats: TypeAlias = NDArray[np.float32]

WORD_BITS = 64
ROLES = 4  # of any game
ALL_BITS = -1
EXACTLY = 0.0  # as the scale of a figure: 1 if it has the value, else 0
ROLE, ACTING, LEG, POINTS = range(4)  # words that stand before those of the state; points take one for each role
STATE = POINTS + ROLES


class Grid(NamedTuple):
    """A board as an image: where in its rows, one after another, each cell lies."""

    height: int
    width: int
    places: tuple[int, ...]


SQUARE = Grid(square.SIDE, square.SIDE, tuple(range(square.CELLS)))
NO_BOARD = Grid(0, 0, ())


class Plane(NamedTuple):
    """A board: for each role the word that it shows, as a set of cells or as the number of one cell."""

    words: tuple[int, ...]
    spot: bool


class Figure(NamedTuple):
    """A number: for each role the word, the place of its lowest bit in it, and the value that it is compared with."""

    words: tuple[int, ...]
    shifts: tuple[int, ...]
    values: tuple[int, ...]
    mask: int = ALL_BITS
    modulo: int = 0  # what is compared is the remainder, if not 0
    scale: float = EXACTLY


class Part(NamedTuple):
    """What some values of an observation are, for people: the first of them and how many."""

    name: str
    first: int
    size: int
    meaning: str


class Tables(NamedTuple):
    """A layout for compiled code: planes by role, and whether they are spots; figures likewise."""

    area: int
    places: Longs
    planes: Longs
    spots: Longs
    words: Longs
    shifts: Longs
    values: Longs
    masks: Longs
    modulos: Longs
    scales: Floats


class Layout(NamedTuple):
    """A finished layout: the shape of the boards, how many values there are, and what each is."""

    boards: tuple[int, int, int]
    size: int
    parts: tuple[Part, ...]
    tables: Tables


class Draft:
    """A layout being written, by naming fields of the state; a number after a name takes one word of a tuple."""

    def __init__(self, start: tuple[object, ...], seats: int, legs: int) -> None:
        self.grid = NO_BOARD
        self.points = 0
        """The most points that a seat can have in a leg; with 0 they are left out."""
        self.seats, self.legs = seats, legs
        self._words = _fields(start)
        self._planes: list[tuple[str, Plane]] = []
        self._figures: list[tuple[str, str, list[Figure]]] = []

    def boards(self, *names: str) -> None:
        """Sets of cells, a board for each word."""
        for name in names:
            for number, word in enumerate(self._words[name]):
                title = f"{name} {number}" if len(self._words[name]) > 1 else name
                self._planes.append((title, Plane(self._same(word), spot=False)))

    def boards_by_seat(self, name: str, others: int = 0) -> None:
        """A tuple of sets of cells by role; after the roles that are played, so many others that nobody plays."""
        for number, words in enumerate(self._by_seat(name, others)):
            self._planes.append((f"{name} {number}", Plane(words, spot=False)))

    def spot(self, name: str) -> None:
        """The number of a cell, or NOBODY, as a board."""
        (word,) = self._words[name]
        self._planes.append((name, Plane(self._same(word), spot=True)))

    def number(self, name: str, most: int) -> None:
        """A number from 0 to the most it can be."""
        (word,) = self._words[name]
        self._add(name, f"a share of {most}", [self._figure(self._same(word), scale=1 / most)])

    def numbers_by_seat(self, name: str, most: int) -> None:
        """A tuple of numbers by role."""
        self._add(
            name,
            f"for each seat, own first: a share of {most}",
            [self._figure(words, scale=1 / most) for words in self._by_seat(name)],
        )

    def one_of(self, name: str, values: Sequence[str]) -> None:
        """A number from 0 that stands for one of several things: 1 in its place."""
        (word,) = self._words[name]
        figures = [self._figure(self._same(word), values=self._same(value)) for value in range(len(values))]
        self._add(name, f"one of {', '.join(values)}", figures)

    def one_of_by_seat(self, name: str, values: Sequence[str], others: int = 0) -> None:
        """A tuple of such numbers by role, and so many that belong to nobody."""
        for number, words in enumerate(self._by_seat(name, others)):
            figures = [self._figure(words, values=self._same(value)) for value in range(len(values))]
            self._add(f"{name} {number}", f"one of {', '.join(values)}", figures)

    def remainder(self, name: str, modulo: int) -> None:
        """What is left of a number divided by another."""
        (word,) = self._words[name]
        figures = [self._figure(self._same(word), self._same(left), modulo=modulo) for left in range(modulo)]
        self._add(f"{name} modulo {modulo}", f"one of 0 to {modulo - 1}", figures)

    def seat(self, name: str) -> None:
        """A role, or NOBODY: 1 in the place of the seat, own first."""
        (word,) = self._words[name]
        self._add(
            name,
            "one of the seats, own first",
            [self._figure(self._same(word), values=values) for values in self._around()],
        )

    def seat_set(self, name: str) -> None:
        """A set of roles: 1 in the place of each seat, own first."""
        (word,) = self._words[name]
        self._add(name, "each of the seats, own first", self._members(word))

    def flags(self, name: str, number: int) -> None:
        """Single bits of each word, from the lowest."""
        for place, word in enumerate(self._words[name]):
            title = f"{name} {place}" if len(self._words[name]) > 1 else name
            self._add(title, "each of the bits", self._bits(self._same(word), number))

    def flags_by_seat(self, name: str, number: int) -> None:
        """Single bits of each word of a tuple by role."""
        for place, words in enumerate(self._by_seat(name)):
            self._add(f"{name} {place}", "each of the bits", self._bits(words, number))

    def counters(self, name: str, bits: int, number: int, most: int) -> None:
        """So many counters of so many bits each in a word."""
        (word,) = self._words[name]
        shifts = [self._same(bits * place) for place in range(number)]
        self._add(name, f"each a share of {most}", [self._counter(word, each, bits, most) for each in shifts])

    def counters_by_seat(self, name: str, bits: int, number: int, most: int) -> None:
        """So many counters in a word for each role, one role after another."""
        (word,) = self._words[name]
        shifts = [
            tuple(bits * (number * role + place) for role in roles)
            for roles in self._around()
            for place in range(number)
        ]
        self._add(
            name,
            f"{number} for each seat, own first: a share of {most}",
            [self._counter(word, each, bits, most) for each in shifts],
        )

    def choices(self, name: str, bits: int, number: int, values: Sequence[str]) -> None:
        """So many counters in a word, each of which stands for one of several things."""
        (word,) = self._words[name]
        for place in range(number):
            shifts, mask = self._same(bits * place), (1 << bits) - 1
            figures = [
                Figure(self._same(word), shifts, self._same(value), mask) for value in range(1, len(values) + 1)
            ]
            self._add(f"{name} {place}", f"one of {', '.join(values)}, or none", figures)

    def finished(self) -> Layout:
        """The layout, what the contract knows included."""
        figures = [*self._contract(), *self._figures]
        area = self.grid.height * self.grid.width
        parts = [
            Part(name, number * area, area, "a cell" if plane.spot else "cells")
            for number, (name, plane) in enumerate(self._planes)
        ]
        size = area * len(parts)
        for name, meaning, group in figures:
            parts.append(Part(name, size, len(group), meaning))
            size += len(group)
        planes, flat_figures = (
            [plane for _, plane in self._planes],
            [each for _, _, group in figures for each in group],
        )
        boards = (len(planes), self.grid.height, self.grid.width)
        return Layout(boards, size, tuple(parts), _tables(self.grid, self.seats, planes, flat_figures))

    def _contract(self) -> list[tuple[str, str, list[Figure]]]:
        found = [
            (
                "role",
                "one of the roles in the rules",
                [self._figure(self._same(ROLE), values=self._same(role)) for role in range(self.seats)],
            ),
            ("to act", "each of the seats, own first", self._members(ACTING)),
        ]
        if self.points:
            most = self.points * self.legs
            figures = [
                self._figure(tuple(POINTS + role for role in roles), scale=1 / most) for roles in self._around()
            ]
            found.append(("points", f"for each seat, own first: a share of {most}", figures))
        if self.legs > 1:
            figures = [self._figure(self._same(LEG), scale=1 / (self.legs - 1))]
            found.append(("leg", f"from 0, a share of {self.legs - 1}", figures))
        return found

    def _around(self) -> list[tuple[int, ...]]:
        """For each place in the order of play from a seat: the role there, by the seat's own."""
        return [tuple((role + place) % self.seats for role in range(self.seats)) for place in range(self.seats)]

    def _by_seat(self, name: str, others: int = 0) -> list[tuple[int, ...]]:
        """The words of a tuple, own first, by the own role; then those of so many roles that nobody plays."""
        words = self._words[name]
        own = [tuple(words[role] for role in roles) for roles in self._around()]
        return [*own, *(self._same(word) for word in words[self.seats : self.seats + others])]

    def _members(self, word: int) -> list[Figure]:
        return [Figure(self._same(word), roles, self._same(1), mask=1) for roles in self._around()]

    def _bits(self, words: tuple[int, ...], number: int) -> list[Figure]:
        return [Figure(words, self._same(bit), self._same(1), mask=1) for bit in range(number)]

    def _counter(self, word: int, shifts: tuple[int, ...], bits: int, most: int) -> Figure:
        return Figure(self._same(word), shifts, self._same(0), (1 << bits) - 1, scale=1 / most)

    def _figure(
        self, words: tuple[int, ...], values: tuple[int, ...] | None = None, modulo: int = 0, scale: float = EXACTLY
    ) -> Figure:
        return Figure(words, self._same(0), values or self._same(0), modulo=modulo, scale=scale)

    def _same(self, number: int) -> tuple[int, ...]:
        """The same for every role."""
        return (number,) * self.seats

    def _add(self, name: str, meaning: str, figures: list[Figure]) -> None:
        self._figures.append((name, meaning, figures))


Writer: TypeAlias = Callable[[Draft, Mapping[str, Value]], None]


def layout_of(
    game: AnyGame, start: tuple[object, ...], seats: int, options: Mapping[str, Value], writer: Writer | None = None
) -> Layout:
    """The layout of a game: by this writer, else by the game's module of `layouts/`, else bit by bit."""
    legs = options.get("legs", 1)
    assert isinstance(legs, int)
    draft = Draft(start, seats, legs)
    (writer or _known(game) or partial(_bit_by_bit, start))(draft, options)
    return draft.finished()


def _known(game: AnyGame) -> Writer | None:
    name = f"ludotheque.env.layouts.{game.stem}"
    if find_spec(name) is None:
        return None
    writer: Writer = import_module(name).layout
    return writer


def _bit_by_bit(start: tuple[object, ...], draft: Draft, _options: Mapping[str, Value]) -> None:
    for name in _fields(start):
        draft.flags(name, WORD_BITS)


def _fields(start: tuple[object, ...]) -> dict[str, tuple[int, ...]]:
    """The words of each field of a state."""
    found, word = {}, STATE
    for name, value in zip(start._fields, start, strict=True):  # type: ignore[attr-defined]  # the contract: a NamedTuple
        size = len(flat(value))
        found[name] = tuple(range(word, word + size))
        word += size
    return found


def _tables(grid: Grid, seats: int, planes: Sequence[Plane], figures: Sequence[Figure]) -> Tables:
    return Tables(
        area=grid.height * grid.width,
        places=np.array(grid.places, np.int64),
        planes=_by_role(seats, (plane.words for plane in planes)),
        spots=np.array([plane.spot for plane in planes], np.int64),
        words=_by_role(seats, (figure.words for figure in figures)),
        shifts=_by_role(seats, (figure.shifts for figure in figures)),
        values=_by_role(seats, (figure.values for figure in figures)),
        masks=np.array([figure.mask for figure in figures], np.int64),
        modulos=np.array([figure.modulo for figure in figures], np.int64),
        scales=np.array([figure.scale for figure in figures], np.float32),
    )


def _by_role(seats: int, rows: Iterable[tuple[int, ...]]) -> Longs:
    """One row for each role."""
    return np.ascontiguousarray(np.array(list(rows), np.int64).reshape(-1, seats).T)


def write_observation(seen: Longs, role: int, tables: Tables, out: Floats) -> None:
    """An observation from the words of a seat's view; compiled."""
    out[:] = 0
    for plane in range(len(tables.spots)):
        word = seen[tables.planes[role, plane]]
        if tables.spots[plane]:
            word = 1 << word if word >= 0 else 0
        while word:
            out[plane * tables.area + tables.places[lowest(word)]] = 1
            word &= word - 1
    first = len(tables.spots) * tables.area
    for number in range(len(tables.masks)):
        value = (seen[tables.words[role, number]] >> tables.shifts[role, number]) & tables.masks[number]
        if tables.modulos[number]:
            value %= tables.modulos[number]
        scale = tables.scales[number]
        if scale == EXACTLY:
            out[first + number] = value == tables.values[role, number]
        else:
            out[first + number] = value * scale
