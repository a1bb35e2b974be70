"""Every way to play a game: all seats, flags and choices, with long and short house limits."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from ludotheque import records, shelf
from ludotheque.match import Match
from ludotheque.options import Choice, Flag, Number, Option, Value
from ludotheque.pictures.output.render import render_match
from ludotheque.shelf import Box

SHORT = 4  # a house limit that random games do reach


@dataclass(frozen=True)
class Variant:
    """One way to play: a game, a number of seats, options. The game need not be on the shelf."""

    box: Box
    seats: int
    options: dict[str, Value] = field(hash=False)

    def match(self, seed: int | str = 0, *, by_hand: bool = False) -> Match:
        luck = {"luck": None} if by_hand else {}
        return self.box.match(self.seats, seed, **luck, **self.options)  # type: ignore[arg-type]

    def load(self, record: str) -> Match:
        """The match of a record of this game."""
        return records.read(
            record, lambda _key, seats, options: Match(self.box.rules, seats, None, options, render_match)
        )

    def start(self) -> tuple[object, ...]:
        return self.match(by_hand=True).state

    def __str__(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.box.key}-{self.seats}" + (f"-{options}" if options else "")


def variants(box: Box | str) -> Iterator[Variant]:
    """Every number of seats with every combination of flags and choices; limits at their default and short."""
    box = shelf.game(box) if isinstance(box, str) else box
    for seats in box.seats:
        for values in itertools.product(*(_values(option) for option in box.options)):
            names = [option.name for option in box.options]
            yield Variant(box, seats, dict(zip(names, values, strict=True)))


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
