"""The form of a new table: every mistake in it gets its own sentence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django import forms

from ludotheque.errors import BadOption
from ludotheque.options import Cells, Choice, Flag, Number, Option, Value
from ludotheque.search.levels import DEFAULT_LEVEL
from ludotheque.shelf import Box
from ludotheque.web import inputs, names
from ludotheque.web.models import Table
from ludotheque.web.models.table import LEVELS
from ludotheque.web.refusals import PromiseKept, Refused
from ludotheque.web.table import commitments, seating
from ludotheque.web.table.commitments import Promise
from ludotheque.web.words import language, refusal, said, say, seat_name

SCREEN, LINK, OPEN, COMPUTER = "screen", "link", "open", "computer"
BY_LOT = "lot"
USUAL_LEVEL = str(DEFAULT_LEVEL)


@dataclass(frozen=True)
class OptionField:
    """An option as the page shows it."""

    name: str
    kind: str
    words: str
    value: str
    choices: list[tuple[str, str]]
    least: int | None = None
    most: int | None = None


def option_fields(box: Box, lang: str) -> list[OptionField]:
    return [_option_field(box, option, lang) for option in box.options]


def _option_field(box: Box, option: Option, lang: str) -> OptionField:
    told = _option_words(box, option, lang)
    if isinstance(option, Flag):
        return OptionField(option.name, "flag", told, "yes" if option.default else "", [])
    if isinstance(option, Number):
        return OptionField(option.name, "number", told, str(option.default), [], option.least, option.most)
    if isinstance(option, Choice):
        choices = [
            (word, said(box.rules.stem, lang, "options", f"{option.name}.{word}") or word) for word in option.words
        ]
        return OptionField(option.name, "choice", told, option.default, choices)
    return OptionField(option.name, "cells", told, " ".join(option.default), [])


def seat_roles(box: Box, lang: str) -> list[list[tuple[int, str]]]:
    """The names of the seats: for each, how many may play and what it is called then; the most come first."""
    numbers = sorted(box.seats, reverse=True)
    return [
        [(seats, seat_name(box.rules.stem, seats, seat, lang)) for seats in numbers if seat < seats]
        for seat in range(max(box.seats))
    ]


class NewTableForm(forms.Form):
    """What the form of a game's page asks for. Fields that are left out have their usual values."""

    def __init__(self, box: Box, data: Mapping[str, str]) -> None:
        super().__init__(data)
        self.box = box
        most = max(box.seats)
        numbers = [str(number) for number in sorted(box.seats)]
        self.fields = {
            "seats": _choice(numbers, say("table-wrong-seats", numbers=", ".join(numbers))),
            "way": _choice((SCREEN, LINK, OPEN, COMPUTER), say("table-wrong-way")),
            "seat": _choice((BY_LOT, *map(str, range(most))), say("table-wrong-seat")),
            "level": _choice(LEVELS, refusal(Refused("no-such-level"), language())),
            "luck": BoundedText(required=False),
            "entropy": BoundedText(required=False),
            **{f"name-{number}": BoundedText(required=False) for number in range(most)},
            **{option_name(option): OptionValue(box, option) for option in box.options},
        }
        for number in range(1, most):
            self.fields[f"player-{number}"] = self.fields["level"]

    def clean_seats(self) -> int:
        return int(self.cleaned_data["seats"] or self.box.rules.seats[0])

    def clean(self) -> None:
        seat, seats = self.cleaned_data.get("seat"), self.cleaned_data.get("seats")
        if seat and seat != BY_LOT and seats and int(seat) >= seats:
            self.add_error("seat", say("table-wrong-seat"))
        self._clean_names()

    def _clean_names(self) -> None:
        """The names of those who take seats now, as they will be stored."""
        taken: list[str] = []
        for field in self._names_used():
            try:
                taken.append(names.read_for_table(self.cleaned_data[field], taken))
            except Refused as error:
                self.add_error(field, refusal(error, language()))
            else:
                self.cleaned_data[field] = taken[-1]

    def _names_used(self) -> list[str]:
        others = range(1, self.cleaned_data.get("seats", 1)) if self.cleaned_data.get("way") == SCREEN else ()
        people = [player for player in others if not self._level(player, SCREEN)]
        return ["name-0", *(f"name-{player}" for player in people)]

    def mistakes(self) -> list[str]:
        """A sentence for every mistake."""
        return list(dict.fromkeys(str(sentence) for errors in self.errors.values() for sentence in errors))

    def set_table(self, visitor: str) -> Table:
        """Set the table: the visitor, the computer players, and on one screen all others take their seats.

        Entropy counts only with a promise that was made before it; a form that is sent twice sets one table.
        """
        promise = commitments.of_ticket(self.cleaned_data["luck"])
        try:
            return self._set_table(visitor, promise)
        except PromiseKept as kept:
            return Table.objects.get(pk=kept.table)

    def _set_table(self, visitor: str, promise: Promise | None) -> Table:
        asked, seats = self.cleaned_data, int(self.cleaned_data["seats"])
        way = SCREEN if seats == 1 else asked["way"] or LINK
        by_lot = seats > 1 and (asked["seat"] or BY_LOT) == BY_LOT
        mine = 0 if by_lot or seats == 1 else int(asked["seat"])
        table = seating.open_table(
            self.box.key,
            seats,
            self._options(),
            listed=way == OPEN,
            by_lot=by_lot,
            creator=visitor,
            promise=promise,
        )
        seating.sit(table.id, visitor, mine, asked["name-0"], asked["entropy"] if promise else "")
        others = [number for number in range(seats) if number != mine]
        for player, number in enumerate(others, 1):
            if level := self._level(player, way):
                seating.seat_computer(table.id, visitor, number, level)
            elif way == SCREEN:
                seating.sit(table.id, visitor, number, asked[f"name-{player}"])
        return table

    def _level(self, player: int, way: str) -> str:
        """The level of another player; empty for a person."""
        named = f"player-{player}"
        asked: str = self.cleaned_data.get(named if named in self.data else "level", "")
        return asked or (USUAL_LEVEL if way == COMPUTER else "")

    def _options(self) -> dict[str, Value]:
        if "as-usual" in self.data:
            return {}
        return {option.name: self.cleaned_data[option_name(option)] for option in self.box.options}


class BoundedText(forms.Field):
    """A text of bounded length."""

    def clean(self, value: object) -> str:
        return inputs.text(value)


class OptionValue(forms.Field):
    """An option of a game, read as the game reads it."""

    def __init__(self, box: Box, option: Option) -> None:
        super().__init__(required=False, widget=forms.CheckboxInput if isinstance(option, Flag) else None)
        self.box, self.option = box, option

    def clean(self, value: object) -> Value:
        if isinstance(self.option, Flag):
            return bool(value)
        if value is None:
            return self.option.default
        try:
            return self.option.read(str(value))
        except BadOption as error:
            raise forms.ValidationError(self._mistake()) from error

    def _mistake(self) -> str:
        option, told = self.option, _option_words(self.box, self.option, language())
        if isinstance(option, Number):
            return say("table-wrong-number", option=told, least=option.least, most=option.most)
        if isinstance(option, Cells):
            number = f"{option.least}" if option.least == option.most else f"{option.least}–{option.most}"
            return say("table-wrong-cells", option=told, number=number, first=option.board[0], last=option.board[-1])
        return say("table-wrong-choice", option=told)


def option_name(option: Option) -> str:
    """The name of an option's field."""
    return f"option-{option.name}"


def _option_words(box: Box, option: Option, lang: str) -> str:
    return said(box.rules.stem, lang, "options", option.name) or option.name


def _choice(values: Iterable[str], mistake: str) -> forms.ChoiceField:
    choices = [(value, value) for value in values]
    return forms.ChoiceField(choices=choices, required=False, error_messages={"invalid_choice": mistake})
