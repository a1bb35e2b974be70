"""A match frame by frame: every position that a viewer may see, in order."""

from collections.abc import Sequence
from typing import NamedTuple, overload

from ludotheque.game import NOBODY, AnyGame
from ludotheque.match import Event, Match
from ludotheque.pictures.kit.picture import Story
from ludotheque.pictures.output.registry import picture_of
from ludotheque.pictures.output.render import render_view, seating
from ludotheque.words import DEFAULT_LANGUAGE


class Frame(NamedTuple):
    """A position of a match: after which event, in which leg, what there is to see, and for whom."""

    game: AnyGame  #: the rules
    event: Event | None  #: what led to it; none for the start
    leg: int  #: the leg of the series, from 0
    state: tuple[object, ...]  #: the position as the viewer may see it
    role: int  #: the role through whose eyes it is seen, or `NOBODY`
    story: Story  #: what the viewer may know of the moves of this leg
    seating: str = ""  #: classes that say who has which role

    def _repr_svg_(self) -> str:
        return self.picture()

    def picture(self, *, night: bool | None = None, style: bool = True, lang: str = DEFAULT_LANGUAGE) -> str:
        """The position as SVG; `night` forces a theme, without `style` the page has to have the stylesheet."""
        return render_view(
            self.game, self.state, self.role, self.story, night=night, style=style, lang=lang, seating=self.seating
        )


class Frames(Sequence[Frame]):
    """Frames of a match by their place, each made when it is asked for: the stories of all take much memory."""

    def __init__(self, match: Match, seat: int | None, numbers: Sequence[int], *, is_open: bool) -> None:
        self._match, self._seat, self._numbers, self._is_open = match.copy(), seat, numbers, is_open

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Frame: ...
    @overload
    def __getitem__(self, place: slice) -> "Frames": ...
    def __getitem__(self, place: int | slice) -> "Frame | Frames":
        if isinstance(place, slice):
            return Frames(self._match, self._seat, self._numbers[place], is_open=self._is_open)
        return self._frame(self._numbers[place])

    def _frame(self, events: int) -> Frame:
        """The frame after so many events."""
        then = self._match.before(self._match.length - events)
        shown, seat = then.at_leg_end() or then, self._seat
        event = self._match.shown_event(events - 1, seat) if events else None
        role = NOBODY if seat is None else shown.role(seat)
        if not self._is_open:
            return Frame(shown.game, event, shown.leg, shown.seen(seat), role, shown.story(seat), seating(shown))
        uncovered = picture_of(shown.game).uncovered(shown.state)
        return Frame(shown.game, event, shown.leg, uncovered, role, shown.whole_story(), seating(shown))


def frames(match: Match, seat: int | None = None, *, ended: bool = False) -> Frames:
    """Every position. Once a match is over all is open; before, it is what the seat, or a spectator, may know now.

    What is still sealed is left out, and so is what came before something the game wants forgotten. A match that
    `ended` before its rules ended it is over, too. Where the game keeps private moves to itself even then, nothing is
    open. The last event of a leg shows the finished board, not the next.
    """
    is_open = (match.over or ended) and match.reveals_all
    return Frames(match, seat, range(match.length + 1) if is_open else _allowed(match, seat), is_open=is_open)


def _allowed(match: Match, seat: int | None) -> list[int]:
    """Numbers of the positions one may go back to; 0 is the start."""
    readable = match.readable_events(seat)
    forgotten = match.length - len(readable) - len(match.sealed_events(seat))
    shown = [number + 1 for number in readable]
    return shown if forgotten else [0, *shown]
