"""Every way to play every game on the shelf: all seats, flags and choices, with long and short house limits."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import ludotheque
from ludotheque import Box, Match
from ludotheque.options import Choice, Flag, Number, Option, Value

SHORT = 4  # a house limit that random games do reach


@dataclass(frozen=True)
class Variant:
    """One way to play: a game, a number of seats, options."""

    box: Box
    seats: int
    options: dict[str, Value] = field(hash=False)

    def match(self, seed: int | str = 0, *, by_hand: bool = False) -> Match:
        luck = {"luck": None} if by_hand else {}
        return self.box.match(self.seats, seed, **luck, **self.options)  # type: ignore[arg-type]

    def start(self) -> tuple[object, ...]:
        return self.match(by_hand=True).state

    def __str__(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.box.key}-{self.seats}" + (f"-{options}" if options else "")


def variants(box: Box) -> Iterator[Variant]:
    """Every number of seats with every combination of flags and choices; limits at their default and short."""
    for seats in box.seats:
        for values in itertools.product(*(_values(option) for option in box.options)):
            names = [option.name for option in box.options]
            yield Variant(box, seats, dict(zip(names, values, strict=True)))


def everything() -> list[Variant]:
    return [variant for box in ludotheque.games() for variant in variants(box)]


def duels() -> list[Variant]:
    return [variant for variant in everything() if variant.seats > 1]


def share(variant: Variant, games: int) -> int:
    """This variant's share of so many games of the whole game."""
    return games // len(list(variants(variant.box)))


def _values(option: Option) -> tuple[Value, ...]:
    match option:
        case Flag():
            return (False, True)
        case Choice():
            return option.words
        case Number(name="legs"):
            return (option.default, 1)
        case Number():
            return (option.default, max(option.least, SHORT))
        case _:
            return (option.default,)
