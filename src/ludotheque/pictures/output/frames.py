"""A match frame by frame: every position that a viewer may see, in order."""

from typing import NamedTuple

from ludotheque.game import NOBODY, AnyGame
from ludotheque.match import Event, Match
from ludotheque.pictures.kit.picture import Story
from ludotheque.pictures.output.render import render_view
from ludotheque.words import DEFAULT_LANGUAGE


class Frame(NamedTuple):
    """A position of a match: after which event, in which leg, what there is to see, and for whom."""

    game: AnyGame
    event: Event | None
    leg: int
    state: tuple[object, ...]
    role: int
    story: Story

    def _repr_svg_(self) -> str:
        return self.picture()

    def picture(self, *, night: bool | None = None, style: bool = True, lang: str = DEFAULT_LANGUAGE) -> str:
        return render_view(self.game, self.state, self.role, self.story, night=night, style=style, lang=lang)


def frames(match: Match, seat: int | None = None, *, ended: bool = False) -> list[Frame]:
    """Every position. Once a match is over all is open; before, it is what the seat, or a spectator, may know now.

    What is still sealed is left out, and so is what came before something the game wants forgotten. A match that
    `ended` before its rules ended it is over, too.
    """
    over = match.over or ended
    again = Match(match.game, match.seats, None, match.options)
    story: Story = ()
    every = [_frame(again, None, seat, story if over else None)]
    for actor, text in match.events:
        leg, told = again.leg, (again.role(actor), match.game.numbers[text])
        again.enter((actor, text))
        story = (*story, told) if again.leg == leg else ()
        every.append(_frame(again, (actor, text), seat, story if over else None))
    return every if over else [every[number] for number in _allowed(match, seat)]


def _frame(match: Match, event: Event | None, seat: int | None, whole: Story | None) -> Frame:
    role = NOBODY if seat is None else match.role(seat)
    if whole is None:
        return Frame(match.game, event, match.leg, match.seen(seat), role, match.story(seat))
    return Frame(match.game, event, match.leg, match.state, role, whole)


def _allowed(match: Match, seat: int | None) -> list[int]:
    """Numbers of the positions one may go back to; 0 is the start."""
    readable = match.readable_events(seat)
    forgotten = match.length - len(readable) - len(match.sealed_events(seat))
    shown = [number + 1 for number in readable]
    return shown if forgotten else [0, *shown]
